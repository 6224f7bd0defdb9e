import { AppError } from '../../../kernel/errors.ts';
import { type ContentId, type JobId, newId, type VideoAssetId } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import {
  lockContentOfVideo,
  markContentProcessing,
  newestVideoAsset,
  requireOriginal,
  setContentLayout,
} from '../../assets/index.ts';
import { makePlayableJob } from './make-playable.job.ts';
import { processVideoJob } from './process-video.job.ts';
import {
  insertTranscodeJob,
  type JobPurpose,
  newestTranscodeJob,
  queueTranscodeJob,
  type TranscodeJob,
  wasProcessed,
} from './transcode-jobs.store.ts';

export interface ProcessingTools {
  readonly jobs: Pick<Jobs, 'send'>;
  readonly clock: Clock;
}

export interface ProcessingRequest {
  readonly contentId: ContentId;
  /** Defaults to the last uploaded video. */
  readonly videoAssetId?: VideoAssetId;
  /** A ContentLayout; null or absent keeps it. */
  readonly layout?: string | null;
  /** Whether a video that was processed completely is processed again. */
  readonly again?: boolean;
  /** Of a job that is started; default 0, lower for background work. */
  readonly priority?: number;
  /** The caller's argument name for the content, for errors; default `id`. */
  readonly field?: string;
}

/** The transcode job, and whether this call started it. */
export interface StartedProcessing {
  readonly jobId: JobId;
  readonly started: boolean;
}

/**
 * Starts processing in the caller's transaction. Idempotent: returns the existing job while it waits or runs, and after
 * it made this video playable, unless it is to be processed again. Such a video is played as it is until it has been;
 * then its package is replaced. The caller checks ownership and lifecycle.
 * @throws AppError RESOURCE_NOT_FOUND for a missing content, INVALID_INPUT without an uploaded video or its original.
 */
export async function startProcessing(
  tools: ProcessingTools,
  tx: Transaction,
  request: ProcessingRequest,
): Promise<StartedProcessing> {
  const { contentId, field = 'id', again = false, priority = 0 } = request;
  const now = new Date(tools.clock.now()).toISOString();
  const content = await lockContentOfVideo(tx, contentId);
  if (!content) throw new AppError('RESOURCE_NOT_FOUND', undefined, { field });
  const newest = await newestTranscodeJob(tx, contentId);
  const videoAssetId = request.videoAssetId ?? (await newestVideoAsset(tx, contentId));
  if (newest && (isUnderWay(newest) || (!again && isOver(newest, videoAssetId))))
    return { jobId: newest.id, started: false };
  if (!videoAssetId) {
    throw new AppError('INVALID_INPUT', t`This content has no finished video upload.`, {
      field,
      suggestedFix: t`Send all bytes to the endpoint that createContentAsset or publishVideo returned, then repeat the
        call.`,
    });
  }
  await requireOriginal(tx, videoAssetId, field);
  const jobId = newest?.status === 'IDLE' ? newest.id : newId<'job'>();
  const purpose = (await wasProcessed(tx, videoAssetId)) ? 'REPEAT' : 'PROCESS';
  const { channelId } = content;
  if (newest?.status === 'IDLE') await queueTranscodeJob(tx, jobId, videoAssetId);
  else
    await insertTranscodeJob(tx, { id: jobId, contentId, channelId, videoAssetId, status: 'QUEUED' }, now, {
      ...{ purpose, priority },
    });
  const layout = request.layout ?? null;
  if (purpose === 'REPEAT' && layout !== null) await setContentLayout(tx, contentId, layout, now);
  if (purpose === 'PROCESS') {
    await markContentProcessing(tx, contentId, layout, now);
    await tools.jobs.send(tx, makePlayableJob, { videoAssetId });
  }
  await tools.jobs.send(tx, processVideoJob, { jobId }, { priority });
  await reportJob(tx, jobId, contentId, channelId, 'QUEUED');
  return { jobId, started: true };
}

/** Waiting or running. */
function isUnderWay({ status }: TranscodeJob): boolean {
  return status === 'QUEUED' || status === 'TRANSCODING';
}

/** Already done with this video: processed it, or ended without replacing what it had been processed to. */
function isOver(job: TranscodeJob & { readonly purpose: JobPurpose }, videoAssetId: string | null): boolean {
  return job.videoAssetId === videoAssetId && (job.status === 'COMPLETE' || job.purpose === 'REPEAT');
}

/** A job that waits (IDLE) for an upload that was opened in the same transaction; `startProcessing` takes it up. */
export async function openProcessing(
  tools: Pick<ProcessingTools, 'clock'>,
  tx: Transaction,
  content: { contentId: ContentId; channelId: string },
): Promise<JobId> {
  const jobId = newId<'job'>();
  const now = new Date(tools.clock.now()).toISOString();
  await insertTranscodeJob(tx, { id: jobId, ...content, videoAssetId: null, status: 'IDLE' }, now);
  return jobId;
}

/** Writes `job.updated`. */
export async function reportJob(
  tx: Transaction,
  jobId: string,
  contentId: string,
  channelId: string,
  status: TranscodeJob['status'],
): Promise<void> {
  await appendEvent(tx, { type: 'job.updated', channelId, subjectId: jobId, payload: { contentId, status } });
}
