import { join } from 'node:path';
import { AppError, ERROR_CATALOGUE } from '../../../kernel/errors.ts';
import type { JobRun } from '../../../platform/jobs/job.ts';
import type { Platform } from '../../../platform/platform.ts';
import {
  checkStorageQuota,
  insertVideoAsset,
  reserveForJob,
  sourceKey,
  type VideoEdit,
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
import { setSpokenIn } from './clip-texts.store.ts';

export type CutPlatform = Pick<Platform, 'config' | 'clock' | 'log' | 'db' | 'store' | 'space' | 'jobs'>;

/** What is cut, and what becomes of it. */
export interface Cut {
  /** The transcode job that waits for the result. */
  readonly jobId: string;
  readonly filename: string;
  /** A VideoHint. */
  readonly hint: string;
  /** How the result takes the place of the video of the same content; null for a content of its own. */
  readonly edit: VideoEdit | null;
  /** Captions of the content that become those of the speech of the result. */
  readonly spokenCaptions: readonly string[];
}

/** Where the file of a cut is made: a folder that is removed afterwards, with missing folders for its steps. */
export interface CutFolder {
  readonly folder: string;
  /** For the result. */
  readonly workDir: string;
  readonly signal: AbortSignal;
}

type MakeFile = (where: CutFolder) => Promise<{ readonly path: string; readonly sizeBytes: number }>;

/**
 * One attempt to make the file of a cut, which becomes a video and is processed. The video gets the id of the job, so
 * that every attempt writes the same object. A problem with the source fails the job with a message for the owner; a
 * transient error is thrown and retried.
 */
export async function runCut(platform: CutPlatform, cut: Cut, run: JobRun, make: MakeFile): Promise<void> {
  const { db, clock, store, log } = platform;
  const { jobId } = cut;
  const held = await claimTranscodeJob(db, jobId, 'QUEUED', new Date(clock.now()).toISOString());
  if (!held) {
    await cancelProcessing(platform, jobId);
    return;
  }
  const progress = watchProgress(() => reportProgress(db, jobId, held.attempt, 0));
  try {
    await makeAndHandOn(platform, cut, held, AbortSignal.any([run.signal, progress.signal]), make);
  } catch (error) {
    if (run.signal.aborted) throw error;
    if (progress.signal.aborted) {
      await store.delete(sourceKey(jobId));
      await cancelProcessing(platform, jobId);
      return;
    }
    if (error instanceof AppError && !ERROR_CATALOGUE[error.code].retryable) {
      log.info({ error, jobId }, 'video could not be cut');
      await giveUpCut(platform, cut, error, held.attempt);
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
  platform: Pick<CutPlatform, 'db' | 'clock' | 'store'>,
  { jobId }: Pick<Cut, 'jobId'>,
  reason: AppError,
  attempt: number | null = null,
): Promise<void> {
  const ended = await failProcessing(platform, jobId, attempt, reason);
  if (ended?.videoAssetId === null) await platform.store.delete(sourceKey(jobId));
}

async function makeAndHandOn(
  platform: CutPlatform,
  cut: Cut,
  held: ClaimedJob,
  signal: AbortSignal,
  make: MakeFile,
): Promise<void> {
  const { config, log, space, store } = platform;
  const { jobId } = cut;
  await workFolders(config.DATA_DIR, log).use((folder) =>
    watchSpace(space, signal, async (watched) => {
      const { path, sizeBytes } = await make({ folder, workDir: join(folder, 'cut'), signal: watched });
      await reserveForJob(platform, { jobId, attempt: held.attempt, bytes: sizeBytes }, 'id');
      await store.putFile(sourceKey(jobId), path, { contentType: 'application/octet-stream' });
      await handOn(platform, cut, held, sizeBytes);
    }),
  );
}

/** Makes the result a video of the content, and queues its processing. */
async function handOn(
  { clock, db, jobs }: CutPlatform,
  { jobId, filename, hint, edit, spokenCaptions }: Cut,
  { contentId, channelId, attempt }: ClaimedJob,
  sizeBytes: number,
): Promise<void> {
  await db.transaction(async (tx) => {
    const owner = await lockOwnerOf(tx, channelId, clock.now());
    const full = owner && checkStorageQuota(owner, sizeBytes, 'id');
    if (full) throw full;
    await insertVideoAsset(
      tx,
      { id: jobId, channelId, contentId, ingestionId: null, hint, filename, sourceKey: sourceKey(jobId), sizeBytes },
      new Date(clock.now()).toISOString(),
      edit,
    );
    await setSpokenIn(tx, contentId, spokenCaptions, jobId);
    if (!(await attachSource(tx, jobId, attempt, jobId)))
      throw new Error('the job was taken over or cancelled while its file was cut');
    if (edit === null) await jobs.send(tx, makePlayableJob, { videoAssetId: jobId });
    await jobs.send(tx, processVideoJob, { jobId });
  });
}
