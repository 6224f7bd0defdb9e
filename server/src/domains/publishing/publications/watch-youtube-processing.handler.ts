import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { SiteProcessing } from '../site/site-uploads.ts';
import { lookAgainSeconds, SENT_PERCENT } from '../site/upload-steps.ts';
import { completePublication, failPublication, type PublishTools } from './end-publication.ts';
import { countLook, type SentPublication, sentPublication } from './publish-jobs.store.ts';
import { watchYouTubeProcessingJob } from './publish-to-youtube.job.ts';

const QUOTA_PAUSE_SECONDS = 3_600;
/** Maximum processing time on the site. */
const LONGEST_PROCESSING_MS = 86_400_000;

/**
 * Checks the processing of an uploaded file once, and schedules the next check. No worker is held between checks. A
 * check that was scheduled twice runs once.
 */
export async function watchYouTubeProcessing(
  tools: PublishTools,
  { jobId, look }: { readonly jobId: string; readonly look: number },
  signal: AbortSignal,
): Promise<void> {
  const sent = await sentPublication(tools.platform.db, jobId, look);
  if (!sent) return;
  const found = await lookAt(tools, sent, signal);
  const ageMs = tools.platform.clock.now() - Date.parse(sent.sentAt);
  if (found.kind === 'processing' || found.kind === 'quota') return lookAgain(tools, { jobId, look, ageMs }, found);
  if (found.kind === 'processed') {
    const now = new Date(tools.platform.clock.now()).toISOString();
    await tools.platform.db.transaction((tx) => completePublication(tx, jobId, now));
  } else await failPublication(tools.platform, jobId, { phase: 'PROCESSING' }, refused(found));
}

type Found = SiteProcessing | { readonly kind: 'quota'; readonly afterSeconds: number };

/** Permanent failures end the job when the queue gives up; an exhausted quota only delays it. */
async function lookAt(
  tools: PublishTools,
  { accountId, videoId }: SentPublication,
  signal: AbortSignal,
): Promise<Found> {
  try {
    return await tools.uploads.processing(await tools.access(accountId), videoId, signal);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'RATE_LIMIT_EXCEEDED') throw error;
    return { kind: 'quota', afterSeconds: error.retryAfterSeconds ?? QUOTA_PAUSE_SECONDS };
  }
}

async function lookAgain(
  { platform }: PublishTools,
  { jobId, look, ageMs }: { readonly jobId: string; readonly look: number; readonly ageMs: number },
  found: Found & { readonly kind: 'processing' | 'quota' },
): Promise<void> {
  if (ageMs > LONGEST_PROCESSING_MS) {
    const reason = new AppError('UPLOAD_FAILED', t`YouTube has not finished with the video after a day.`, {
      suggestedFix: t`Check the video on YouTube; it may still become ready. If not, delete it there and publish it
        again.`,
    });
    return failPublication(platform, jobId, { phase: 'PROCESSING' }, reason);
  }
  const percent =
    found.kind === 'processing' ? SENT_PERCENT + Math.floor(((found.percent ?? 0) / 100) * (99 - SENT_PERCENT)) : 0;
  const startAfterSeconds = found.kind === 'quota' ? found.afterSeconds : lookAgainSeconds(ageMs);
  await platform.db.transaction(async (tx) => {
    if (await countLook(tx, jobId, look, percent, new Date(platform.clock.now()).toISOString()))
      await platform.jobs.send(tx, watchYouTubeProcessingJob, { jobId, look: look + 1 }, { startAfterSeconds });
  });
}

function refused(found: SiteProcessing & { readonly kind: 'failed' | 'gone' }): AppError {
  if (found.kind === 'gone') {
    return new AppError('RESOURCE_NOT_FOUND', t`The video was deleted on YouTube before it was ready.`, {
      suggestedFix: t`Call publishContentToYouTube again to upload it again.`,
    });
  }
  return new AppError('UPLOAD_FAILED', found.reason, {
    suggestedFix: t`Check the video in YouTube Studio; delete it there before you publish it again.`,
  });
}
