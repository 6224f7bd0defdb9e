import { AppError } from '../../../kernel/errors.ts';
import { type ContentId, type JobId, newId } from '../../../kernel/ids.ts';
import type { EncodePlan } from '../../../media/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Executor, Transaction } from '../../../platform/db/database.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import { packagePrefix } from '../delivery/media-address.ts';
import { dropEncoding } from '../encoding/drop-encoding.ts';
import { encodedVideo } from '../encoding/outputs.store.ts';
import { requireOriginal } from '../originals/require-original.ts';
import { processVideoJob } from '../processing/process-video.job.ts';
import { reportJob } from '../processing/start-processing.ts';
import { lockContentOfVideo, newestVideoAsset } from '../processing/video-assets.store.ts';
import { orderObjectPurge } from '../quota/object-purges.store.ts';
import { deleteUpmix, insertUpmix, UPMIX_PRIORITY, type Upmix, upmixesOfContent } from './upmixes.store.ts';

interface Tools {
  readonly jobs: Pick<Jobs, 'send'>;
  readonly clock: Clock;
}

/** Players may still use what is removed. */
const REMOVED_MS = 86_400_000;

/**
 * Has the newest video of a content upmixed, in the caller's transaction; it is played as before meanwhile. Idempotent:
 * returns the job that waits, runs or has upmixed it, unless it is to be done again.
 * @throws AppError INVALID_INPUT naming `field` where there is nothing to upmix, with the reason.
 */
export async function startUpmix(
  tools: Tools,
  tx: Transaction,
  { contentId, again, field }: { readonly contentId: ContentId; readonly again: boolean; readonly field: string },
): Promise<JobId> {
  const content = await lockContentOfVideo(tx, contentId);
  if (!content) throw notProcessed(field);
  const { videoAssetId } = await requireUpmixable(tx, contentId, field);
  const present = (await upmixesOfContent(tx, contentId)).find((each) => each.videoAssetId === videoAssetId);
  if (present && (isUnderWay(present) || (present.status === 'COMPLETE' && !again))) return present.jobId as JobId;
  if (present?.status === 'COMPLETE') await remove(tools, tx, contentId, present);
  return order(tools, tx, { contentId, videoAssetId, channelId: content.channelId });
}

/**
 * Removes the upmix of a content; false where there is none. The original stays as it is.
 * @throws AppError INVALID_INPUT naming `field` while it is being made.
 */
export async function removeUpmix(
  tools: Tools,
  tx: Transaction,
  { contentId, field }: { readonly contentId: ContentId; readonly field: string },
): Promise<boolean> {
  const content = await lockContentOfVideo(tx, contentId);
  const present = await upmixesOfContent(tx, contentId);
  if (!content || present.length === 0) return false;
  if (present.some(isUnderWay))
    throw new AppError('INVALID_INPUT', 'The upmix is still being made.', {
      field,
      suggestedFix: 'Cancel its job with cancelJob, or wait until it has ended.',
    });
  for (const upmix of present) await remove(tools, tx, contentId, upmix);
  await appendEvent(tx, {
    ...{ type: 'content.updated', channelId: content.channelId },
    ...{ subjectId: contentId, payload: {} },
  });
  return true;
}

/**
 * Removes the upmixes of a content whose package is replaced. That of this video is made again from the file as it is
 * now, unless it had failed or was cancelled. The caller has locked the content.
 */
export async function renewUpmix(
  tools: Tools,
  tx: Transaction,
  { contentId, videoAssetId }: { readonly contentId: string; readonly videoAssetId: string },
): Promise<void> {
  for (const upmix of await upmixesOfContent(tx, contentId)) {
    const isWanted = upmix.videoAssetId === videoAssetId && (isUnderWay(upmix) || upmix.status === 'COMPLETE');
    await remove(tools, tx, contentId, upmix);
    if (isWanted) await order(tools, tx, { contentId, videoAssetId, channelId: upmix.channelId });
  }
}

/** The newest video of a content, and how it was encoded, if it can be upmixed. */
export async function requireUpmixable(
  db: Executor,
  contentId: string,
  field: string,
): Promise<{ readonly videoAssetId: string; readonly plan: Omit<EncodePlan, 'chunks'> }> {
  const videoAssetId = await newestVideoAsset(db, contentId);
  if (videoAssetId !== null) await requireOriginal(db, videoAssetId, field);
  const encoded = videoAssetId === null ? null : await encodedVideo(db, videoAssetId);
  if (videoAssetId === null || encoded === null) throw notProcessed(field);
  const { audio } = encoded.plan.facts;
  if (audio === null)
    throw new AppError('INVALID_INPUT', 'This video has no sound.', {
      field,
      suggestedFix: 'Upload a video with a track in mono or stereo.',
    });
  if (audio.channels > 2)
    throw new AppError('INVALID_INPUT', `The sound of this video has ${audio.channels} channels already.`, {
      field,
      suggestedFix: 'Only mono and stereo are upmixed; sound in 5.1 is offered as it is.',
    });
  return { videoAssetId, plan: encoded.plan };
}

function notProcessed(field: string): AppError {
  return new AppError('INVALID_INPUT', 'This content has no processed video.', {
    field,
    suggestedFix: 'Wait until waitForProcessing returns COMPLETE, or call submitContentForProcessing with again: true.',
  });
}

function isUnderWay({ status }: Upmix): boolean {
  return status === 'QUEUED' || status === 'TRANSCODING' || status === 'CANCELLING';
}

interface Ordered {
  readonly contentId: string;
  readonly videoAssetId: string;
  readonly channelId: string;
}

async function order({ jobs, clock }: Tools, tx: Transaction, ordered: Ordered): Promise<JobId> {
  const { contentId, videoAssetId, channelId } = ordered;
  const jobId = newId<'job'>();
  await insertUpmix(tx, jobId, videoAssetId, new Date(clock.now()).toISOString());
  await jobs.send(tx, processVideoJob, { jobId }, { priority: UPMIX_PRIORITY });
  await reportJob(tx, jobId, contentId, channelId, 'QUEUED');
  return jobId;
}

async function remove(
  { clock }: Pick<Tools, 'clock'>,
  tx: Transaction,
  contentId: string,
  upmix: Upmix,
): Promise<void> {
  const { jobId, videoAssetId, channelId, attempts } = upmix;
  const nowMs = clock.now();
  await deleteUpmix(tx, jobId, new Date(nowMs).toISOString());
  await dropEncoding(tx, { jobId, contentId, videoAssetId, status: 'DRAFT' }, nowMs);
  for (let attempt = 1; attempt <= attempts; attempt += 1)
    await orderObjectPurge(tx, packagePrefix(contentId, videoAssetId, jobId, attempt), nowMs + REMOVED_MS);
  if (isUnderWay(upmix)) await reportJob(tx, jobId, contentId, channelId, 'CANCELLED');
}
