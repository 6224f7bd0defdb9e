import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { AppError, ERROR_CATALOGUE } from '../../../kernel/errors.ts';
import { decodableFile, finishPackage, inFolder, type PackagedVideo, planVersion } from '../../../media/index.ts';
import type { JobRun } from '../../../platform/jobs/job.ts';
import type { Platform } from '../../../platform/platform.ts';
import {
  chargeMinutes,
  discardImage,
  nameOfPackage,
  onDemandPrefix,
  type PackagedFacts,
  packagePrefix as prefixOfPackage,
  type RenderedImage,
  readFoundCaptions,
  renderImage,
  videoSourceFacts,
  watchProgress,
  watchSpace,
  workFolders,
} from '../../assets/index.ts';
import { finishRebuild } from '../cold/rebuild.ts';
import { reportProgress } from '../jobs/transcode-jobs.store.ts';
import { clearEnded } from '../plans/clear-package.ts';
import { ENCODED_PERCENT } from '../plans/encode-chunks.store.ts';
import { type EncodedJob, encodedJob } from '../plans/encode-plans.store.ts';
import { recordSpeed } from '../plans/encode-speeds.store.ts';
import { cancelProcessing, failProcessing } from '../plans/fail-processing.ts';
import { outputsOf } from '../plans/outputs.ts';
import { planAgain } from '../plans/plan-again.ts';
import { withSizesApart } from '../plans/title-sizes.ts';
import type { Additions, FinishingTools } from './additions.ts';
import { completeProcessing } from './complete-processing.ts';
import { decodeWhole, isEncodingFault } from './encoding-faults.ts';

export interface FinishVideoTools extends FinishingTools {
  readonly additions: Additions;
}

/**
 * Makes the package of an encoded video, stores it and makes the video playable. A problem with the file fails the job;
 * any other error is thrown and retried, and segments that were encoded stay.
 */
export async function finishVideo(tools: FinishVideoTools, jobId: string, run: JobRun): Promise<void> {
  const { platform } = tools;
  const job = await encodedJob(platform.db, jobId);
  if (!job) {
    await cancelProcessing(platform, jobId);
    return;
  }
  const version = planVersion(job.plan, tools.stages);
  if (version === 'older' && job.folder === null) return planAgain(platform, job);
  if (version === 'newer') throw new Error('the video was encoded by a newer version');
  const progress = watchProgress((percent) => reportProgress(platform.db, jobId, job.attempt, percent));
  const outcome = { unknown: false };
  try {
    progress.set(ENCODED_PERCENT);
    const signal = AbortSignal.any([run.signal, progress.signal]);
    const { folder } = job;
    if (folder !== null) await finishRebuild(platform, { ...job, folder }, tools.stages);
    else if (isAddition(job.plan)) await tools.additions.complete(tools, job, { signal, outcome });
    else await makeAndStore(tools, withSizesApart(platform, job), signal, progress.set, outcome);
  } catch (error) {
    // After an unacknowledged commit the package may be in use; the next attempt checks.
    if (outcome.unknown || run.signal.aborted) throw error;
    const cancelled = await cancelProcessing(platform, jobId);
    const reason = !cancelled && isEncodingFault(error) ? await decodeWhole(platform, job, error) : error;
    if (reason === null) return;
    const isFinal = reason instanceof AppError && !ERROR_CATALOGUE[reason.code].retryable;
    const ended = cancelled ?? (isFinal ? await failProcessing(platform, jobId, job.attempt, reason) : null);
    await clearEnded(platform, jobId, prefixOf(job));
    if (!ended) throw error;
  } finally {
    await progress.stop();
  }
}

/** Whether a job adds renditions to a video that has others. */
function isAddition({ upmix, upscale, codec }: EncodedJob['plan']): boolean {
  return [upmix, upscale, codec].some((each) => each !== undefined);
}

/** Fails a job whose package could not be made. */
export async function giveUpFinishing(
  platform: Pick<Platform, 'db' | 'clock' | 'log' | 'store'>,
  jobId: string,
  reason: AppError,
): Promise<void> {
  if (!(await cancelProcessing(platform, jobId))) await failProcessing(platform, jobId, null, reason);
}

/** Parts of the progress: making the package, then storing it. */
const MADE_PERCENT = 96;

async function makeAndStore(
  tools: FinishVideoTools,
  job: EncodedJob,
  signal: AbortSignal,
  onPercent: (percent: number) => void,
  outcome: { unknown: boolean },
): Promise<void> {
  const { platform } = tools;
  const { db, config, log, clock } = platform;
  const startedAt = performance.now();
  await workFolders(config.DATA_DIR, log).use(async (folder) => {
    const outDir = join(folder, 'package');
    const packaged = await makePackage(tools, job, outDir, signal);
    onPercent(MADE_PERCENT);
    const captions = await readFoundCaptions(outDir, packaged, clock.now());
    const poster = await renderPoster(tools, job, packaged.poster === null ? null : join(outDir, packaged.poster));
    try {
      await storePackage(tools, prefixOf(job), outDir, packaged, signal, (fraction) =>
        onPercent(MADE_PERCENT + fraction * (100 - MADE_PERCENT)),
      );
      outcome.unknown = true;
      const facts = packagedFacts(job, packaged);
      const encodedMs = job.chunks.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
      const spent = { cpuMs: packaged.cpuMs - encodedMs, wallMs: performance.now() - startedAt };
      const outputs = outputsOf(job, tools.stages);
      const completed = await completeProcessing(tools, job, { facts, captions, poster, outputs });
      outcome.unknown = false;
      if (!completed) throw new Error('the job was taken over or cancelled before it could be completed');
      await recordSpeed(db, { kind: 'finish', costMs: job.finishCostMs, ...spent, peakBytes: 0, bytes: 0 });
    } catch (error) {
      if (poster) await discardImage(platform, poster);
      throw error;
    }
  });
}

