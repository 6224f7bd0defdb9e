import { AppError, ERROR_CATALOGUE } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import {
  chunkCostsMs,
  expectedPackageBytes,
  finishCostMs,
  outputKeys,
  planEncode,
  planOnDemand,
  sampleChunks,
} from '../../../media/index.ts';
import type { JobRun } from '../../../platform/jobs/job.ts';
import type { Platform } from '../../../platform/platform.ts';
import {
  chargeMinutes,
  derivedLimitOfVideo,
  noteMissing,
  packagePrefix,
  requireAnySpace,
  videoSourceFacts,
  watchProgress,
} from '../../assets/index.ts';
import { reserveDerived } from '../jobs/reserve-derived.ts';
import { claimTranscodeJob, releaseTranscodeJob, reportProgress } from '../jobs/transcode-jobs.store.ts';
import { clearPackage } from '../plans/clear-package.ts';
import { insertEncodePlan, isPlanned } from '../plans/encode-plans.store.ts';
import { recordPlanning } from '../plans/encode-speeds.store.ts';
import { PLANNING_COST_MS } from '../plans/estimate.ts';
import { cancelProcessing, failProcessing } from '../plans/fail-processing.ts';
import { wantSegment } from '../plans/on-demand.store.ts';
import { outputKeysOf } from '../plans/outputs.store.ts';
import { sizesChosenBefore } from '../plans/title-sizes.ts';
import { playRemuxed } from '../playable/play-remuxed.ts';
import { removeUnplayedCopy } from '../playable/publish-copy.ts';
import { chooseEncodeSource } from '../sources/encode-source.ts';
import { keepIndexed } from '../sources/indexed-source.ts';
import type { Additions, HeldJob, PlanningTools } from './additions.ts';
import { isOwnFault, ownFault } from './encoding-faults.ts';

export interface ProcessVideoTools extends PlanningTools {
  readonly additions: Additions;
  /** Called when chunks of a video can be encoded. */
  readonly onPlanned: () => void;
}

/**
 * Makes the video playable where its streams only have to be copied, and plans its encoding, which workers then do in
 * chunks. A problem with the file fails the job with a message for the uploader; any other error is thrown and retried.
 */
export async function processVideo(tools: ProcessVideoTools, jobId: string, run: JobRun): Promise<void> {
  const { db, clock, log, space } = tools.platform;
  if (await isPlanned(db, jobId)) return tools.onPlanned();
  // Waiting for free space does not count as an attempt and does not read the file.
  await requireAnySpace(space, db);
  const claimed = await claimTranscodeJob(db, jobId, 'TRANSCODING', new Date(clock.now()).toISOString());
  if (!claimed?.videoAssetId) {
    await cancelProcessing(tools.platform, jobId);
    return;
  }
  const held: HeldJob = { ...claimed, videoAssetId: claimed.videoAssetId };
  const progress = watchProgress((percent) => reportProgress(db, jobId, held.attempt, percent));
  try {
    const signal = AbortSignal.any([run.signal, progress.signal]);
    if (held.codec !== null || held.purpose === 'ENHANCE') await tools.additions.plan(tools, held, signal);
    else {
      const startedAt = performance.now();
      await planVideo(tools, held, signal);
      await recordPlanning(db, 'plan', PLANNING_COST_MS, startedAt);
    }
    tools.onPlanned();
  } catch (error) {
    // The worker is stopping or lost the claim: the next owner of the job continues.
    if (run.signal.aborted) {
      await releaseTranscodeJob(db, jobId, held.attempt);
      throw error;
    }
    const { contentId, videoAssetId, attempt } = held;
    const prefix = packagePrefix(contentId, videoAssetId, jobId, attempt);
    if (await cancelProcessing(tools.platform, jobId)) {
      await clearPackage(tools.platform, prefix);
      return await removeUnplayedCopy(tools.platform, held);
    }
    const reason = isOwnFault(error) ? ownFault(tools.platform, held, error) : error;
    if (reason instanceof AppError && !ERROR_CATALOGUE[reason.code].retryable) {
      log.info({ error: reason, jobId, contentId }, 'video refused');
      if (await failProcessing(tools.platform, jobId, attempt, reason)) await clearPackage(tools.platform, prefix);
      return;
    }
    await releaseTranscodeJob(db, jobId, held.attempt);
    throw error;
  } finally {
    await progress.stop();
  }
}

