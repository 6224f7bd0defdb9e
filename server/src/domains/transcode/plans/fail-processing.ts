import type { AppError } from '../../../kernel/errors.ts';
import { sentences, type Text, t } from '../../../kernel/languages/message.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import { giveUpOriginal, lockContentOfVideo } from '../../assets/index.ts';
import { reportJob } from '../jobs/start-processing.ts';
import {
  cancelTranscodeJob,
  type EndedJob,
  failTranscodeJob,
  newestTranscodeJob,
} from '../jobs/transcode-jobs.store.ts';
import { dropEncoding } from './drop-encoding.ts';

interface Tools {
  readonly db: Database;
  readonly clock: Clock;
}

/**
 * Fails a job with a message for the uploader; null when it had already ended. With `attempt`, only when the job is
 * still that attempt's.
 */
export function failProcessing(
  { db, clock }: Tools,
  jobId: string,
  attempt: number | null,
  reason: AppError,
): Promise<EndedJob | null> {
  const error = { code: reason.code, text: sentences(reason.text, reason.fix) };
  return db.transaction((tx) => fail(clock, tx, jobId, attempt, error));
}

/**
 * Ends the job of a content that waits (IDLE) for a failed upload, in the transaction that ends the upload. The content
 * stays a draft, for which another upload can be opened.
 */
export async function failAwaitingProcessing(
  { clock }: Pick<Tools, 'clock'>,
  tx: Transaction,
  contentId: string,
  upload: { readonly code: string; readonly text: Text },
): Promise<void> {
  const content = await lockContentOfVideo(tx, contentId);
  const job = await newestTranscodeJob(tx, contentId);
  if (job?.status !== 'IDLE') return;
  const fix =
    content?.status === 'PUBLISHED'
      ? t`The video is as it was. To replace it, call replaceContentVideo again.`
      : t`To continue, open another upload with createContentAsset, send the file, and call
        submitContentForProcessing.`;
  await fail(clock, tx, job.id, null, { code: upload.code, text: sentences(upload.text, fix) });
}

async function fail(
  clock: Clock,
  tx: Transaction,
  jobId: string,
  attempt: number | null,
  error: { readonly code: string; readonly text: Text },
): Promise<EndedJob | null> {
  const ended = await failTranscodeJob(tx, jobId, attempt, error, new Date(clock.now()).toISOString());
  if (!ended) return null;
  const { contentId, channelId, videoAssetId, purpose } = ended;
  await dropEncoding(tx, { jobId, contentId, videoAssetId, status: 'FAILED' }, clock.now());
  if (purpose !== 'RENDITIONS') await reportJob(tx, jobId, contentId, channelId, 'ERROR');
  if (purpose !== 'PROCESS') {
    // The video is played as before.
    if (purpose !== 'REPEAT' && videoAssetId !== null)
      await giveUpOriginal(tx, { contentId, videoAssetId }, clock.now());
    return ended;
  }
  await appendEvent(tx, {
    type: 'asset.failed',
    channelId,
    subjectId: contentId,
    payload: { videoAssetId, jobId, code: error.code },
  });
  return ended;
}

/** Ends a job that was cancelled, or whose content was deleted; does nothing and returns null for others. */
export function cancelProcessing({ db, clock }: Tools, jobId: string): Promise<EndedJob | null> {
  return db.transaction(async (tx) => {
    const ended = await cancelTranscodeJob(tx, jobId, new Date(clock.now()).toISOString());
    if (!ended) return null;
    await dropEncoding(tx, { jobId, ...ended, status: 'DRAFT' }, clock.now());
    const { contentId, channelId, purpose } = ended;
    if (purpose !== 'RENDITIONS') await reportJob(tx, jobId, contentId, channelId, 'CANCELLED');
    return ended;
  });
}
