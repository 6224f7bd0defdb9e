import { type ViewerScope, viewerRow } from '../../../gql/index.ts';
import type { Executor, Transaction } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { isMember, SCOPED } from '../../channels/index.ts';

/** The content of an imported video. */
export interface StoredImport {
  readonly contentId: string;
  /** Whether it has no file, and none is being fetched. */
  readonly needsFile: boolean;
  readonly isPublished: boolean;
}

const LOCK = sql(
  'lock_youtube_import',
  `select pg_advisory_xact_lock(hashtextextended('youtube ' || $1::text || ' ' || $2::text, 0))`,
);
const FIND = sql(
  'find_youtube_import',
  `select c.id as "contentId", c.status = 'DRAFT' as "needsFile", c.status = 'PUBLISHED' as "isPublished"
   from youtube_imports i join contents c on c.id = i.content_id
   where i.video_id = $2 and c.channel_id = $1 and c.deleted_at is null order by i.created_at desc limit 1`,
);

/**
 * The content that a channel imported from a video; null when there is none, or it is in the trash. Locks the import of
 * this video until the transaction ends.
 */
export async function lockImport(tx: Transaction, channelId: string, videoId: string): Promise<StoredImport | null> {
  await tx.run(LOCK, [channelId, videoId]);
  return tx.first<StoredImport>(FIND, [channelId, videoId]);
}

const INSERT = sql(
  'insert_youtube_import',
  'insert into youtube_imports (content_id, video_id, youtube_channel_id, created_at) values ($1, $2, $3, $4)',
);

/** Stores the source video of a content. */
export async function insertImport(
  tx: Executor,
  {
    contentId,
    videoId,
    siteChannelId,
    nowIso,
  }: { contentId: string; videoId: string; siteChannelId: string; nowIso: string },
): Promise<void> {
  await tx.run(INSERT, [contentId, videoId, siteChannelId, nowIso]);
}

const OF_VIDEOS = sql(
  'contents_of_youtube_videos',
  `select distinct on (i.video_id) i.video_id as "videoId", c.id as "contentId" from ${viewerRow('$1')}
     join youtube_imports i on true join contents c on c.id = i.content_id and c.deleted_at is null
       and ${isMember(SCOPED, 'c.channel_id')}
   where i.video_id = any($2) order by i.video_id, i.created_at desc`,
);

/** The newest content of each video in the viewer's channels, by the video's identifier. */
export async function contentsOfVideos(
  db: Executor,
  viewer: ViewerScope,
  videoIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.run<{ videoId: string; contentId: string }>(OF_VIDEOS, [viewer, videoIds]);
  return new Map(rows.map(({ videoId, contentId }) => [videoId, contentId]));
}

const IN_CHANNEL = sql(
  'youtube_videos_in_channel',
  `select i.video_id as "videoId" from youtube_imports i join contents c on c.id = i.content_id
   where i.video_id = any($2) and c.channel_id = $1 and c.deleted_at is null`,
);

/** Which of these videos a channel has imported. */
export async function videosInChannel(
  db: Executor,
  channelId: string,
  videoIds: readonly string[],
): Promise<Set<string>> {
  const rows = await db.run<{ videoId: string }>(IN_CHANNEL, [channelId, videoIds]);
  return new Set(rows.map(({ videoId }) => videoId));
}
