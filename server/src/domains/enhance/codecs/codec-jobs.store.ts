import type { AddedCodec } from '../../../media/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { isCold } from '../../transcode/index.ts';

/** Of jobs that encode videos in other codecs: every chunk of other jobs is encoded first. */
export const CODEC_PRIORITY = -1;

const INSERT = sql(
  'insert_codec_job',
  `with earlier as (
     delete from transcode_jobs where video_asset_id = $2 and codec = $3 and status = 'CANCELLED'
   )
   insert into transcode_jobs (id, channel_id, content_id, video_asset_id, status, created_at, purpose, priority, codec)
   select $1, v.channel_id, v.content_id, v.id, 'QUEUED', $4, 'RENDITIONS', ${CODEC_PRIORITY}, $3
   from video_assets v
   where v.id = $2 and v.original_deleted_at is null
     and exists (select from encoded_videos e where e.video_asset_id = v.id)
   on conflict (video_asset_id, codec) where codec is not null and status <> 'CANCELLED' do nothing
   returning id`,
);

/**
 * Inserts a job that encodes a complete video in another codec, in place of one that was cancelled; false where there
 * is one in another state, and where its original is gone.
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

/** SQL: whether a video (alias `v`) can be encoded in codec $1, and somebody has watched it since $2, if given. */
const CAN_BE_ADDED = `v.original_deleted_at is null
     and exists (select from encoded_videos e where e.video_asset_id = v.id)
     and not exists (select from transcode_jobs j where j.video_asset_id = v.id and j.codec = $1
       and j.status <> 'CANCELLED')
     and (${isCold('v', '$2')}) is not true`;

const POPULAR = sql(
  'popular_videos_without_codec',
  `with popular as (
     select key as content_id, sum(value) as views from counters where scope = 'content:views'
     group by key having sum(value) >= $4
   )
   select v.id as "videoAssetId" from popular p
     join contents c on c.id = p.content_id and c.deleted_at is null
     join video_assets v on v.content_id = c.id
   where ${CAN_BE_ADDED} order by p.views desc, v.id limit $3`,
);

/** Videos to look for: in which codec, not cold since when (null: whether or not), and how many at most. */
export interface CodecSearch {
  readonly codec: AddedCodec;
  readonly coldBefore: string | null;
  readonly most: number;
}

/** The most watched videos with so many views that are not encoded in a codec, and were not tried. */
export async function popularVideos(
  db: Executor,
  leastViews: number,
  { codec, coldBefore, most }: CodecSearch,
): Promise<string[]> {
  const rows = await db.run<{ videoAssetId: string }>(POPULAR, [codec, coldBefore, most, leastViews]);
  return rows.map(({ videoAssetId }) => videoAssetId);
}

const CANCELLED = sql(
  'videos_with_cancelled_codec',
  `select distinct v.id as "videoAssetId" from transcode_jobs cancelled
     join video_assets v on v.id = cancelled.video_asset_id
     join contents c on c.id = v.content_id and c.deleted_at is null
     join channels ch on ch.id = v.channel_id and case $1 when 'AV1' then ch.encode_av1 else ch.encode_hevc end
   where cancelled.codec = $1 and cancelled.status = 'CANCELLED' and ${CAN_BE_ADDED}
   order by v.id limit $3`,
);

/** Videos whose job for a codec was cancelled, although their channel asks for it. */
export async function cancelledVideos(db: Executor, { codec, coldBefore, most }: CodecSearch): Promise<string[]> {
  const rows = await db.run<{ videoAssetId: string }>(CANCELLED, [codec, coldBefore, most]);
  return rows.map(({ videoAssetId }) => videoAssetId);
}

const CANCEL_FAILED = sql(
  'cancel_failed_codec_jobs',
  `update transcode_jobs set status = 'CANCELLED'
   where channel_id = $1 and codec = any($2::text[]) and status = 'ERROR'`,
);

/** Has the failed jobs of a channel for these codecs count as cancelled. */
export async function cancelFailedJobs(tx: Executor, channelId: string, codecs: readonly string[]): Promise<void> {
  await tx.run(CANCEL_FAILED, [channelId, codecs]);
}
