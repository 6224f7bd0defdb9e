import type { JobId } from '../../../kernel/ids.ts';
import { type StoredText, type Text, textOf } from '../../../kernel/languages/message.ts';
import type { AddedCodec } from '../../../media/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { errorTextOf, storedError } from '../../../platform/db/stored-text.ts';
import { refundCharges, refundCredits } from '../../assets/index.ts';
import { isProcessingJob } from './jobs.sql.ts';

/** States of a stored transcode job; the API has more. IDLE waits for its upload. */
export type TranscodeJobStatus = 'IDLE' | 'QUEUED' | 'TRANSCODING' | 'COMPLETE' | 'ERROR' | 'CANCELLED' | 'CANCELLING';

/**
 * What a job is for: an uploaded video; one that is processed again and played meanwhile as it was; more renditions of
 * one, which is not shown as a job; renditions that a member of the channel asked for; captions.
 */
export type JobPurpose = 'PROCESS' | 'REPEAT' | 'RENDITIONS' | 'ENHANCE' | 'CAPTIONS';

export interface TranscodeJob {
  readonly id: JobId;
  readonly contentId: string;
  readonly channelId: string;
  readonly videoAssetId: string | null;
  readonly status: TranscodeJobStatus;
}

const COLUMNS = `id, content_id as "contentId", channel_id as "channelId", video_asset_id as "videoAssetId", status,
  purpose`;