/** Fails a job that will not be retried, and removes what was stored for it. */
export async function giveUpVideo(
  platform: Pick<Platform, 'db' | 'clock' | 'log' | 'store'>,
  jobId: string,
  reason: AppError,
): Promise<void> {
  const ended = (await cancelProcessing(platform, jobId)) ?? (await failProcessing(platform, jobId, null, reason));
  if (!ended?.videoAssetId) return;
  const { contentId, videoAssetId, attempts } = ended;
  for (let attempt = 1; attempt <= attempts; attempt += 1)
    await clearPackage(platform, packagePrefix(contentId, videoAssetId, jobId, attempt));
}

/** Of a chunk whose outputs are all taken from an earlier package. */
const REUSED_COST_MS = 20;

async function planVideo(tools: ProcessVideoTools, held: HeldJob, signal: AbortSignal): Promise<void> {
  const { db, clock, space } = tools.platform;
  const { jobId, attempt, videoAssetId, contentId, channelId } = held;
  const source = await videoSourceFacts(db, videoAssetId);
  if (!source) throw new AppError('RESOURCE_NOT_FOUND', t`The uploaded file no longer exists.`);
  for (let earlier = 1; earlier < attempt; earlier += 1)
    await clearPackage(tools.platform, packagePrefix(contentId, videoAssetId, jobId, earlier));
  // Captions and chapters change when a video that was made by an edit is complete.
  const isInstant = source.edit === null && tools.platform.config.INSTANT_PLAYBACK === 'on';
  const isUnplayed = source.packagePrefix === null && isInstant;
  if (isUnplayed && !held.decodesWhole)
    await tools.sources.use(source.sourceKey, (path) =>
      playRemuxed(tools, { ...held, sizeBytes: source.sizeBytes }, path, signal),
    );
  const { facts, mimeType, cuts, keyframes, indexed, sourceTag } = await chooseEncodeSource(
    tools,
    held,
    source,
    signal,
  );
  const { durationMs } = facts;
  // The minutes of an edited video were charged when it was uploaded.
  if (durationMs !== null && source.edit === null)
    await chargeMinutes(tools.platform, { videoAssetId, channelId, durationMs });
  const maxBytes = derivedLimitOfVideo(source.sizeBytes);
  const { stages, ffmpegVersion: ffmpeg } = tools;
  const whole = { ...planEncode(facts, cuts, stages, keyframes), ...(ffmpeg === undefined ? {} : { ffmpeg }) };
  const chosen = await sizesChosenBefore(db, videoAssetId, whole, sourceTag);
  const plan = { ...whole, ...chosen };
  const copiedBytes = indexed?.sizeBytes ?? 0;
  await reserveDerived({ db, clock, space }, held, copiedBytes + Math.min(maxBytes, expectedPackageBytes(plan)));
  signal.throwIfAborted();
  const known = await outputKeysOf(db, videoAssetId);
  const costsMs = chunkCostsMs(plan, stages).map((costMs, index) => {
    const chunk = plan.chunks[index];
    const isKnown = chunk && outputKeys(plan, chunk, sourceTag, stages).every(({ key }) => known.has(key));
    return isKnown ? REUSED_COST_MS : costMs;
  });
  const costs = { costsMs, finishCostMs: finishCostMs(plan) };
  const encoded = { plan, mimeType, remuxedKey: indexed?.key ?? null, sourceTag };
  const samples = chosen ? [] : sampleChunks(plan);
  const planned = { jobId, attempt, ...encoded, ...costs, maxBytes, samples };
  await db.transaction(async (tx) => {
    if (!(await insertEncodePlan(tx, planned)))
      throw new Error('the job was taken over or cancelled before it could be planned');
    if (indexed) await keepIndexed(tx, indexed);
    await noteMissing(tx, videoAssetId, facts.missingMs ?? 0);
    // The video is playable with its first segment.
    if (isUnplayed && keyframes.length === 0 && planOnDemand(plan)) await wantSegment(tx, jobId, 0);
  });
}
