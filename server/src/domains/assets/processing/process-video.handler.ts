import { join } from 'node:path';
import { AppError, ERROR_CATALOGUE } from '../../../kernel/errors.ts';
import {
  decodableFile,
  expectedPackageBytes,
  type ImageDecoder,
  inspectFile,
  type PackagedVideo,
  packageVideo,
  type Runner,
} from '../../../media/index.ts';
import type { JobRun } from '../../../platform/jobs/job.ts';
import type { Platform } from '../../../platform/platform.ts';
import { readFoundCaptions } from '../captions/embedded-captions.ts';
import { MASTER_PLAYLIST, packagePrefix } from '../delivery/media-address.ts';
import { discardImage, type RenderedImage, renderImage } from '../images/process-image.ts';
import { chargeMinutes } from '../quota/charge-minutes.ts';
import { requireAnySpace } from '../quota/reserve-space.ts';
import { watchSpace } from '../uploads/space-monitor.ts';
import { derivedLimitOfVideo } from './derived.policy.ts';
import { cancelProcessing, completeProcessing, failProcessing } from './end-processing.ts';
import { watchProgress } from './report-progress.ts';
import { reserveDerived } from './reserve-derived.ts';
import { type ClaimedJob, claimTranscodeJob, releaseTranscodeJob, reportProgress } from './transcode-jobs.store.ts';
import { type PackagedFacts, videoSourceFacts } from './video-assets.store.ts';
import { workFolders } from './work-folders.ts';

export interface ProcessVideoTools {
  readonly platform: Pick<Platform, 'config' | 'clock' | 'log' | 'db' | 'store' | 'space'>;
  readonly runner: Runner;
  readonly imageDecoder: ImageDecoder;
  /** From `probeTools`. */
  readonly toneMapping: boolean;
}

type Claimed = ClaimedJob & { readonly videoAssetId: string };

/**
 * One attempt: inspect the file, encode and package it, store the package, make it playable. A failed attempt leaves
 * nothing in the object store. A problem with the file fails the job with a message for the uploader; any other error
 * is thrown and retried.
 */
export async function processVideo(tools: ProcessVideoTools, jobId: string, run: JobRun): Promise<void> {
  const { db, clock, log, space } = tools.platform;
  // Waiting for free space does not count as an attempt and does not read the file.
  await requireAnySpace(space, db);
  const claimed = await claimTranscodeJob(db, jobId, 'TRANSCODING', new Date(clock.now()).toISOString());
  if (!claimed?.videoAssetId) {
    await cancelProcessing(tools.platform, jobId);
    return;
  }
  const held: Claimed = { ...claimed, videoAssetId: claimed.videoAssetId };
  const progress = watchProgress((percent) => reportProgress(db, jobId, held.attempt, percent));
  const signal = AbortSignal.any([run.signal, progress.signal]);
  const outcome = { unknown: false };
  try {
    await attempt(tools, held, signal, progress.set, outcome);
  } catch (error) {
    // After an unacknowledged commit the package may be in use; the next attempt checks, and removes it if not.
    if (outcome.unknown) throw error;
    await clearPackage(tools, held, held.attempt);
    // The worker is stopping or lost the claim: the next owner of the job continues.
    if (run.signal.aborted) {
      await releaseTranscodeJob(db, jobId, held.attempt);
      throw error;
    }
    if (await cancelProcessing(tools.platform, jobId)) return;
    if (error instanceof AppError && !ERROR_CATALOGUE[error.code].retryable) {
      log.info({ error, jobId, contentId: held.contentId }, 'video refused');
      await failProcessing(tools.platform, jobId, held.attempt, error);
      return;
    }
    await releaseTranscodeJob(db, jobId, held.attempt);
    throw error;
  } finally {
    await progress.stop();
  }
}

/** Fails a job that will not be retried, and removes leftovers of killed attempts from the store. */
export async function giveUpVideo(
  platform: Pick<Platform, 'db' | 'clock' | 'log' | 'store'>,
  jobId: string,
  reason: AppError,
): Promise<void> {
  const ended = (await cancelProcessing(platform, jobId)) ?? (await failProcessing(platform, jobId, null, reason));
  if (!ended?.videoAssetId) return;
  const held = { ...ended, jobId, videoAssetId: ended.videoAssetId };
  for (let attempt = 1; attempt <= ended.attempts; attempt += 1) await clearPackage({ platform }, held, attempt);
}

/** Parts of the progress: inspecting and encoding, then storing. */
const ENCODED_PERCENT = 90;

async function attempt(
  tools: ProcessVideoTools,
  held: Claimed,
  signal: AbortSignal,
  onPercent: (percent: number) => void,
  outcome: { unknown: boolean },
): Promise<void> {
  const { db, store, config } = tools.platform;
  const source = await videoSourceFacts(db, held.videoAssetId);
  if (!source) throw new AppError('RESOURCE_NOT_FOUND', 'The uploaded file no longer exists.');
  for (let earlier = 1; earlier < held.attempt; earlier += 1) await clearPackage(tools, held, earlier);
  await workFolders(config.DATA_DIR, tools.platform.log).use(async (folder) => {
    const outDir = join(folder, 'package');
    const { packaged, facts } = await store.withLocalFile(source.sourceKey, (inputPath) =>
      makePackage(tools, held, { inputPath, outDir, sizeBytes: source.sizeBytes }, signal, (fraction) =>
        onPercent(fraction * ENCODED_PERCENT),
      ),
    );
    const captions = await readFoundCaptions(outDir, packaged, tools.platform.clock.now());
    const poster = await renderPoster(tools, held, packaged.poster === null ? null : join(outDir, packaged.poster));
    try {
      const prefix = packagePrefix(held.contentId, held.videoAssetId, held.jobId, held.attempt);
      await storePackage(tools, prefix, outDir, packaged, signal, (fraction) =>
        onPercent(ENCODED_PERCENT + fraction * (100 - ENCODED_PERCENT)),
      );
      outcome.unknown = true;
      const completed = await completeProcessing(tools.platform, held, {
        facts: { ...facts, packagePrefix: prefix },
        captions,
        poster,
      });
      outcome.unknown = false;
      if (!completed) throw new Error('the job was taken over or cancelled before it could be completed');
    } catch (error) {
      if (poster) await discardImage(tools.platform, poster);
      throw error;
    }
  });
}

