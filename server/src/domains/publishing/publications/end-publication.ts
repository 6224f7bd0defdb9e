import type { AppError } from '../../../kernel/errors.ts';
import { sentences } from '../../../kernel/languages/message.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { SiteAccess } from '../site/external-site.ts';
import { siteVideoUrl } from '../site/site-addresses.ts';
import type { SiteUploads } from '../site/site-uploads.ts';
import { completePublishJob, failPublishJob } from './publish-jobs.store.ts';

/** Tools of the worker side of publishing. */
export interface PublishTools {
  readonly platform: Pick<Platform, 'clock' | 'log' | 'db' | 'store' | 'jobs' | 'secrets'>;
  readonly uploads: SiteUploads;
  /** Access to an account's channel on the site. Throws UNAUTHORIZED without a valid connection. */
  access(accountId: string): Promise<SiteAccess>;
  /** The first delay after a failed request; a second by default. */
  readonly missMs?: number;
}

/** Completes a job, with its event; does nothing when it has already ended. */
export async function completePublication(tx: Transaction, jobId: string, now: string): Promise<void> {
  const ended = await completePublishJob(tx, jobId, now);
  if (!ended?.videoId) return;
  const { contentId, channelId, videoId } = ended;
  const payload = { contentId, youtubeVideoId: videoId, youtubeUrl: siteVideoUrl(videoId) };
  await appendEvent(tx, { type: 'youtube_publish.completed', channelId, subjectId: jobId, payload });
}

/**
 * The phase that fails: upload or processing on the site. With `attempt`, only while the job is still that attempt's.
 */
export interface FailedHalf {
  readonly phase: 'SENDING' | 'PROCESSING';
  readonly attempt?: number;
}

/** Fails a job with a message for the requester, with its event; does nothing when it is no longer in this phase. */
export async function failPublication(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  jobId: string,
  half: FailedHalf,
  reason: AppError,
): Promise<void> {
  const error = { code: reason.code, text: sentences(reason.text, reason.fix) };
  await db.transaction(async (tx) => {
    const ended = await failPublishJob(tx, jobId, half, error, new Date(clock.now()).toISOString());
    if (!ended) return;
    const payload = { contentId: ended.contentId, code: error.code, message: String(error.text) };
    await appendEvent(tx, { type: 'youtube_publish.failed', channelId: ended.channelId, subjectId: jobId, payload });
  });
}
