import { AppError, ERROR_CATALOGUE } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import {
  type AddedCodec,
  chunkCostsMs,
  expectedPackageBytes,
  finishCostMs,
  outputKeys,
  planEncode,
  planOnDemand,
  type Runner,
  type Stage,
  sampleChunks,
} from '../../../media/index.ts';
import type { JobRun } from '../../../platform/jobs/job.ts';
import type { Platform } from '../../../platform/platform.ts';
import { enhancementOfJob } from '../additions/enhancements.store.ts';
import { planCodecJob } from '../codecs/plan-codec-job.ts';
import { packagePrefix } from '../delivery/media-address.ts';
import { clearPackage } from '../encoding/clear-package.ts';
import { insertEncodePlan, isPlanned } from '../encoding/encode-plans.store.ts';
import { recordPlanning } from '../encoding/encode-speeds.store.ts';
import { isOwnFault, ownFault } from '../encoding/encoding-faults.ts';
import { PLANNING_COST_MS } from '../encoding/estimate.ts';
import type { LocalSources } from '../encoding/local-sources.ts';
import { wantSegment } from '../encoding/on-demand.store.ts';
import { outputKeysOf } from '../encoding/outputs.store.ts';
import { sizesChosenBefore } from '../encoding/title-sizes.ts';
import { playRemuxed } from '../playable/play-remuxed.ts';
import { removeUnplayedCopy } from '../playable/publish-copy.ts';
import { chargeMinutes } from '../quota/charge-minutes.ts';
import { requireAnySpace } from '../quota/reserve-space.ts';
import type { ChosenUpmix } from '../upmix/order-upmix.ts';
import { planUpmixJob } from '../upmix/plan-upmix-job.ts';
import type { ChosenUpscale } from '../upscale/order-upscale.ts';
import { planUpscaleJob } from '../upscale/plan-upscale-job.ts';
import type { UpscaleModels } from '../upscale/upscale-models.ts';
import { derivedLimitOfVideo } from './derived.policy.ts';
import { chooseEncodeSource } from './encode-source.ts';
import { cancelProcessing, failProcessing } from './end-processing.ts';
import { keepIndexed } from './indexed-source.ts';
import { watchProgress } from './report-progress.ts';
import { reserveDerived } from './reserve-derived.ts';
import { type ClaimedJob, claimTranscodeJob, releaseTranscodeJob, reportProgress } from './transcode-jobs.store.ts';
import { noteMissing, videoSourceFacts } from './video-assets.store.ts';

export interface ProcessVideoTools {
  readonly platform: Pick<Platform, 'config' | 'clock' | 'log' | 'db' | 'store' | 'space' | 'jobs'>;
  readonly runner: Runner;
  readonly sources: LocalSources;
  /** From `probeTools`. */
  readonly toneMapping: boolean;
  readonly ffmpegVersion?: string;
  /** That ffmpeg encodes beside H.264; default all. */
  readonly codecs?: readonly AddedCodec[];
  /** That there are; default all of this version. */
  readonly stages?: readonly Stage[];
  /** How models that upscale are run here; default: those of the platform, on the CPU. */
  readonly models?: Pick<UpscaleModels, 'here'>;
  /** Called when chunks of a video can be encoded. */
  readonly onPlanned: () => void;
}

type Claimed = ClaimedJob & { readonly videoAssetId: string };

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
  const held: Claimed = { ...claimed, videoAssetId: claimed.videoAssetId };
  const progress = watchProgress((percent) => reportProgress(db, jobId, held.attempt, percent));
  try {
    const signal = AbortSignal.any([run.signal, progress.signal]);
    if (held.codec !== null) await planCodecJob(tools, held, held.codec, signal);
    else if (held.purpose === 'ENHANCE') await planEnhancement(tools, held, signal);
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

async function planEnhancement(tools: ProcessVideoTools, held: Claimed, signal: AbortSignal): Promise<void> {
  const enhancement = await enhancementOfJob(tools.platform.db, held.jobId);
  // A job whose enhancement was removed is cancelled.
  if (enhancement === null) throw new Error('the enhancement was removed');
  // As `startUpmix` and `startUpscale` stored it.
  if (enhancement.kind === 'UPMIX') return planUpmixJob(tools, held, enhancement.input as ChosenUpmix, signal);
  return planUpscaleJob(tools, held, enhancement.input as ChosenUpscale, signal);
}

/** Of a chunk whose outputs are all taken from an earlier package. */
const REUSED_COST_MS = 20;

async function planVideo(tools: ProcessVideoTools, held: Claimed, signal: AbortSignal): Promise<void> {
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
