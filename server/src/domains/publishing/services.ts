import { accountInScope } from '../../gql/account-in-scope.ts';
import type { ViewerScope } from '../../gql/index.ts';
import { AppError } from '../../kernel/errors.ts';
import { t } from '../../kernel/languages/message.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ConnectTools } from './connections/connect-youtube.ts';
import type { PublishTools } from './publications/end-publication.ts';
import type { SiteAccess } from './site/external-site.ts';

/** What the commands and fields of this domain use; `services.publishing` of the engine. */
export interface PublishingServices extends Pick<Platform, 'db' | 'secrets' | 'log'> {
  /** Whether a program for downloads from YouTube is configured. */
  readonly canDownload: boolean;
  /** Null without a configured Google client. */
  readonly youtube: YouTubeServices | null;
}

/** As {@link PublishingServices}, with a client. */
export interface YouTubeServices extends ConnectTools {
  /** For uploaded videos. */
  readonly publications: PublishTools;
}

declare module '../../gql/request-context.ts' {
  interface Services {
    readonly publishing: PublishingServices;
  }
}

/** The services, with YouTube. Throws SERVICE_UNAVAILABLE when it is not configured. */
export function requireYouTube({ youtube }: PublishingServices): YouTubeServices {
  if (!youtube) throw notSetUp();
  return youtube;
}

export function notSetUp(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', t`YouTube is not configured on this server.`, {
    suggestedFix: t`The operator must set YOUTUBE_CLIENT_ID and YOUTUBE_CLIENT_SECRET; see the guide
      /docs/guides/import-from-youtube.`,
    retryable: false,
  });
}

/**
 * An account's access to its channel. Throws SERVICE_UNAVAILABLE when YouTube is not configured, UNAUTHORIZED without a
 * connection.
 */
export async function readSiteAccess(services: PublishingServices, accountId: string): Promise<SiteAccess> {
  return requireYouTube(services).accesses.of(accountId);
}

/** As {@link readSiteAccess}, for fields that know the viewer by its scope. */
export async function readOwnSiteAccess(services: PublishingServices, viewer: ViewerScope): Promise<SiteAccess> {
  return readSiteAccess(services, accountInScope(viewer));
}
