import type { AppError } from '../../kernel/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Transaction } from '../../platform/db/database.ts';
import { appendEvent } from '../../platform/events/event-log.store.ts';
import { reportJob } from './start-processing.ts';
import {
  type ClaimedJob,
  cancelTranscodeJob,
  completeTranscodeJob,
  type EndedJob,
  failTranscodeJob,
  newestTranscodeJob,
} from './transcode-jobs.store.ts';
import { lockContentOfVideo, markVideoReady, type PackagedFacts } from './video-assets.store.ts';

interface Tools {
  readonly db: Database;
  readonly clock: Clock;
}

/** Makes the video playable: facts, states and events in one transaction. False when the job is no longer this attempt's. */
export function completeProcessing(
  { db, clock }: Tools,
  claimed: ClaimedJob & { videoAssetId: string },
  facts: PackagedFacts,
): Promise<boolean> {
  const { jobId, attempt, contentId, channelId, videoAssetId } = claimed;
  const now = new Date(clock.now()).toISOString();
  return db.transaction(async (tx) => {
    if (!(await completeTranscodeJob(tx, jobId, attempt, now))) return false;
    await markVideoReady(tx, videoAssetId, facts, now);
    await reportJob(tx, jobId, contentId, channelId, 'COMPLETE');
    await appendEvent(tx, { type: 'asset.ready', channelId, subjectId: contentId, payload: { videoAssetId, jobId } });
    return true;
  });
}

/** Ends a job with a sentence for the uploader; null when it had ended before. With `attempt`, only when the job is still that attempt's. */
export function failProcessing({ db, clock }: Tools, jobId: string, attempt: number | null, reason: AppError): Promise<EndedJob | null> {
  const error = { code: reason.code, message: `${reason.message} ${reason.suggestedFix}` };
  return db.transaction((tx) => fail(clock, tx, jobId, attempt, error));
}

/**
 * Ends the job of a content that waits (IDLE) for an upload which has failed, in the transaction that ends the upload. The content
 * stays the draft it is: another upload can be opened for it.
 */
export async function failAwaitingProcessing(
  { clock }: Pick<Tools, 'clock'>,
  tx: Transaction,
  contentId: string,
  upload: { readonly code: string; readonly message: string },
): Promise<void> {
  await lockContentOfVideo(tx, contentId);
  const job = await newestTranscodeJob(tx, contentId);
  if (job?.status !== 'IDLE') return;
  const message = `${upload.message} To go on, open another upload with createContentAsset, send the file, and call submitContentForProcessing.`;
  await fail(clock, tx, job.id, null, { code: upload.code, message });
}

async function fail(
  clock: Clock,
  tx: Transaction,
  jobId: string,
  attempt: number | null,
  error: { readonly code: string; readonly message: string },
): Promise<EndedJob | null> {
  const ended = await failTranscodeJob(tx, jobId, attempt, error, new Date(clock.now()).toISOString());
  if (!ended) return null;
  const { contentId, channelId, videoAssetId } = ended;
  await reportJob(tx, jobId, contentId, channelId, 'ERROR');
  await appendEvent(tx, { type: 'asset.failed', channelId, subjectId: contentId, payload: { videoAssetId, jobId, code: error.code } });
  return ended;
}

/** Ends the job of a content that was deleted meanwhile; does nothing for others. */
export async function cancelProcessing({ db, clock }: Tools, jobId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const ended = await cancelTranscodeJob(tx, jobId, new Date(clock.now()).toISOString());
    if (ended) await reportJob(tx, jobId, ended.contentId, ended.channelId, 'CANCELLED');
  });
}