const INSERT = sql(
  'insert_transcode_job',
  `insert into transcode_jobs (id, channel_id, content_id, video_asset_id, status, created_at, purpose, priority)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
);

/** What a new job is for (default PROCESS), and its priority (default 0; background work has a lower one). */
export interface NewJobOptions {
  readonly purpose?: JobPurpose;
  readonly priority?: number;
}

export async function insertTranscodeJob(
  tx: Executor,
  { id, channelId, contentId, videoAssetId, status }: TranscodeJob,
  now: string,
  { purpose = 'PROCESS', priority = 0 }: NewJobOptions = {},
): Promise<void> {
  await tx.run(INSERT, [id, channelId, contentId, videoAssetId, status, now, purpose, priority]);
}

const NEWEST = sql(
  'newest_transcode_job',
  `select ${COLUMNS} from transcode_jobs j where content_id = $1 and ${isProcessingJob('j')}
   order by created_at desc, id desc limit 1`,
);

/** The latest job that processes a video of a content, in any state. */
export function newestTranscodeJob(
  tx: Executor,
  contentId: string,
): Promise<(TranscodeJob & { readonly purpose: JobPurpose }) | null> {
  return tx.first(NEWEST, [contentId]);
}

/** Whether a job waits for a worker, runs, or is being cancelled. */
export function isUnderWay({ status }: Pick<TranscodeJob, 'status'>): boolean {
  return status === 'QUEUED' || status === 'TRANSCODING' || status === 'CANCELLING';
}

const COMPLETED = sql(
  'video_was_processed',
  `select 1 from transcode_jobs j join video_assets v on v.id = j.video_asset_id
   where v.id = $1 and v.package_prefix is not null and j.status = 'COMPLETE'`,
);

/** Whether a video has been processed completely. */
export async function wasProcessed(tx: Executor, videoAssetId: string): Promise<boolean> {
  return (await tx.first(COMPLETED, [videoAssetId])) !== null;
}

const QUEUE = sql(
  'queue_transcode_job',
  `update transcode_jobs set status = 'QUEUED', video_asset_id = $2 where id = $1`,
);

/** Queues a job for a worker, with its video; null while the video is still to be fetched. */
export async function queueTranscodeJob(tx: Executor, jobId: string, videoAssetId: string | null): Promise<void> {
  await tx.run(QUEUE, [jobId, videoAssetId]);
}

const CLAIM = sql(
  'claim_transcode_job',
  `update transcode_jobs j set attempts = j.attempts + 1, status = $2, reserved_bytes = 0,
    started_at = coalesce(j.started_at, $3)
   from contents c
   where j.id = $1 and c.id = j.content_id and j.status in ('QUEUED', 'TRANSCODING') and c.deleted_at is null
     and (j.video_asset_id is null) = ($2 = 'QUEUED')
   returning j.id as "jobId", j.attempts as attempt, j.content_id as "contentId", j.channel_id as "channelId",
     j.video_asset_id as "videoAssetId", j.codec, j.purpose, j.decodes_whole as "decodesWhole"`,
);

/** A job as one worker holds it. `attempt` fences its writes: a later claim makes them ineffective. */
export interface ClaimedJob {
  readonly jobId: string;
  readonly attempt: number;
  readonly contentId: string;
  readonly channelId: string;
  readonly videoAssetId: string | null;
  /** That a complete video is encoded in beside H.264; null for other jobs. */
  readonly codec: AddedCodec | null;
  readonly purpose: JobPurpose;
  /** Whether the file is decoded whole before it is encoded. */
  readonly decodesWhole: boolean;
}

/**
 * Claims the job for a new attempt: QUEUED to fetch its file, which must still be missing; TRANSCODING to process it.
 * Null when it is finished, cancelled or in the other phase, or its content was deleted.
 */
export function claimTranscodeJob(
  tx: Executor,
  jobId: string,
  status: 'QUEUED' | 'TRANSCODING',
  now: string,
): Promise<ClaimedJob | null> {
  return tx.first<ClaimedJob>(CLAIM, [jobId, status, now]);
}

// The update sees the row as of its lock: a job that has just ended keeps its final state.
const REPORT = sql(
  'report_progress',
  `with held as (
     select j.id from transcode_jobs j join contents c on c.id = j.content_id
     where j.id = $1 and j.attempts = $2 and j.status in ('QUEUED', 'TRANSCODING') and c.deleted_at is null
   ),
   moved as (
     update transcode_jobs j set progress = $3 from held
     where j.id = held.id and j.attempts = $2 and j.status in ('QUEUED', 'TRANSCODING') and j.progress < $3)
   select 1 from held`,
);

/**
 * Writes the progress (0..100), which never falls; false when the job is no longer this attempt's or its content was
 * deleted.
 */
export async function reportProgress(db: Executor, jobId: string, attempt: number, progress: number): Promise<boolean> {
  return (await db.first(REPORT, [jobId, attempt, progress])) !== null;
}

const ATTACH = sql(
  'attach_source',
  `update transcode_jobs set video_asset_id = $3, reserved_bytes = 0
   where id = $1 and attempts = $2 and status = 'QUEUED' and video_asset_id is null returning id`,
);

/** Gives a job the file that was fetched for it; false when the job is no longer this attempt's. */
export async function attachSource(
  tx: Executor,
  jobId: string,
  attempt: number,
  videoAssetId: string,
): Promise<boolean> {
  return (await tx.first(ATTACH, [jobId, attempt, videoAssetId])) !== null;
}

const RELEASE = sql(
  'release_transcode_job',
  `update transcode_jobs set status = 'QUEUED', reserved_bytes = 0, decodes_whole = decodes_whole or $3
   where id = $1 and attempts = $2 and status = 'TRANSCODING' returning id`,
);

/**
 * Sets a job that will be retried to waiting; false when it is no longer this attempt's. `decodesWhole`: from now on,
 * its file is decoded whole before it is encoded.
 */
export async function releaseTranscodeJob(
  db: Executor,
  jobId: string,
  attempt: number,
  decodesWhole = false,
): Promise<boolean> {
  return (await db.first(RELEASE, [jobId, attempt, decodesWhole])) !== null;
}

const COMPLETE = sql(
  'complete_transcode_job',
  `update transcode_jobs set status = 'COMPLETE', progress = 100, deployed = true, finished_at = $3
   where id = $1 and attempts = $2 and status = 'TRANSCODING' returning id`,
);

/** Completes the job; false when it is no longer this attempt's: then the caller removes its results. */
export async function completeTranscodeJob(
  tx: Executor,
  jobId: string,
  attempt: number,
  now: string,
): Promise<boolean> {
  return (await tx.first(COMPLETE, [jobId, attempt, now])) !== null;
}

const FAIL = sql(
  'fail_transcode_job',
  `with failed as (
     update transcode_jobs set status = 'ERROR', error_code = $3, error_message = $4, error_text = $6,
       finished_at = $5
     where id = $1 and status in ('IDLE', 'QUEUED', 'TRANSCODING') and ($2::int is null or attempts = $2)
     returning id, content_id, channel_id, video_asset_id, attempts, purpose
   ),
   content as (
     update contents c set publish_when_ready = false, updated_at = $5, status = case
       when c.status <> 'PROCESSING' then c.status
       when exists (select 1 from video_assets v where v.content_id = c.id and v.ready_at is not null) then 'READY'
         else 'FAILED' end
     from failed where c.id = failed.content_id and failed.purpose = 'PROCESS'
   ),
   refunded as (${refundCharges('failed')}),
   refunded_credits as (${refundCredits('failed')})
   select content_id as "contentId", channel_id as "channelId", video_asset_id as "videoAssetId", attempts,
     purpose from failed`,
);

/** A job that has ended; `null` from the functions below means that it had already ended. */
export interface EndedJob {
  readonly contentId: string;
  readonly channelId: string;
  readonly videoAssetId: string | null;
  /** Number of attempts. */
  readonly attempts: number;
  readonly purpose: JobPurpose;
}

/**
 * Fails the job. With an attempt, only if the job is still that attempt's. The content falls back to READY when an
 * earlier video of it can be played.
 */
export function failTranscodeJob(
  tx: Executor,
  jobId: string,
  attempt: number | null,
  error: { readonly code: string; readonly text: Text },
  now: string,
): Promise<EndedJob | null> {
  const [english, message] = storedError(error.text);
  return tx.first<EndedJob>(FAIL, [jobId, attempt, error.code, english, now, message]);
}

/** A content whose processing was cancelled returns to its previous state, unless another job is processing it. */
export const BROKEN_OFF = `
  update contents c set publish_when_ready = false,
    status = case when exists (select 1 from video_assets v where v.content_id = c.id
      and v.ready_at is not null) then 'READY' else 'DRAFT' end
  from cancelled where c.id = cancelled.content_id and c.status = 'PROCESSING' and cancelled.status = 'CANCELLED'
    and not exists (select 1 from transcode_jobs o where o.content_id = c.id and o.id <> cancelled.id
      and o.purpose = 'PROCESS' and o.status in ('QUEUED', 'TRANSCODING'))`;

const CANCEL = sql(
  'cancel_transcode_job',
  `with cancelled as (
     update transcode_jobs j set status = 'CANCELLED', finished_at = $2
     from contents c where j.id = $1 and c.id = j.content_id
       and (j.status = 'CANCELLING' or (c.deleted_at is not null and j.status in ('IDLE', 'QUEUED', 'TRANSCODING')))
     returning j.id, j.status, j.content_id, j.channel_id, j.video_asset_id, j.attempts, j.purpose
   ),
   content as (${BROKEN_OFF}),
   refunded as (${refundCharges('cancelled')}),
   refunded_credits as (${refundCredits('cancelled')})
   select content_id as "contentId", channel_id as "channelId", video_asset_id as "videoAssetId", attempts,
     purpose from cancelled`,
);

/** Ends a job that is to be cancelled, or whose content was deleted. */
export function cancelTranscodeJob(tx: Executor, jobId: string, now: string): Promise<EndedJob | null> {
  return tx.first<EndedJob>(CANCEL, [jobId, now]);
}

const STATES = sql(
  'transcode_job_states',
  `select j.id, j.status, j.progress, ${errorTextOf('j')} as error,
          j.status in ('COMPLETE', 'ERROR', 'CANCELLED') and not (c.publish_when_ready
            and c.status = 'READY') as settled
   from transcode_jobs j join contents c on c.id = j.content_id where j.id = any($1::uuid[])`,
);

/** The state of a job for waiting callers. */
export interface JobState {
  readonly id: string;
  readonly status: TranscodeJobStatus;
  readonly progress: number;
  readonly error: Text | null;
  /** Ended, and published if requested. */
  readonly settled: boolean;
}

export async function transcodeJobStates(db: Executor, jobIds: readonly string[]): Promise<JobState[]> {
  const states = await db.run<Omit<JobState, 'error'> & { readonly error: StoredText | null }>(STATES, [jobIds]);
  return states.map((state) => ({ ...state, error: state.error && textOf(state.error) }));
}