async function makePackage(
  tools: ProcessVideoTools,
  held: Claimed,
  { inputPath, outDir, sizeBytes }: { readonly inputPath: string; readonly outDir: string; readonly sizeBytes: number },
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
): Promise<{ packaged: PackagedVideo; facts: Omit<PackagedFacts, 'packagePrefix'> }> {
  const { videoAssetId, channelId } = held;
  const inspection = await inspectFile(tools.runner, inputPath, { toneMapping: tools.toneMapping, signal });
  if (!inspection.ok)
    throw new AppError(inspection.code, inspection.message, { suggestedFix: inspection.suggestedFix });
  const { durationMs } = inspection.facts;
  if (durationMs !== null) await chargeMinutes(tools.platform, { videoAssetId, channelId, durationMs });
  const maxBytes = derivedLimitOfVideo(sizeBytes);
  await reserveDerived(tools.platform, held, Math.min(maxBytes, expectedPackageBytes(inspection.facts)));
  const packaged = await watchSpace(tools.platform.space, signal, async (watched) => {
    const decodable = await decodableFile(tools.runner, inputPath, { workDir: `${outDir}-source`, signal: watched });
    const { facts } = inspection;
    return packageVideo(tools.runner, { inputPath: decodable, outDir, facts, maxBytes, onProgress, signal: watched });
  });
  // A file without a declared duration is charged for its measured one.
  if (durationMs === null)
    await chargeMinutes(tools.platform, { videoAssetId, channelId, durationMs: packaged.durationMs });
  const { video } = inspection.facts;
  const { videoDownload, preview } = packaged.extras;
  if (video && !((videoDownload || packaged.downloadsLeftOut) && preview))
    tools.platform.log.warn({ videoAssetId, ...packaged.extras }, 'not all extras could be generated');
  const facts = {
    mimeType: inspection.mimeType,
    width: video?.displayWidth ?? null,
    height: video?.displayHeight ?? null,
    durationMs: packaged.durationMs,
    probe: inspection.facts,
    renditions: packaged.renditions,
    thumbnails: packaged.thumbnails,
    extras: { ...packaged.extras, dash: packaged.manifestPath },
    derivedBytes: packaged.files.reduce((sum, file) => sum + file.sizeBytes, 0),
    derivedFiles: packaged.files.length,
  };
  return { packaged, facts };
}

const STORE_AT_ONCE = 4;

/** Stores every file of the package; the first failure or the signal stops it. */
async function storePackage(
  { platform: { store } }: ProcessVideoTools,
  prefix: string,
  outDir: string,
  packaged: PackagedVideo,
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
): Promise<void> {
  if (packaged.masterPath !== MASTER_PLAYLIST) throw new Error(`the master playlist is called ${packaged.masterPath}`);
  const waiting = [...packaged.files];
  let stored = 0;
  let failed = false;
  const lane = async (): Promise<void> => {
    for (let file = waiting.shift(); file && !failed; file = waiting.shift()) {
      signal.throwIfAborted();
      await store.putFile(`${prefix}${file.path}`, join(outDir, file.path), { contentType: file.contentType });
      stored += 1;
      onProgress(stored / packaged.files.length);
    }
  };
  const lanes = Array.from({ length: STORE_AT_ONCE }, () =>
    lane().catch((error: unknown) => {
      failed = true;
      throw error;
    }),
  );
  // All uploads end before cleanup, so that no late file is left behind.
  for (const result of await Promise.allSettled(lanes)) if (result.status === 'rejected') throw result.reason;
}

/** The files of the generated poster, unless the owner set one. A failed poster does not fail the video. */
async function renderPoster(
  tools: ProcessVideoTools,
  held: Claimed,
  path: string | null,
): Promise<RenderedImage | null> {
  const { platform } = tools;
  const source = path === null ? null : await videoSourceFacts(platform.db, held.videoAssetId);
  if (path === null || !source || source.hasPoster) return null;
  try {
    return await renderImage(tools, { path, purpose: 'POSTER' });
  } catch (error) {
    if (error instanceof AppError && ERROR_CATALOGUE[error.code].retryable) throw error;
    platform.log.warn({ error, contentId: held.contentId }, 'no poster could be generated');
    return null;
  }
}

type Stored = { readonly platform: Pick<Platform, 'store' | 'log'> };

async function clearPackage(
  { platform: { store, log } }: Stored,
  held: Pick<Claimed, 'contentId' | 'videoAssetId' | 'jobId'>,
  attempt: number,
): Promise<void> {
  const prefix = packagePrefix(held.contentId, held.videoAssetId, held.jobId, attempt);
  await store
    .deletePrefix(prefix)
    .catch((error: unknown) =>
      log.warn({ error, prefix }, 'unfinished package not removed; the next attempt removes it'),
    );
}
