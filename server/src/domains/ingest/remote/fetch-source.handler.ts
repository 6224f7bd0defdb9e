import { AppError, ERROR_CATALOGUE } from '../../../kernel/errors.ts';
import type { GuardedFetch } from '../../../platform/fetch/guarded-fetch.ts';
import type { JobRun } from '../../../platform/jobs/job.ts';
import type { Platform } from '../../../platform/platform.ts';
import {
  checkStorageQuota,
  insertVideoAsset,
  reserveForJob,
  sourceKey,
  watchProgress,
  writeJobReservation,
} from '../../assets/index.ts';
import { lockOwnerOf } from '../../channels/index.ts';
import {
  attachSource,
  type ClaimedJob,
  cancelProcessing,
  claimTranscodeJob,
  failProcessing,
  makePlayableJob,
  processVideoJob,
  reportProgress,
} from '../../transcode/index.ts';
import type { FetchSource } from './fetch-source.job.ts';

export interface FetchSourceTools {
  readonly platform: Pick<Platform, 'clock' | 'log' | 'db' | 'store' | 'jobs' | 'space'>;
  readonly fetch: GuardedFetch;
}

const TIMEOUT_MS = 6 * 3_600_000;

/**
 * One attempt to fetch the file. The video gets the id of the job, so that every attempt writes the same object. A
 * problem with the address fails the job with a message for the owner; a transient error is thrown and retried.
 */
export async function fetchSource(tools: FetchSourceTools, payload: FetchSource, run: JobRun): Promise<void> {
  const { db, clock, store, log } = tools.platform;
  const { jobId } = payload;
  const held = await claimTranscodeJob(db, jobId, 'QUEUED', new Date(clock.now()).toISOString());
  if (!held) {
    await cancelProcessing(tools.platform, jobId);
    return;
  }
  const progress = watchProgress(() => reportProgress(db, jobId, held.attempt, 0));
  try {
    await fetchAndHandOn(tools, payload, held, AbortSignal.any([run.signal, progress.signal]));
  } catch (error) {
    if (run.signal.aborted) throw error;
    if (progress.signal.aborted) {
      await store.delete(sourceKey(jobId));
      await cancelProcessing(tools.platform, jobId);
      return;
    }
    if (error instanceof AppError && !ERROR_CATALOGUE[error.code].retryable) {
      log.info({ error, jobId }, 'source address refused');
      const ended = await failProcessing(tools.platform, jobId, held.attempt, error);
      if (ended?.videoAssetId === null) await store.delete(sourceKey(jobId));
      return;
    }
    await writeJobReservation(db, jobId, held.attempt, 0);
    throw error;
  } finally {
    await progress.stop();
  }
}

/** Fails a fetch that will not be retried. */
export async function giveUpSource(
  platform: FetchSourceTools['platform'],
  { jobId }: FetchSource,
  reason: AppError,
): Promise<void> {
  const ended = await failProcessing(platform, jobId, null, reason);
  if (ended && ended.videoAssetId === null) await platform.store.delete(sourceKey(jobId));
}

async function fetchAndHandOn(
  { platform, fetch }: FetchSourceTools,
  payload: FetchSource,
  held: ClaimedJob,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock, store, jobs } = platform;
  const { url, hint, maxBytes } = payload;
  const body = await fetch(url, { maxBytes, timeoutMs: TIMEOUT_MS, signal });
  const stop = (): void => void body.stream.destroy(new Error('the fetch was aborted'));
  signal.addEventListener('abort', stop);
  try {
    signal.throwIfAborted();
    const { jobId, attempt } = held;
    // When the server does not declare the size, the store itself stops at the reserve.
    if (body.sizeBytes !== null)
      await reserveForJob(platform, { jobId, attempt, bytes: body.sizeBytes }, 'input.sourceUrl');
    const { sizeBytes } = await store.put(sourceKey(jobId), body.stream, { contentType: 'application/octet-stream' });
    await db.transaction(async (tx) => {
      const { contentId, channelId } = held;
      const asset = {
        id: jobId,
        channelId,
        contentId,
        ingestionId: null,
        hint,
        filename: filenameOf(body.url),
        sourceKey: sourceKey(jobId),
        sizeBytes,
      };
      const owner = await lockOwnerOf(tx, channelId, clock.now());
      const full = owner && checkStorageQuota(owner, sizeBytes, 'input.sourceUrl');
      if (full) throw full;
      await insertVideoAsset(tx, asset, new Date(clock.now()).toISOString());
      if (!(await attachSource(tx, jobId, attempt, jobId)))
        throw new Error('the job was taken over or cancelled while its file was fetched');
      await jobs.send(tx, makePlayableJob, { videoAssetId: jobId });
      await jobs.send(tx, processVideoJob, { jobId });
    });
  } finally {
    signal.removeEventListener('abort', stop);
    body.stream.destroy();
  }
}

/** The last segment of the path, decoded. */
export function filenameOf(url: string): string {
  const encoded = new URL(url).pathname.split('/').at(-1) ?? '';
  let name = encoded;
  try {
    name = decodeURIComponent(encoded);
  } catch {
    // Not percent-encoded UTF-8: kept as it is.
  }
  const clean = name
    .replace(/[\p{Cc}/\\]/gu, '')
    .slice(0, 255)
    .trim();
  return clean === '' ? 'video' : clean.toWellFormed();
}
