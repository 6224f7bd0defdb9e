import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, ERROR_CATALOGUE } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { JobRun } from '../../../platform/jobs/job.ts';
import { watchProgress } from '../../assets/index.ts';
import { readMedia } from '../../delivery/index.ts';
import type { SiteAccess } from '../site/external-site.ts';
import { siteTexts } from '../site/site-texts.ts';
import type { UploadSession } from '../site/site-uploads.ts';
import { nextPart, SENT_PERCENT, type UploadStep, uploadPercent } from '../site/upload-steps.ts';
import { failPublication, type PublishTools } from './end-publication.ts';
import {
  type ClaimedPublication,
  claimPublishJob,
  keepSession,
  markSent,
  releasePublishJob,
  reportSent,
} from './publish-jobs.store.ts';
import { publishToYouTubeJob, watchYouTubeProcessingJob } from './publish-to-youtube.job.ts';

/** Consecutive failed requests before the attempt fails; the queue retries it. */
const MAX_MISSES = 10;
/** Maximum number of uploads started in one attempt after the site lost the previous one. */
const MAX_SESSIONS = 3;
/** Delay when the site's quota is used up and the response has no reset time. */
const QUOTA_PAUSE_SECONDS = 3_600;
const LONGEST_WAIT_MS = 7 * 86_400_000;

/** Dependencies of an attempt. */
interface Sending {
  readonly tools: PublishTools;
  readonly jobId: string;
  readonly held: ClaimedPublication;
  readonly access: SiteAccess;
  readonly signal: AbortSignal;
  /** Called whenever the site has confirmed more bytes. */
  readonly confirmed: (sentBytes: number) => void;
}

/**
 * One attempt to upload a file to the site. It continues at the offset that the site reports, so that nothing is sent
 * twice and no video is created twice, even when a worker was killed right after the last byte.
 */
export async function publishToYouTube(tools: PublishTools, jobId: string, run: JobRun): Promise<void> {
  const { db, clock } = tools.platform;
  const now = (): string => new Date(clock.now()).toISOString();
  const held = await claimPublishJob(db, jobId, now());
  if (!held) return failPublication(tools.platform, jobId, { phase: 'SENDING' }, contentIsGone());
  const at = { sentBytes: 0 };
  const progress = watchProgress((percent) =>
    reportSent(db, jobId, held.attempt, { percent, sentBytes: at.sentBytes }, now()),
  );
  const confirmed = (sentBytes: number): void => {
    at.sentBytes = sentBytes;
    progress.set(uploadPercent(sentBytes, held.sizeBytes));
  };
  try {
    const signal = AbortSignal.any([run.signal, progress.signal]);
    const access = await tools.access(held.accountId);
    await handOn(tools, jobId, held, await sendFile({ tools, jobId, held, access, signal, confirmed }));
  } catch (error) {
    if (progress.signal.aborted && !run.signal.aborted) {
      await failPublication(tools.platform, jobId, { phase: 'SENDING', attempt: held.attempt }, contentIsGone());
      return;
    }
    await releasePublishJob(db, jobId, held.attempt, now());
    if (run.signal.aborted || !(error instanceof AppError)) throw error;
    if (error.code === 'RATE_LIMIT_EXCEEDED') return postpone(tools, jobId, held, error);
    if (ERROR_CATALOGUE[error.code].retryable) throw error;
    await failPublication(tools.platform, jobId, { phase: 'SENDING', attempt: held.attempt }, error);
  } finally {
    await progress.stop();
  }
}

/** Sends the missing bytes; returns the id of the video. */
async function sendFile(sending: Sending): Promise<string> {
  let session = openSession(sending);
  let step: UploadStep = session ? { kind: 'more', nextByte: 0 } : { kind: 'gone' };
  // Only the site knows the offset of an interrupted upload.
  let unsure = true;
  for (let [misses, sessions] = [0, 0]; step.kind !== 'done'; ) {
    if (session === null || step.kind === 'gone') {
      if (sessions === MAX_SESSIONS) throw new AppError('SERVICE_UNAVAILABLE', t`YouTube lost the upload repeatedly.`);
      sessions += 1;
      session = await beginSession(sending);
      step = { kind: 'more', nextByte: 0 };
      unsure = false;
    }
    const nextByte: number = step.nextByte;
    const response: UploadStep | null = await (unsure
      ? retryOffset(sending, session, misses)
      : sendFrom(sending, session, nextByte)
    ).catch((error: unknown) => missed(sending, error));
    const moved = response !== null && (response.kind !== 'more' || response.nextByte > nextByte);
    misses = moved ? 0 : misses + 1;
    if (misses > MAX_MISSES)
      throw new AppError('SERVICE_UNAVAILABLE', t`YouTube does not accept the file at the moment.`);
    unsure = response === null;
    step = response ?? step;
    if (response?.kind === 'more') sending.confirmed(response.nextByte);
  }
  return step.videoId;
}

