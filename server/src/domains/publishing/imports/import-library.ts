import type { CommandContext } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { type Text, t } from '../../../kernel/languages/message.ts';
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

/** A video that was imported. */
interface ImportedItem {
  readonly youtubeId: string;
  /** DID of the new content. */
  readonly contentId: string;
  readonly title: string;
  readonly published: boolean;
  readonly needsFile: boolean;
}

/** A video that was not. */
interface SkippedItem {
  readonly youtubeId: string;
  readonly title: string;
  readonly reason: Text;
  readonly error: BatchResult['error'];
}

export interface ImportedLibrary {
  readonly imported: readonly ImportedItem[];
  readonly skipped: readonly SkippedItem[];
  /** The page of the site in which the import stopped; null after the last one. */
  readonly nextPageToken: string | null;
  /** Whether the site has more uploads that were not examined. */
  readonly hasMore: boolean;
}

/** Maximum number of imported videos per call. Throws INVALID_INPUT for an invalid number. */
export function readMaxResults(maxResults: Maybe<number>): number {
  const most = maxResults ?? DEFAULT_LIBRARY;
  if (most >= 1 && most <= MAX_LIBRARY) return most;
  throw new AppError('INVALID_INPUT', t`input.maxResults is ${most}.`, {
    field: 'input.maxResults',
    suggestedFix: t`Send 1 to ${MAX_LIBRARY}; call again for more.`,
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
  const imported: ImportedItem[] = [];
  const skipped: SkippedItem[] = [...found.skipped];
  for (const video of found.videos) {
    context.signal.throwIfAborted();
    const result = await importOne(context, video, { channelId, siteChannelId: access.channelId, publish });
    if ('contentId' in result) imported.push(result);
    else skipped.push(result);
  }
  return { imported, skipped, nextPageToken: found.nextPageToken, hasMore: found.hasMore };
}

interface Search {
  readonly channelId: string;
  readonly most: number;
  readonly afterMs: number | null;
}

interface Found {
  readonly videos: readonly SiteVideo[];
  readonly skipped: readonly SkippedItem[];
  readonly nextPageToken: string | null;
  readonly hasMore: boolean;
}

/** Uploads that the channel has not imported, newest first, at most `most`. */
async function findNew(
  context: CommandContext,
  access: SiteAccess,
  { channelId, most, afterMs }: Search,
): Promise<Found> {
  const { site, db } = requireYouTube(context.services.publishing);
  const videos: SiteVideo[] = [];
  const skipped: SkippedItem[] = [];
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
    skipped.push(...wanted.filter(({ id }) => known.has(id)).map(importedBefore));
    const room = most - videos.length;
    videos.push(...fresh.slice(0, room));
    if (fresh.length > room) return { videos, skipped, nextPageToken: pageToken, hasMore: true };
    pageToken = response.nextPageToken;
    // Uploads are sorted newest first: after a page that is too old there are only older ones.
    const tooOld = response.videos.length > 0 && wanted.length === 0;
    if (pageToken === null || tooOld) return { videos, skipped, nextPageToken: null, hasMore: false };
    if (videos.length === most) return { videos, skipped, nextPageToken: pageToken, hasMore: true };
  }
  return { videos, skipped, nextPageToken: pageToken, hasMore: true };
}

function importedBefore({ id, title }: SiteVideo): SkippedItem {
  return { youtubeId: id, title, reason: t`The channel had imported it before.`, error: null };
}

function isAfter(publishedAt: string | null, afterMs: number | null): boolean {
  return afterMs === null || (publishedAt !== null && Date.parse(publishedAt) > afterMs);
}

async function importOne(
  context: CommandContext,
  video: SiteVideo,
  { channelId, siteChannelId, publish }: { channelId: string; siteChannelId: string; publish: boolean },
): Promise<ImportedItem | SkippedItem> {
  const named = { youtubeId: video.id, title: video.title };
  try {
    const options = { ...DRAFT_OPTIONS, publish };
    const { content, needsFile } = await takeOver(context, {
      video,
      siteChannelId,
      channelId,
      options,
      field: 'input.channel',
    });
    return { ...named, contentId: context.did('feature', content), published: false, needsFile };
  } catch (error) {
    const refused = failed(video.id, error).error;
    return { ...named, reason: refused?.message ?? '', error: refused };
  }
}
