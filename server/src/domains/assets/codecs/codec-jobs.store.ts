import type { AddedCodec } from '../../../media/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

/** Of jobs that encode videos in other codecs: every chunk of other jobs is encoded first. */
export const CODEC_PRIORITY = -1;

const INSERT = sql(
  'insert_codec_job',
  `insert into transcode_jobs (id, channel_id, content_id, video_asset_id, status, created_at, purpose, priority, codec)
   select $1, v.channel_id, v.content_id, v.id, 'QUEUED', $4, 'RENDITIONS', ${CODEC_PRIORITY}, $3
   from video_assets v
   where v.id = $2 and v.original_deleted_at is null
     and exists (select from encoded_videos e where e.video_asset_id = v.id)
   on conflict (video_asset_id, codec) where codec is not null and status <> 'CANCELLED' do nothing
   returning id`,
);

/**
 * Inserts a job that encodes a complete video in another codec; false where there is or was one, and where its original
 * is gone.
 */
export async function insertCodecJob(
  tx: Executor,
  jobId: string,
  videoAssetId: string,
  codec: AddedCodec,
  now: string,
): Promise<boolean> {
  return (await tx.first(INSERT, [jobId, videoAssetId, codec, now])) !== null;
}

/** An attempt of a job, whose files are below a prefix of their own. */
export interface CodecAttempts {
  readonly jobId: string;
  readonly videoAssetId: string | null;
  readonly attempts: number;
}

const DELETE = sql(
  'delete_codec_jobs',
  `delete from transcode_jobs where content_id = $1 and codec is not null
   returning id as "jobId", video_asset_id as "videoAssetId", attempts`,
);

/** Deletes the jobs of a content for other codecs, whatever their state, with their plans. */
export function deleteCodecJobs(tx: Executor, contentId: string): Promise<CodecAttempts[]> {
  return tx.run(DELETE, [contentId]);
}

const WANTED = sql(
  'codecs_of_channel',
  'select encode_av1 as "AV1", encode_hevc as "HEVC" from channels where id = $1',
);

/** The codecs that a channel has its videos encoded in beside H.264. */
export async function codecsOfChannel(db: Executor, channelId: string): Promise<AddedCodec[]> {
  const row = await db.first<Record<AddedCodec, boolean>>(WANTED, [channelId]);
  return (['AV1', 'HEVC'] as const).filter((codec) => row?.[codec]);
}

const POPULAR = sql(
  'popular_videos_without_codec',
  `with popular as (
     select key as content_id, sum(value) as views from counters where scope = 'content:views'
     group by key having sum(value) >= $1
   )
   select v.id as "videoAssetId" from popular p
     join contents c on c.id = p.content_id and c.deleted_at is null
     join video_assets v on v.content_id = c.id and v.original_deleted_at is null
     join encoded_videos e on e.video_asset_id = v.id
   where not exists (select from transcode_jobs j where j.video_asset_id = v.id and j.codec = $2
     and j.status <> 'CANCELLED')
   order by p.views desc, v.id limit $3`,
);

/** The most watched videos with so many views that are not encoded in a codec. */
export async function popularVideos(
  db: Executor,
  leastViews: number,
  codec: AddedCodec,
  most: number,
): Promise<string[]> {
  const rows = await db.run<{ videoAssetId: string }>(POPULAR, [leastViews, codec, most]);
  return rows.map(({ videoAssetId }) => videoAssetId);
}

const COUNT = sql(
  'count_added_files',
  `update video_assets set derived_bytes = derived_bytes + $2, derived_files = derived_files + $3 where id = $1`,
);

/** Counts files that were added to a video. */
export async function countAdded(tx: Executor, videoAssetId: string, bytes: number, files: number): Promise<void> {
  await tx.run(COUNT, [videoAssetId, bytes, files]);
}
