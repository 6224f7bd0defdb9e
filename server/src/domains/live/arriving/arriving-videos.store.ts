import type { ChannelId, ContentId, IngestionId } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { playsWhatArrived } from '../../assets/index.ts';

/** The video of an upload that is played while it arrives. */
export interface ArrivingVideoRow {
  readonly videoAssetId: string;
  readonly contentId: ContentId;
  /** Whether its content was published for it. */
  readonly hasPublished: boolean;
}

/** An upload, and the video that is played of it. */
export interface PlayedUpload {
  readonly id: IngestionId;
  readonly channelId: ChannelId;
  readonly contentId: ContentId;
  readonly objectKey: string;
  readonly hint: string;
  readonly filename: string;
  /** Null before anything of it can be played. */
  readonly videoAssetId: string | null;
  /** That are stored. */
  readonly segments: number;
}

const PLAYABLE = sql(
  'playable_upload',
  `select i.id, i.channel_id as "channelId", i.content_id as "contentId", i.object_key as "objectKey", i.hint,
     i.filename, a.video_asset_id as "videoAssetId",
     (select count(*)::int from arriving_segments s where s.video_asset_id = a.video_asset_id) as segments
   from ingestions i join contents c on c.id = i.content_id left join arriving_videos a on a.ingestion_id = i.id
   where i.id = $1 and i.state in ('OPEN', 'FINISHED') and i.auto_process and c.deleted_at is null
     and (a.video_asset_id is not null or i.state = 'OPEN')
     and not exists (select from video_assets v where v.content_id = c.id
       and v.id is distinct from a.video_asset_id)`,
);

/** An upload that may be played while it arrives: its content has no other video; null for others. */
export function playableUpload(db: Executor, ingestionId: string): Promise<PlayedUpload | null> {
  return db.first<PlayedUpload>(PLAYABLE, [ingestionId]);
}

const INSERT = sql(
  'insert_arriving_video',
  `insert into arriving_videos (video_asset_id, ingestion_id, has_published, stored_at) values ($1, $2, $3, $4)`,
);

export async function insertArriving(
  tx: Executor,
  row: { readonly videoAssetId: string; readonly ingestionId: string; readonly hasPublished: boolean },
  now: string,
): Promise<void> {
  await tx.run(INSERT, [row.videoAssetId, row.ingestionId, row.hasPublished, now]);
}

const ARRIVING = `select a.video_asset_id as "videoAssetId", v.content_id as "contentId",
   a.has_published as "hasPublished"
 from arriving_videos a join video_assets v on v.id = a.video_asset_id`;
const LOCK = sql('lock_arriving_video', `${ARRIVING} where a.ingestion_id = $1 for update of a`);
const OF_CONTENT = sql(
  'arriving_video_of_content',
  `${ARRIVING} join ingestions i on i.id = a.ingestion_id where v.content_id = $1 and i.state = 'OPEN' for update of a`,
);

/** The video of an upload, locked until the transaction ends; null where none is played. */
export function lockArriving(tx: Executor, ingestionId: string): Promise<ArrivingVideoRow | null> {
  return tx.first<ArrivingVideoRow>(LOCK, [ingestionId]);
}

/** The same for the video of a content whose upload goes on. */
export function lockArrivingOf(tx: Executor, contentId: string): Promise<ArrivingVideoRow | null> {
  return tx.first<ArrivingVideoRow>(OF_CONTENT, [contentId]);
}

const ARRIVED = sql(
  'arrived_video_of_content',
  `select v.id from video_assets v where v.content_id = $1 and ${playsWhatArrived('v')} for update`,
);

/** The video of a content that is played from what had arrived; null where there is none. */
export async function arrivedVideoOf(tx: Executor, contentId: string): Promise<string | null> {
  return (await tx.first<{ id: string }>(ARRIVED, [contentId]))?.id ?? null;
}

const FORGET = sql('forget_arriving_video', 'delete from arriving_videos where video_asset_id = $1');

/** Nothing follows: its segments are listed by stored playlists, or were taken back. */
export async function forgetArriving(tx: Executor, videoAssetId: string): Promise<void> {
  await tx.run(FORGET, [videoAssetId]);
}

const UNFINISHED = sql(
  'unfinished_arriving_videos',
  `select a.ingestion_id as id from arriving_videos a join ingestions i on i.id = a.ingestion_id
   where i.state = 'FINISHED' and i.finished_at < $1 and a.stored_at < $1 order by a.stored_at limit 20`,
);

/** Uploads that have finished and whose video has got no segment since then. */
export async function unfinishedArriving(db: Executor, since: string): Promise<string[]> {
  return (await db.run<{ id: string }>(UNFINISHED, [since])).map(({ id }) => id);
}

const DERIVED = sql(
  'count_arrived_segments',
  `update video_assets v set derived_bytes = $2, derived_files = $3 where v.id = $1 and ${playsWhatArrived('v')}`,
);

/** Counts what is stored of a video, as long as it is played. */
export async function noteArrivedBytes(tx: Executor, id: string, bytes: number, files: number): Promise<void> {
  await tx.run(DERIVED, [id, bytes, files]);
}
