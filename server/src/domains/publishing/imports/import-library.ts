import type { CommandContext } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import { type BatchResult, failed, instant } from '../../catalog/index.ts';
import { requireAccount } from '../../channels/index.ts';
import { readSiteAccess, requireYouTube } from '../services.ts';
import type { SiteAccess, SiteVideo } from '../site/external-site.ts';
import { cannotDownload, DRAFT_OPTIONS, readImportChannel, takeOver } from './import-video.ts';
import { videosInChannel } from './imports.store.ts';

export const MAX_LIBRARY = 200;
export const DEFAULT_LIBRARY = 25;
/** Page size of the site. */
const PAGE_SIZE = 50;
/** Maximum number of pages per call: 1,000 uploads, for 40 units of the quota. */
const MAX_PAGES = 20;

export interface ImportLibraryInput {
  readonly channel?: Maybe<string>;
  readonly maxResults?: Maybe<number>;
  readonly publishedAfter?: Maybe<string>;
  readonly autoPublish?: Maybe<boolean>;
}

/** Result for one video. */
export interface LibraryResult {
  readonly videoId: string;
  readonly title: string;
  /** DID of the new content; null when it failed. */
  readonly contentId: string | null;
  readonly needsFile: boolean;
  readonly error: BatchResult['error'];
}

export interface ImportedLibrary {
  readonly results: readonly LibraryResult[];
  readonly imported: number;
  /** Number of videos imported before. */
  readonly skipped: number;
  /** Whether the site has more uploads that were not examined. */
  readonly hasMore: boolean;
}

/** Maximum number of imported videos per call. Throws INVALID_INPUT for an invalid number. */
export function readMaxResults(maxResults: Maybe<number>): number {
  const most = maxResults ?? DEFAULT_LIBRARY;
  if (most >= 1 && most <= MAX_LIBRARY) return most;
  throw new AppError('INVALID_INPUT', `input.maxResults is ${most}.`, {
    field: 'input.maxResults',
    suggestedFix: `Send 1 to ${MAX_LIBRARY}; call again for more.`,
  });
}

/**
 * Imports the newest uploads of the connected channel that were not imported before, each in its own transaction. The
 * next call continues with older ones. A transient error ends the call; imported videos stay, and are skipped next
 * time.
 */
export async function importLibrary(context: CommandContext, input: ImportLibraryInput): Promise<ImportedLibrary> {
  const { publishing } = context.services;
  const most = readMaxResults(input.maxResults);
  const publish = input.autoPublish ?? false;
  const channelId = await readImportChannel(context, input.channel, 'input.channel');
  requireYouTube(publishing);
  if (publish && !publishing.canDownload) throw cannotDownload('input.autoPublish');
  const access = await readSiteAccess(publishing, requireAccount(context).accountId);
  const found = await findNew(context, access, { channelId, most, afterMs: instant(input.publishedAfter) });
  const results: LibraryResult[] = [];
  for (const video of found.videos) {
    context.signal.throwIfAborted();
    results.push(await importOne(context, video, { channelId, siteChannelId: access.channelId, publish }));
  }
  const imported = results.filter(({ error }) => error === null).length;
  return { results, imported, skipped: found.skipped, hasMore: found.hasMore };
}

interface Search {
  readonly channelId: string;
  readonly most: number;
  readonly afterMs: number | null;
}

/** Uploads that the channel has not imported, newest first, at most `most`. */
async function findNew(
  context: CommandContext,
  access: SiteAccess,
  { channelId, most, afterMs }: Search,
): Promise<{ videos: SiteVideo[]; skipped: number; hasMore: boolean }> {
  const { site, db } = requireYouTube(context.services.publishing);
  const videos: SiteVideo[] = [];
  let skipped = 0;
  let pageToken: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const response = await site.listVideos(access, { pageToken, limit: PAGE_SIZE });
    const wanted = response.videos.filter(({ publishedAt }) => isAfter(publishedAt, afterMs));
    const known = await videosInChannel(
      db,
      channelId,
      wanted.map(({ id }) => id),
    );
    const fresh = wanted.filter(({ id }) => !known.has(id));
    skipped += wanted.length - fresh.length;
    const room = most - videos.length;
    videos.push(...fresh.slice(0, room));
    pageToken = response.nextPageToken;
    if (fresh.length > room) return { videos, skipped, hasMore: true };
    // Uploads are sorted newest first: after a page that is too old there are only older ones.
    const tooOld = response.videos.length > 0 && wanted.length === 0;
    if (pageToken === null || tooOld) return { videos, skipped, hasMore: false };
    if (videos.length === most) return { videos, skipped, hasMore: true };
  }
  return { videos, skipped, hasMore: true };
}

function isAfter(publishedAt: string | null, afterMs: number | null): boolean {
  return afterMs === null || (publishedAt !== null && Date.parse(publishedAt) > afterMs);
}

async function importOne(
  context: CommandContext,
  video: SiteVideo,
  { channelId, siteChannelId, publish }: { channelId: string; siteChannelId: string; publish: boolean },
): Promise<LibraryResult> {
  const named = { videoId: video.id, title: video.title };
  try {
    const options = { ...DRAFT_OPTIONS, publish };
    const { content, needsFile } = await takeOver(context, {
      video,
      siteChannelId,
      channelId,
      options,
      field: 'input.channel',
    });
    return { ...named, contentId: context.did('feature', content), needsFile, error: null };
  } catch (error) {
    return { ...named, contentId: null, needsFile: false, error: failed(video.id, error).error };
  }
}
