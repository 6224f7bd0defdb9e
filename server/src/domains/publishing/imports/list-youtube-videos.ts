import type { ResolverContext } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import { readOwnSiteAccess, requireYouTube } from '../services.ts';
import type { SiteVideo } from '../site/external-site.ts';
import { siteStudioUrl } from '../site/site-addresses.ts';
import { contentsOfVideos } from './imports.store.ts';

export const DEFAULT_LIMIT = 20;
export const MAX_LIMIT = 50;
const MAX_TOKEN_LENGTH = 500;

/** A video, and the DID of its content in one of the account's channels. */
interface ListedVideo extends SiteVideo {
  readonly videoId: string;
  readonly thumbnail: string | null;
  readonly studioUrl: string;
  readonly contentId: string | null;
}

interface ListedVideos {
  readonly videos: readonly ListedVideo[];
  readonly nextPageToken: string | null;
  readonly totalCount: number;
  readonly totalResults: number;
}

interface PageArgs {
  readonly pageToken?: Maybe<string>;
  readonly limit?: Maybe<number>;
}

/** A page of the connected channel's uploads. Throws for an invalid page and without a connection. */
export async function listYouTubeVideos(
  context: ResolverContext,
  { pageToken, limit }: PageArgs,
): Promise<ListedVideos> {
  const page = { pageToken: readPageToken(pageToken), limit: readLimit(limit) };
  const { site, db } = requireYouTube(context.services.publishing);
  const access = await readOwnSiteAccess(context.services.publishing, context.scope);
  const { videos, ...rest } = await site.listVideos(access, page);
  const contents = await contentsOfVideos(
    db,
    context.scope,
    videos.map(({ id }) => id),
  );
  const contentOf = (id: string) => {
    const content = contents.get(id);
    return content === undefined ? null : context.did('feature', content);
  };
  const listed = videos.map((video) => ({
    ...video,
    videoId: video.id,
    thumbnail: video.thumbnailUrl,
    studioUrl: siteStudioUrl(video.id),
    contentId: contentOf(video.id),
  }));
  return { ...rest, totalResults: rest.totalCount, videos: listed };
}

function readPageToken(token: Maybe<string>): string | null {
  if (token == null || token === '') return null;
  if (token.length <= MAX_TOKEN_LENGTH && /^[\w-]+={0,2}$/.test(token)) return token;
  throw new AppError('INVALID_INPUT', t`This is not a page token of YouTube.`, {
    field: 'pageToken',
    suggestedFix: t`Send nextPageToken of the previous page.`,
  });
}

function readLimit(limit: Maybe<number>): number {
  const most = limit ?? DEFAULT_LIMIT;
  if (most >= 1 && most <= MAX_LIMIT) return most;
  throw new AppError('INVALID_INPUT', t`limit is ${most}.`, {
    field: 'limit',
    suggestedFix: t`Send 1 to ${MAX_LIMIT}.`,
  });
}