/** Transient errors return null; all others end the attempt. */
function missed({ signal }: Sending, error: unknown): null {
  if (signal.aborted || !(error instanceof AppError) || error.code !== 'SERVICE_UNAVAILABLE') throw error;
  return null;
}

/** Requests the offset, after a delay that doubles with each failed request. */
async function retryOffset(sending: Sending, session: UploadSession, misses: number): Promise<UploadStep> {
  if (misses > 0)
    await sleep((sending.tools.missMs ?? 1_000) * 2 ** (misses - 1), undefined, { signal: sending.signal });
  return requestOffset(sending, session);
}

/** Sends the next part; requests the state when all bytes were sent without a confirmation. */
async function sendFrom(sending: Sending, session: UploadSession, nextByte: number): Promise<UploadStep> {
  const { tools, held, access, signal } = sending;
  if (nextByte === held.sizeBytes) return requestOffset(sending, session);
  const part = nextPart(nextByte, held.sizeBytes);
  const open = async (): Promise<Readable> => {
    const found = await readMedia(tools.platform.store, held.objectKey, part);
    if (found?.sizeBytes === held.sizeBytes) return found.stream;
    found?.stream.destroy();
    throw new AppError('UPLOAD_FAILED', t`The video was replaced or deleted before it was uploaded.`, {
      suggestedFix: t`Call publishContentToYouTube again; it uploads the current video.`,
    });
  };
  return tools.uploads.send(access, session, part, open, signal);
}

function requestOffset({ tools, access, signal }: Sending, session: UploadSession): Promise<UploadStep> {
  return tools.uploads.offset(access, session, signal);
}

/** The upload that an earlier attempt started. */
function openSession({ tools, held }: Sending): UploadSession | null {
  if (held.sealedSession === null) return null;
  return { url: tools.platform.secrets.open('youtube-upload', held.sealedSession), sizeBytes: held.sizeBytes };
}

/** Starts an upload and stores its address before sending bytes. */
async function beginSession({ tools, jobId, held, access, signal }: Sending): Promise<UploadSession> {
  const { db, clock, secrets } = tools.platform;
  const video = {
    ...siteTexts(held),
    privacyStatus: held.privacyStatus,
    sizeBytes: held.sizeBytes,
    contentType: held.contentType,
  };
  const session = await tools.uploads.begin(access, video, signal);
  const kept = await keepSession(
    db,
    jobId,
    held.attempt,
    secrets.seal('youtube-upload', session.url),
    new Date(clock.now()).toISOString(),
  );
  if (!kept) throw new Error('the job was taken over while its upload was started');
  return session;
}

/** The site has the file: the first check is scheduled in the same transaction. */
async function handOn(
  { platform }: PublishTools,
  jobId: string,
  held: ClaimedPublication,
  videoId: string,
): Promise<void> {
  const now = new Date(platform.clock.now()).toISOString();
  await platform.db.transaction(async (tx) => {
    if (await markSent(tx, jobId, held.attempt, { id: videoId, percent: SENT_PERCENT }, now))
      await platform.jobs.send(tx, watchYouTubeProcessingJob, { jobId, look: 0 });
  });
}

/** The site's quota resets daily: until then the job waits without using up attempts, for at most a week. */
async function postpone(
  { platform }: PublishTools,
  jobId: string,
  held: ClaimedPublication,
  reason: AppError,
): Promise<void> {
  if (platform.clock.now() - Date.parse(held.createdAt) > LONGEST_WAIT_MS) {
    return failPublication(platform, jobId, { phase: 'SENDING', attempt: held.attempt }, reason);
  }
  const startAfterSeconds = reason.retryAfterSeconds ?? QUOTA_PAUSE_SECONDS;
  await platform.db.transaction((tx) => platform.jobs.send(tx, publishToYouTubeJob, { jobId }, { startAfterSeconds }));
}

function contentIsGone(): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`The content was deleted before its video was uploaded.`, {
    suggestedFix: t`Restore it with restoreContent, then call publishContentToYouTube again.`,
  });
}
