import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import type { TranscodeJobStatus } from '../processing/transcode-jobs.store.ts';
import type { UpmixReceipt } from './upmix-receipt.ts';

/** Of jobs that upmix: every chunk of other jobs is encoded first. */
export const UPMIX_PRIORITY = -1;

const INSERT = sql(
  'insert_upmix',
  `with job as (
     insert into transcode_jobs (id, channel_id, content_id, video_asset_id, status, created_at, purpose, priority)
     select $1, v.channel_id, v.content_id, v.id, 'QUEUED', $3, 'ENHANCE', ${UPMIX_PRIORITY}
     from video_assets v where v.id = $2
     returning id
   )
   insert into upmixes (video_asset_id, job_id) select $2, id from job
   on conflict (video_asset_id) do update
     set job_id = excluded.job_id, receipt = null, folder = null, stored_bytes = null, stored_files = null`,
);

/** Inserts a job that upmixes a video, in place of one that ended without a result. */
export async function insertUpmix(tx: Executor, jobId: string, videoAssetId: string, now: string): Promise<void> {
  await tx.run(INSERT, [jobId, videoAssetId, now]);
}

/** An upmix of a video, with the state of its job. */
export interface Upmix {
  readonly videoAssetId: string;
  readonly jobId: string;
  readonly channelId: string;
  readonly status: TranscodeJobStatus;
  /** Of its job: each has a package of its own. */
  readonly attempts: number;
}

const OF_CONTENT = sql(
  'upmixes_of_content',
  `select u.video_asset_id as "videoAssetId", u.job_id as "jobId", j.channel_id as "channelId", j.status, j.attempts
   from upmixes u join transcode_jobs j on j.id = u.job_id where j.content_id = $1 for update of j`,
);

/** The upmixes of the videos of a content, locked until the transaction ends. */
export function upmixesOfContent(tx: Executor, contentId: string): Promise<Upmix[]> {
  return tx.run(OF_CONTENT, [contentId]);
}

/** What is stored of an upmix. */
export interface StoredUpmix {
  readonly folder: string;
  readonly bytes: number;
  readonly files: number;
}

const COMPLETE = sql(
  'complete_upmix',
  'update upmixes set receipt = $2, folder = $3, stored_bytes = $4, stored_files = $5 where job_id = $1',
);

/** Stores what a job made. */
export async function completeUpmix(
  tx: Executor,
  jobId: string,
  receipt: UpmixReceipt,
  { folder, bytes, files }: StoredUpmix,
): Promise<void> {
  await tx.run(COMPLETE, [jobId, JSON.stringify(receipt), folder, bytes, files]);
}

const DELETE = sql(
  'delete_upmix',
  `with gone as (
     delete from upmixes where job_id = $1 returning video_asset_id, folder, stored_bytes, stored_files
   ),
   job as (
     update transcode_jobs j set deployed = false, finished_at = coalesce(j.finished_at, $2),
       status = case when j.status in ('IDLE', 'QUEUED', 'TRANSCODING', 'CANCELLING') then 'CANCELLED' else j.status end
     where j.id = $1
   ),
   streams as (
     delete from renditions r using gone where r.video_asset_id = gone.video_asset_id
       and starts_with(r.folder, gone.folder || '/')
   )
   update video_assets v set derived_bytes = v.derived_bytes - gone.stored_bytes,
     derived_files = v.derived_files - gone.stored_files
   from gone where v.id = gone.video_asset_id and gone.folder is not null`,
);

/** Removes an upmix with its renditions, and cancels its job where that has not ended. Its files stay. */
export async function deleteUpmix(tx: Executor, jobId: string, now: string): Promise<void> {
  await tx.run(DELETE, [jobId, now]);
}
