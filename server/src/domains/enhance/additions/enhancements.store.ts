import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import type { TranscodeJobStatus } from '../../transcode/index.ts';

/** Kinds of enhancement: the main track upmixed, or the pictures upscaled. */
export type EnhancementKind = 'UPMIX' | 'UPSCALE';

const INSERT = sql(
  'insert_enhancement',
  `with job as (
     insert into transcode_jobs (id, channel_id, content_id, video_asset_id, status, created_at, purpose, enhancement,
       plan_cost_ms, encode_cost_ms)
     select $1, v.channel_id, v.content_id, v.id, 'QUEUED', $3, 'ENHANCE', $4, $6, $7
     from video_assets v where v.id = $2
     returning id
   )
   insert into enhancements (video_asset_id, kind, job_id, input) select $2, $4, id, $5 from job
   on conflict (video_asset_id, kind) do update
     set job_id = excluded.job_id, input = excluded.input, receipt = null, folder = null, stored_bytes = null,
       stored_files = null`,
);

/** CPU time that is estimated for an enhancement, in ms: before its first chunk, and for its chunks. */
export interface EnhancementCosts {
  readonly planMs: number;
  readonly encodeMs: number;
}

/** An enhancement that is ordered. */
export interface NewEnhancement extends Pick<Enhancement, 'videoAssetId' | 'kind' | 'input'> {
  /** Null where they are not known before it is planned. */
  readonly costs: EnhancementCosts | null;
}

/** Inserts a job that enhances a video, in place of one that ended without a result. */
export async function insertEnhancement(
  tx: Executor,
  jobId: string,
  { videoAssetId, kind, input, costs }: NewEnhancement,
  now: string,
): Promise<void> {
  const { planMs = null, encodeMs = null } = costs ?? {};
  await tx.run(INSERT, [jobId, videoAssetId, now, kind, JSON.stringify(input), planMs, encodeMs]);
}

/** An enhancement of a video, with the state of its job. */
export interface Enhancement {
  readonly videoAssetId: string;
  readonly kind: EnhancementKind;
  /** What was asked for. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly jobId: string;
  readonly channelId: string;
  readonly status: TranscodeJobStatus;
  /** Of its job: each has a package of its own. */
  readonly attempts: number;
}

const OF_CONTENT = sql(
  'enhancements_of_content',
  `select e.video_asset_id as "videoAssetId", e.kind, e.input, e.job_id as "jobId", j.channel_id as "channelId",
     j.status, j.attempts
   from enhancements e join transcode_jobs j on j.id = e.job_id where j.content_id = $1 for update of j`,
);

/** The enhancements of the videos of a content, locked until the transaction ends. */
export function enhancementsOfContent(tx: Executor, contentId: string): Promise<Enhancement[]> {
  return tx.run(OF_CONTENT, [contentId]);
}

const OF_JOB = sql('enhancement_of_job', 'select kind, input from enhancements where job_id = $1');

/** What a job is to make; null where it was removed. */
export function enhancementOfJob(db: Executor, jobId: string): Promise<Pick<Enhancement, 'kind' | 'input'> | null> {
  return db.first(OF_JOB, [jobId]);
}

/** What is stored of an enhancement. */
export interface StoredEnhancement {
  readonly folder: string;
  readonly bytes: number;
  readonly files: number;
}

const COMPLETE = sql(
  'complete_enhancement',
  'update enhancements set receipt = $2, folder = $3, stored_bytes = $4, stored_files = $5 where job_id = $1',
);

/** Writes what a job made and how it was decided; nothing is stored where nothing was gained. */
export async function completeEnhancement(
  tx: Executor,
  jobId: string,
  receipt: object,
  stored: StoredEnhancement | null,
): Promise<void> {
  const { folder = null, bytes = null, files = null } = stored ?? {};
  await tx.run(COMPLETE, [jobId, JSON.stringify(receipt), folder, bytes, files]);
}

const DELETE = sql(
  'delete_enhancement',
  `with gone as (
     delete from enhancements where job_id = $1 returning video_asset_id, folder, stored_bytes, stored_files
   ),
   job as (
     update transcode_jobs j set deployed = false, finished_at = coalesce(j.finished_at, $2),
       status = case when j.status in ('IDLE', 'QUEUED', 'TRANSCODING', 'CANCELLING') then 'CANCELLED' else j.status end
     where j.id = $1
   ),
   refunded as (
     delete from generation_charges g using transcode_jobs j
     where g.job_id = $1 and j.id = g.job_id and j.status in ('IDLE', 'QUEUED', 'TRANSCODING', 'CANCELLING')
   ),
   streams as (
     delete from renditions r using gone where r.video_asset_id = gone.video_asset_id
       and starts_with(r.folder, gone.folder || '/')
   )
   update video_assets v set derived_bytes = v.derived_bytes - gone.stored_bytes,
     derived_files = v.derived_files - gone.stored_files
   from gone where v.id = gone.video_asset_id and gone.folder is not null`,
);

/**
 * Removes an enhancement with its renditions, and cancels its job where that has not ended, which refunds its credits.
 * Its files stay.
 */
export async function deleteEnhancement(tx: Executor, jobId: string, now: string): Promise<void> {
  await tx.run(DELETE, [jobId, now]);
}
