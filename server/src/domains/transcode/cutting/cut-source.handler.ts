import { join } from 'node:path';
import { AppError, ERROR_CATALOGUE } from '../../../kernel/errors.ts';
import { cutFile } from '../../../media/index.ts';
import type { JobRun } from '../../../platform/jobs/job.ts';
import type { Platform } from '../../../platform/platform.ts';
import {
  checkStorageQuota,
  insertVideoAsset,
  reserveForJob,
  sourceKey,
  watchProgress,
  watchSpace,
  workFolders,
  writeJobReservation,
} from '../../assets/index.ts';
import { lockOwnerOf } from '../../channels/index.ts';
import { makePlayableJob } from '../jobs/make-playable.job.ts';
import { processVideoJob } from '../jobs/process-video.job.ts';
import { attachSource, type ClaimedJob, claimTranscodeJob, reportProgress } from '../jobs/transcode-jobs.store.ts';
import { cancelProcessing, failProcessing } from '../plans/fail-processing.ts';
import { type EncodeSourceTools, inspectUploaded } from '../sources/encode-source.ts';
import { setSpokenIn } from './clip-texts.store.ts';
import type { CutSource } from './cut-source.job.ts';

export interface CutSourceTools extends EncodeSourceTools {
  readonly platform: EncodeSourceTools['platform'] & Pick<Platform, 'jobs'>;
}

/**
 * One attempt to cut a file. The video gets the id of the job, so that every attempt writes the same object. A problem
 * with the file fails the job with a message for the owner; a transient error is thrown and retried.
 */
export async function cutSource(tools: CutSourceTools, payload: CutSource, run: JobRun): Promise<void> {
  const { db, clock, store, log } = tools.platform;
  const { jobId } = payload;
  const held = await claimTranscodeJob(db, jobId, 'QUEUED', new Date(clock.now()).toISOString());
  if (!held) {
    await cancelProcessing(tools.platform, jobId);
    return;
  }
  const progress = watchProgress(() => reportProgress(db, jobId, held.attempt, 0));
  try {
    await cutAndHandOn(tools, payload, held, AbortSignal.any([run.signal, progress.signal]));
  } catch (error) {
    if (run.signal.aborted) throw error;
    if (progress.signal.aborted) {
      await store.delete(sourceKey(jobId));
      await cancelProcessing(tools.platform, jobId);
      return;
    }
    if (error instanceof AppError && !ERROR_CATALOGUE[error.code].retryable) {
      log.info({ error, jobId }, 'video could not be cut');
      await giveUpCut(tools.platform, payload, error, held.attempt);
      return;
    }
    await writeJobReservation(db, jobId, held.attempt, 0);
    throw error;
  } finally {
    await progress.stop();
  }
}

/** Fails a cut that will not be retried; with an attempt, only if the job is still that attempt's. */
export async function giveUpCut(
  platform: CutSourceTools['platform'],
  { jobId }: CutSource,
  reason: AppError,
  attempt: number | null = null,
): Promise<void> {
  const ended = await failProcessing(platform, jobId, attempt, reason);
  if (ended?.videoAssetId === null) await platform.store.delete(sourceKey(jobId));
}

async function cutAndHandOn(
  tools: CutSourceTools,
  payload: CutSource,
  held: ClaimedJob,
  signal: AbortSignal,
): Promise<void> {
  const { platform, runner, sources } = tools;
  const { config, log, space, store } = platform;
  const { file, ranges, jobId } = payload;
  const { facts } = await inspectUploaded(tools, { sourceKey: file.key, sizeBytes: file.sizeBytes }, signal);
  await workFolders(config.DATA_DIR, log).use((folder) =>
    watchSpace(space, signal, async (watched) => {
      const options = { workDir: join(folder, 'cut'), signal: watched };
      const cut = await sources.use(file.key, (path) => cutFile(runner, path, { facts, ranges }, options));
      await reserveForJob(platform, { jobId, attempt: held.attempt, bytes: cut.sizeBytes }, 'id');
      await store.putFile(sourceKey(jobId), cut.path, { contentType: 'application/octet-stream' });
      await handOn(tools, payload, held, cut.sizeBytes);
    }),
  );
}

/** Makes the result a video of the content, and queues its processing. */
async function handOn(
  { platform }: CutSourceTools,
  { jobId, file, ranges, isTrim, spokenCaptions = [] }: CutSource,
  { contentId, channelId, attempt }: ClaimedJob,
  sizeBytes: number,
): Promise<void> {
  const { clock, db, jobs } = platform;
  const { filename, hint } = file;
  await db.transaction(async (tx) => {
    const owner = await lockOwnerOf(tx, channelId, clock.now());
    const full = owner && checkStorageQuota(owner, sizeBytes, 'id');
    if (full) throw full;
    await insertVideoAsset(
      tx,
      { id: jobId, channelId, contentId, ingestionId: null, hint, filename, sourceKey: sourceKey(jobId), sizeBytes },
      new Date(clock.now()).toISOString(),
      isTrim ? { edit: 'TRIM', keptRanges: ranges, originalKey: file.key, originalBytes: file.sizeBytes } : null,
    );
    await setSpokenIn(tx, contentId, spokenCaptions, jobId);
    if (!(await attachSource(tx, jobId, attempt, jobId)))
      throw new Error('the job was taken over or cancelled while its file was cut');
    if (!isTrim) await jobs.send(tx, makePlayableJob, { videoAssetId: jobId });
    await jobs.send(tx, processVideoJob, { jobId });
  });
}
