import { AppError } from '../../kernel/errors.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ConnectTools } from './connections/connect-youtube.ts';
import type { PublishTools } from './publications/end-publication.ts';
import type { SiteAccess } from './site/external-site.ts';

/** What the commands and fields of this domain use; `services.publishing` of the engine. */
export interface PublishingServices extends Pick<Platform, 'db' | 'secrets' | 'log'> {
  /** Whether the operator has set a program that fetches files from YouTube. */
  readonly canDownload: boolean;
  /** Null where the operator has set no client at Google. */
  readonly youtube: YouTubeServices | null;
}

/** As {@link PublishingServices} where a client is set. */
export interface YouTubeServices extends ConnectTools {
  /** For videos that are sent there. */
  readonly publications: PublishTools;
}

declare module '../../gql/request-context.ts' {
  interface Services {
    readonly publishing: PublishingServices;
  }
}

/** The services where YouTube is set up. Throws SERVICE_UNAVAILABLE where it is not. */
export function requireYouTube({ youtube }: PublishingServices): YouTubeServices {
  if (!youtube) throw notSetUp();
  return youtube;
}

export function notSetUp(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', 'YouTube is not configured on this server.', {
    suggestedFix:
      'The operator must set YOUTUBE_CLIENT_ID and YOUTUBE_CLIENT_SECRET; see the guide ' +
      '/docs/guides/import-from-youtube.',
  });
}

/**
 * An account's way to its channel. Throws SERVICE_UNAVAILABLE where YouTube is not set up, UNAUTHORIZED where nothing
 * is connected.
 */
export async function readSiteAccess(services: PublishingServices, accountId: string): Promise<SiteAccess> {
  return requireYouTube(services).accesses.of(accountId);
}
