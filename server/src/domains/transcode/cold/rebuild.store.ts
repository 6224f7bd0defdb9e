import type { ContentId, VideoAssetId } from '../../../kernel/ids.ts';
import type { EncodeChunk } from '../../../media/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import type { SingleChunk } from '../plans/encode-chunks.store.ts';
import { SEGMENT_WANTED_CHANNEL, type SegmentState, STATE_OF } from '../plans/on-demand.store.ts';
import type { StoredOutput } from '../plans/outputs.ts';

/** The package of a video whose sizes are encoded again. */
export interface RebuiltPackage {
  readonly contentId: string;
  readonly videoAssetId: string;
  /** Below that of the video. */
  readonly folder: string;
}

const JOB = sql(
  'rebuild_job',
  `select p.job_id as "jobId" from transcode_jobs j join encode_plans p on p.job_id = j.id
   where j.video_asset_id = $1 and p.folder is not null and j.status = 'TRANSCODING'`,
);

/** The job that encodes evicted sizes of a video; null while there is none. */
export async function rebuildJob(db: Executor, videoAssetId: string): Promise<string | null> {
  return (await db.first<{ jobId: string }>(JOB, [videoAssetId]))?.jobId ?? null;
}

const LOCK = sql(
  'lock_evicted_video',
  `select v.id as "videoAssetId", v.channel_id as "channelId", v.content_id as "contentId", v.size_bytes as "sizeBytes",
     v.mime_type as "mimeType", v.source_key as "sourceKey"
   from video_assets v join contents c on c.id = v.content_id
   where v.id = $1 and c.deleted_at is null and v.original_deleted_at is null for update of v`,
);

/** What a job needs to know of a video. */
export interface EvictedVideo {
  readonly videoAssetId: VideoAssetId;
  readonly channelId: string;
  readonly contentId: ContentId;
  readonly sizeBytes: number;
  readonly mimeType: string;
  readonly sourceKey: string;
}

/** Locks a video whose sizes can be encoded again; null when it was deleted. */
export function lockEvictedVideo(tx: Executor, videoAssetId: string): Promise<EvictedVideo | null> {
  return tx.first<EvictedVideo>(LOCK, [videoAssetId]);
}

const WANT = sql(
  'want_evicted_segment',
  `with wanted as (
     insert into encode_chunks as c (job_id, kind, number, chunk, cost_ms, wanted_at)
     select p.job_id, 'on-demand', $2::int, jsonb_build_object('kind', 'on-demand', 'number', $2::int, 'single',
       $3::jsonb), 1, now()
     from encode_plans p where p.job_id = $1
     on conflict (job_id, kind, number) do update set wanted_at = now(), chunk = excluded.chunk,
       failures = case when c.state = 'DONE' then 0 else c.failures end,
       state = case when c.state = 'DONE' then 'WAITING' else c.state end, result = null
     returning state, failures
   )
   select ${STATE_OF}, pg_notify('${SEGMENT_WANTED_CHANNEL}', '')::text from wanted`,
);

/** Has a segment encoded that is not stored; what was encoded before is gone. */
export async function wantSingle(
  db: Executor,
  jobId: string,
  number: number,
  single: SingleChunk,
): Promise<SegmentState> {
  return (await db.first<{ state: SegmentState }>(WANT, [jobId, number, JSON.stringify(single)]))?.state ?? 'gone';
}

const PROGRESS = sql(
  'rebuild_progress',
  `select count(*) filter (where kind = 'on-demand' and state = 'DONE' and chunk -> 'single' ->> 'folder' = $2)::int
       as encoded,
     coalesce(bool_or(kind = 'video'), false) as ordered
   from encode_chunks where job_id = $1`,
);

/** How many segments of a size were encoded for viewers, and whether the job encodes a whole size. */
export async function rebuildProgress(
  db: Executor,
  jobId: string,
  folder: string,
): Promise<{ readonly encoded: number; readonly ordered: boolean }> {
  const found = await db.first<{ encoded: number; ordered: boolean }>(PROGRESS, [jobId, folder]);
  return found ?? { encoded: 0, ordered: true };
}

const ORDER = sql(
  'order_whole_size',
  `with plan as (
     update encode_plans p set plan = jsonb_set(p.plan, '{only}', jsonb_build_array($2::text))
     where p.job_id = $1 and not exists (select from encode_chunks c where c.job_id = p.job_id and c.kind = 'video')
     returning p.job_id
   )
   insert into encode_chunks (job_id, kind, number, chunk, cost_ms)
   select p.job_id, c.chunk ->> 'kind', (c.chunk ->> 'number')::int, c.chunk, c.cost_ms
   from plan p, unnest($3::jsonb[], $4::int[]) as c (chunk, cost_ms)`,
);

/** Has a whole size encoded, unless the job encodes one already. */
export async function orderWholeSize(
  tx: Executor,
  jobId: string,
  folder: string,
  chunks: readonly EncodeChunk[],
  costsMs: readonly number[],
): Promise<void> {
  await tx.run(ORDER, [jobId, folder, chunks.map((chunk) => JSON.stringify(chunk)), costsMs]);
}

const OUTPUTS = sql(
  'outputs_of_rendition',
  'select init, outputs from rendition_outputs where video_asset_id = $1 and folder = $2',
);

/** What a rendition consists of. */
export function outputsOfRendition(
  db: Executor,
  videoAssetId: string,
  folder: string,
): Promise<{ readonly init: string; readonly outputs: readonly StoredOutput[] } | null> {
  return db.first(OUTPUTS, [videoAssetId, folder]);
}

const END = sql(
  'end_rebuild',
  `delete from transcode_jobs j using encode_plans p
   where j.id = $1 and p.job_id = j.id and p.folder is not null and j.status = 'TRANSCODING' returning j.id`,
);

/** Ends a job that encodes evicted sizes; false where it has ended. */
export async function endRebuild(tx: Executor, jobId: string): Promise<boolean> {
  return (await tx.first(END, [jobId])) !== null;
}

const DELETE = sql(
  'delete_rebuild',
  `delete from transcode_jobs where id = $1 and purpose = 'RENDITIONS' and status = 'TRANSCODING'`,
);

/** Deletes a job that encoded evicted sizes, whose plan was deleted. */
export async function deleteRebuild(tx: Executor, jobId: string): Promise<void> {
  await tx.run(DELETE, [jobId]);
}

const END_ALL = sql(
  'end_rebuilds_of_content',
  `delete from transcode_jobs j using encode_plans p
   where j.content_id = $1 and p.job_id = j.id and p.folder is not null
   returning j.content_id as "contentId", j.video_asset_id as "videoAssetId", p.folder`,
);

/** Ends the jobs that encode evicted sizes of the videos of a content; returns the packages. */
export function endRebuildsOf(tx: Executor, contentId: string): Promise<RebuiltPackage[]> {
  return tx.run(END_ALL, [contentId]);
}

const IDLE = sql(
  'idle_rebuilds',
  `select j.id as "jobId", j.content_id as "contentId", j.video_asset_id as "videoAssetId", p.folder
   from encode_plans p join transcode_jobs j on j.id = p.job_id
   where p.folder is not null and j.status = 'TRANSCODING' and p.created_at < $1::timestamptz
     and not exists (select from encode_chunks c where c.job_id = p.job_id
       and (c.kind = 'video' or c.wanted_at >= $1::timestamptz))`,
);

/** Jobs that encode single segments only, of which none was wanted since a time. */
export function idleRebuilds(db: Executor, since: string): Promise<(RebuiltPackage & { jobId: string })[]> {
  return db.run(IDLE, [since]);
}
