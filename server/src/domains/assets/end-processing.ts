import type { AppError } from '../../kernel/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { appendEvent } from '../../platform/events/event-log.store.ts';
import { reportJob } from './start-processing.ts';
import { type ClaimedJob, cancelTranscodeJob, completeTranscodeJob, type EndedJob, failTranscodeJob } from './transcode-jobs.store.ts';
import { markVideoReady, type PackagedFacts } from './video-assets.store.ts';

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
  const now = new Date(clock.now()).toISOString();
  return db.transaction(async (tx) => {
    const ended = await failTranscodeJob(tx, jobId, attempt, error, now);
    if (!ended) return null;
    const { contentId, channelId, videoAssetId } = ended;
    await reportJob(tx, jobId, contentId, channelId, 'ERROR');
    await appendEvent(tx, { type: 'asset.failed', channelId, subjectId: contentId, payload: { videoAssetId, jobId, code: error.code } });
    return ended;
  });
}

/** Ends the job of a content that was deleted meanwhile; does nothing for others. */
export async function cancelProcessing({ db, clock }: Tools, jobId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const ended = await cancelTranscodeJob(tx, jobId, new Date(clock.now()).toISOString());
    if (ended) await reportJob(tx, jobId, ended.contentId, ended.channelId, 'CANCELLED');
  });
}