async function makePackage(
  { platform, runner, sources }: FinishVideoTools,
  job: EncodedJob,
  outDir: string,
  signal: AbortSignal,
): Promise<PackagedVideo> {
  const { plan, chunks, maxBytes, videoAssetId, channelId, sourceKey, contentId, jobId, attempt } = job;
  const video = await videoSourceFacts(platform.db, videoAssetId);
  const poster = !video?.hasPoster;
  // To decode it whole and plan it again would withdraw what is played.
  const played = onDemandPrefix(contentId, videoAssetId, jobId, attempt);
  const acceptShort = video?.packagePrefix === played;
  const packaged = await sources.use(sourceKey, (sourcePath) =>
    watchSpace(platform.space, signal, async (watched) => {
      const inputPath = await decodableFile(runner, sourcePath, { workDir: `${outDir}-source`, signal: watched });
      const fetch = (paths: readonly string[]) => fetchSegments(platform, prefixOf(job), outDir, paths, watched);
      const read = (path: string, bytes: number) => beginningOf(platform, `${prefixOf(job)}${path}`, bytes);
      const made = { inputPath, outDir, fetch, read, poster, acceptShort, maxBytes, signal: watched };
      return finishPackage(runner, plan, chunks, made);
    }),
  );
  // A file without a declared duration is charged for its measured one.
  if (plan.facts.durationMs === null)
    await chargeMinutes(platform, { videoAssetId, channelId, durationMs: packaged.durationMs });
  if (plan.facts.video && !packaged.extras.preview)
    platform.log.warn({ videoAssetId, ...packaged.extras }, 'not all extras could be generated');
  return packaged;
}

function packagedFacts(job: EncodedJob, packaged: PackagedVideo): PackagedFacts {
  const { facts } = job.plan;
  const packagePrefix = prefixOf(job);
  return {
    mimeType: job.mimeType,
    width: facts.video?.displayWidth ?? null,
    height: facts.video?.displayHeight ?? null,
    durationMs: packaged.durationMs,
    missingMs: packaged.missingMs,
    probe: facts,
    renditions: inFolder(nameOfPackage(packagePrefix), packaged.renditions),
    thumbnails: packaged.thumbnails,
    extras: packaged.extras,
    loudness: packaged.loudness,
    packagePrefix,
    derivedBytes: packaged.totalBytes,
    derivedFiles: packaged.totalFiles,
  };
}

function prefixOf({ contentId, videoAssetId, jobId, attempt }: EncodedJob): string {
  return prefixOfPackage(contentId, videoAssetId, jobId, attempt);
}

const TRANSFERS_AT_ONCE = 4;

/** Runs `transfer` for all items, some at a time; the first failure stops it, after those in progress have ended. */
async function inLanes<T>(items: readonly T[], transfer: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  let failed = false;
  const lane = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined && !failed; item = waiting.shift()) await transfer(item);
  };
  const lanes = Array.from({ length: TRANSFERS_AT_ONCE }, () =>
    lane().catch((error: unknown) => {
      failed = true;
      throw error;
    }),
  );
  for (const result of await Promise.allSettled(lanes)) if (result.status === 'rejected') throw result.reason;
}

/** Copies segments that were stored into the folder in which the package is made. */
async function fetchSegments(
  { store }: Pick<Platform, 'store'>,
  prefix: string,
  outDir: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  await inLanes(paths, async (path) => {
    signal.throwIfAborted();
    const found = await store.read(`${prefix}${path}`);
    if (!found) throw new Error(`the segment ${path} is gone`);
    await mkdir(dirname(join(outDir, path)), { recursive: true });
    await pipeline(found.stream, createWriteStream(join(outDir, path), { mode: 0o600 }));
  });
}

/** The first bytes of a segment. */
async function beginningOf({ store }: Pick<Platform, 'store'>, key: string, bytes: number): Promise<Buffer> {
  const found = await store.read(key, { start: 0, end: bytes - 1 });
  if (!found) throw new Error(`the segment ${key} is gone`);
  return buffer(found.stream);
}

/** Stores every file of the package but its segments. */
async function storePackage(
  { platform: { store } }: FinishVideoTools,
  prefix: string,
  outDir: string,
  packaged: PackagedVideo,
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
): Promise<void> {
  let stored = 0;
  await inLanes(packaged.files, async (file) => {
    signal.throwIfAborted();
    await store.putFile(`${prefix}${file.path}`, join(outDir, file.path), { contentType: file.contentType });
    stored += 1;
    onProgress(stored / packaged.files.length);
  });
}

/** The files of the generated poster, unless the owner set one. A failed poster does not fail the video. */
async function renderPoster(
  tools: FinishVideoTools,
  job: EncodedJob,
  path: string | null,
): Promise<RenderedImage | null> {
  const { platform } = tools;
  const source = path === null ? null : await videoSourceFacts(platform.db, job.videoAssetId);
  if (path === null || !source || source.hasPoster) return null;
  try {
    return await renderImage(tools, { path, purpose: 'POSTER' });
  } catch (error) {
    if (error instanceof AppError && ERROR_CATALOGUE[error.code].retryable) throw error;
    platform.log.warn({ error, contentId: job.contentId }, 'no poster could be generated');
    return null;
  }
}
