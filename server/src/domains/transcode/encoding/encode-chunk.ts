import { join } from 'node:path';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import {
  decodableFile,
  type EncodeChunkOptions,
  type EncodedChunk,
  type EncodePlan,
  encodeChunk,
  encodeSegment,
  outputKeys,
  peakBytes,
  planOnDemand,
  planVersion,
  type Runner,
  type Stage,
  streamsTooLarge,
  UnexpectedMediaError,
} from '../../../media/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import type { AttemptOutcome } from '../../../platform/jobs/attempts.store.ts';
import type { Attempt, Begun, Work } from '../../../platform/jobs/attempts.ts';
import { decideAfterFailure, type FailureDecision } from '../../../platform/jobs/job.ts';
import type { Platform } from '../../../platform/platform.ts';
import {
  noteDamage,
  onDemandFolder,
  onDemandPrefix,
  packagePrefix,
  requireAnySpace,
  videoPrefix,
  watchProgress,
  watchSpace,
  workFolders,
} from '../../assets/index.ts';
import { deleteRebuild } from '../cold/rebuild.store.ts';
import { orderWatchedSize } from '../cold/rebuild.ts';
import { clearEnded } from '../plans/clear-package.ts';
import { dropEncoding } from '../plans/drop-encoding.ts';
import {
  type ClaimedChunk,
  completeChunk,
  countRefusal,
  MOST_FAILURES,
  releaseChunk,
  renewChunk,
  type SingleChunk,
} from '../plans/encode-chunks.store.ts';
import type { ChunkSpeedKind } from '../plans/encode-speeds.store.ts';
import { speedKindOf } from '../plans/estimate.ts';
import { cancelProcessing, failProcessing } from '../plans/fail-processing.ts';
import { refuseSegment } from '../plans/on-demand.store.ts';
import { joinOutputs } from '../plans/outputs.ts';
import { planAgain } from '../plans/plan-again.ts';
import { reuseOutputs } from '../plans/reuse-outputs.ts';
import { chooseSizes } from '../plans/title-sizes.ts';
import { announceOnDemand, storeOnDemand } from '../playable/announce-on-demand.ts';
import type { LocalSources } from '../sources/local-sources.ts';
import type { UpscalingModels } from './additions.ts';
import { useChunkSource } from './chunk-source.ts';
import { decodeWhole, type EncodingFault, isEncodingFault } from './encoding-faults.ts';
import { finishVideoJob } from './finish-video.job.ts';

export interface EncodeChunkTools {
  readonly platform: Pick<Platform, 'config' | 'clock' | 'log' | 'db' | 'store' | 'space' | 'jobs'>;
  readonly runner: Runner;
  readonly sources: LocalSources;
  /** That there are; default all of this version. */
  readonly stages?: readonly Stage[];
  /** Default: those of the platform, on the CPU. */
  readonly models?: UpscalingModels;
}

/** How a chunk is encoded here. */
export interface EncodeRun {
  /** Aborted when the worker stops. */
  readonly signal: AbortSignal;
  /** Whether other chunks on this machine go first. */
  readonly background: boolean;
}

/**
 * Encodes a claimed chunk and stores its segments; the last chunk of a job starts `finish-video`. A chunk that cannot
 * be encoded because of the file fails the job; any other error gives the chunk back for another attempt.
 */
export async function encodeClaimedChunk(
  tools: EncodeChunkTools,
  claimed: ClaimedChunk,
  run: EncodeRun,
): Promise<void> {
  const { platform } = tools;
  const version = planVersion(claimed.plan, tools.stages);
  if (version === 'newer') return releaseChunk(platform.db, claimed, OTHER_VERSION_SECONDS, false);
  if (version === 'older' && claimed.folder !== null) return dropOutdated(platform, claimed);
  if (version === 'older') return planAgain(platform, { ...claimed, attempt: claimed.planAttempt });
  const progress = watchProgress((percent) => renewChunk(platform.db, claimed, percent / 100));
  let attempt: Attempt | null = null;
  try {
    const signal = AbortSignal.any([run.signal, progress.signal]);
    const begun = await platform.jobs.attempts.begin(workOf(claimed), signal);
    if (begun.kind !== 'begun') return await settleInterruption(platform, claimed, begun);
    attempt = begun.attempt;
    await encodeAndStore(tools, claimed, { ...run, signal, stopping: run.signal }, progress.set);
    await attempt.end('DONE');
  } catch (error) {
    const outcome = await settleFailure(platform, claimed, error, run.signal);
    await attempt?.end(outcome);
  } finally {
    await progress.stop();
  }
}

function workOf({ jobId, kind, number }: ClaimedChunk): Work {
  return { work: `encode-chunk ${jobId} ${kind} ${number}`, subject: jobId };
}

/** Gives a chunk back whose workers died, or ends its job. */
async function settleInterruption(
  platform: EncodeChunkTools['platform'],
  claimed: ClaimedChunk,
  begun: Exclude<Begun, { kind: 'begun' }>,
): Promise<void> {
  if (begun.kind === 'wait') return releaseChunk(platform.db, claimed, begun.afterSeconds, false);
  await giveUp(platform, claimed, { kind: 'give-up', reason: begun.reason });
}

/** Ends the job: viewers open another one. */
async function dropOutdated({ db, clock }: EncodeChunkTools['platform'], claimed: ClaimedChunk): Promise<void> {
  const { jobId, contentId, videoAssetId } = claimed;
  await db.transaction(async (tx) => {
    await dropEncoding(tx, { jobId, contentId, videoAssetId, status: 'DRAFT' }, clock.now());
    await deleteRebuild(tx, jobId);
  });
}

/** Pause before a chunk is claimed again that this version of the software cannot encode. */
const OTHER_VERSION_SECONDS = 30;

async function encodeAndStore(
  tools: EncodeChunkTools,
  claimed: ClaimedChunk,
  { signal, background, stopping }: EncodeRun & { readonly stopping: AbortSignal },
  onPercent: (percent: number) => void,
): Promise<void> {
  const { platform, runner, stages } = tools;
  const { db, store, config, log, space, jobs } = platform;
  await requireAnySpace(space, db);
  const prefix = prefixOf(claimed);
  const plan = await planHere(tools, claimed.plan);
  let isDamaged = false;
  const encodeOnly = (only: readonly string[] | null): Promise<EncodedChunk> =>
    workFolders(config.DATA_DIR, log).use((folder) =>
      useChunkSource(tools, claimed, stopping, (sourcePath) =>
        watchSpace(space, signal, async (watched) =>
          encode(
            runner,
            { ...claimed, plan: only ? { ...plan, only } : plan },
            {
              inputPath: await decodableFile(runner, sourcePath, { workDir: join(folder, 'source'), signal: watched }),
              workDir: join(folder, 'chunk'),
              write: writer(store, prefix, watched),
              maxBytes: claimed.maxBytes,
              onProgress: (fraction) => onPercent(100 * fraction),
              onDamage: () => {
                isDamaged = true;
              },
              signal: watched,
              background,
              stages,
            },
          ),
        ),
      ),
    );
  const { encoded, reused } = await encodeMissing(platform, claimed, stages, encodeOnly, {
    ...{ write: writer(store, prefix, signal), signal },
  });
  const { codec, upmix, upscale } = claimed.plan;
  const isAdded = [codec, upmix, upscale].some((each) => each !== undefined) || claimed.folder !== null;
  const announced = isFirstOnDemand(claimed) ? await storeOnDemand(store, prefix, claimed.plan, encoded) : null;
  await db.transaction(async (tx) => {
    const state = await completeChunk(
      tx,
      { ...claimed, peakBytes: reused ? null : peakBytesOf(claimed), speedKind: measuredAs(claimed) },
      encoded,
    );
    if (state === null) throw new Error('the chunk was taken over or its job has ended');
    if (state.bytes > state.maxBytes) throw streamsTooLarge();
    if (isDamaged) await noteDamage(tx, claimed.videoAssetId);
    await chooseSizes(platform, tx, claimed);
    if (announced) await announceOnDemand(platform, tx, claimed, announced);
    if (state.left === 0 && claimed.kind !== 'on-demand')
      await jobs.send(tx, finishVideoJob, { jobId: claimed.jobId }, { priority: isAdded ? ADDED_PRIORITY : 0 });
  });
  const { folder, chunk } = claimed;
  if (folder !== null && chunk.kind === 'on-demand' && chunk.single)
    await orderWatchedSize({ platform, stages }, { ...claimed, folder, single: chunk.single });
}

/** Speeds are measured for all sizes in H.264, and for enhancements. */
function measuredAs({ plan, chunk, folder }: ClaimedChunk): ChunkSpeedKind | null {
  return chunk.kind === 'on-demand' || plan.codec !== undefined || folder !== null
    ? null
    : speedKindOf(plan, chunk.kind);
}

/** Of finishing what was added to a video, which takes less than a second. */
const ADDED_PRIORITY = 1;

/** The plan, with what this machine adds to it. */
async function planHere({ models }: EncodeChunkTools, plan: EncodePlan): Promise<EncodePlan> {
  return plan.upscale && models ? { ...plan, upscale: await models.here(plan.upscale) } : plan;
}

function writer(store: Platform['store'], prefix: string, signal: AbortSignal): EncodeChunkOptions['write'] {
  return async (path, bytes) => {
    signal.throwIfAborted();
    await store.put(`${prefix}${path}`, bytes, { contentType: 'video/iso.segment' });
  };
}

/** Encodes a chunk, but for outputs that the video has already from an earlier time with the same keys. */
async function encodeMissing(
  platform: EncodeChunkTools['platform'],
  claimed: ClaimedChunk,
  stages: readonly Stage[] | undefined,
  encodeOnly: (only: readonly string[] | null) => Promise<EncodedChunk>,
  target: Parameters<typeof reuseOutputs>[3],
): Promise<{ encoded: EncodedChunk; reused: boolean }> {
  const { plan, chunk, sourceTag } = claimed;
  if (chunk.kind === 'on-demand' || sourceTag === null) return { encoded: await encodeOnly(null), reused: false };
  const keys = outputKeys(plan, chunk, sourceTag, stages);
  const reused = await reuseOutputs(platform, claimed, keys, target);
  if (reused.length === 0) return { encoded: await encodeOnly(null), reused: false };
  const known = new Set(reused.flatMap(({ parts }) => parts.map(({ folder }) => folder)));
  const missing = keys.map(({ folder }) => folder).filter((folder) => !known.has(folder));
  const encoded = missing.length > 0 ? await encodeOnly(missing) : null;
  const firstSegment = chunk.kind === 'video' ? chunk.firstSegment : 0;
  return { encoded: joinOutputs(keys, reused, encoded, firstSegment), reused: true };
}

function encode(runner: Runner, { plan, chunk }: ClaimedChunk, options: EncodeChunkOptions): Promise<EncodedChunk> {
  if (chunk.kind !== 'on-demand') return encodeChunk(runner, plan, chunk, options);
  if (chunk.single) return encodeSingle(runner, plan, chunk.single, options);
  const demand = planOnDemand(plan);
  if (!demand) throw new Error('segments of this video cannot be encoded one by one');
  return encodeSegment(runner, plan, demand, chunk.number, options);
}

/** A segment of an evicted rendition, whose initialization segment viewers have already. */
async function encodeSingle(
  runner: Runner,
  plan: EncodePlan,
  { folder, segment, init }: SingleChunk,
  options: EncodeChunkOptions,
): Promise<EncodedChunk> {
  const encoded = await encodeChunk(runner, { ...plan, only: [folder] }, segment, options);
  if (encoded.parts[0]?.init === init) return encoded;
  throw new AppError('TRANSCODE_FAILED', t`A segment of ${folder} does not fit the others any more.`);
}

function peakBytesOf({ plan, chunk }: ClaimedChunk): number {
  return chunk.kind === 'on-demand' ? 0 : peakBytes(plan, chunk);
}

function isFirstOnDemand({ kind, number, folder }: ClaimedChunk): boolean {
  return kind === 'on-demand' && number === 0 && folder === null;
}

function prefixOf({ kind, contentId, videoAssetId, jobId, planAttempt, folder }: ClaimedChunk): string {
  if (folder !== null) {
    const name = `${folder}/`;
    return videoPrefix(contentId, videoAssetId) + (kind === 'on-demand' ? onDemandFolder(name) : name);
  }
  const prefix = kind === 'on-demand' ? onDemandPrefix : packagePrefix;
  return prefix(contentId, videoAssetId, jobId, planAttempt);
}

/** A chunk that did not pass verification, or in which a stage failed, is encoded once more. */
const MOST_REFUSALS = 2;

type Decision = FailureDecision | { readonly kind: 'fault'; readonly error: EncodingFault };

async function decide(db: Executor, claimed: ClaimedChunk, error: unknown): Promise<Decision> {
  if (!isEncodingFault(error)) return decideAfterFailure(error, claimed.failures, MOST_FAILURES - 1);
  // The same file is decoded in the same way again.
  const isOfFile = error instanceof UnexpectedMediaError;
  if (!isOfFile && (await countRefusal(db, claimed)) < MOST_REFUSALS)
    return { kind: 'again', afterSeconds: 0, counted: true };
  return { kind: 'fault', error };
}

async function settleFailure(
  platform: EncodeChunkTools['platform'],
  claimed: ClaimedChunk,
  error: unknown,
  stopping: AbortSignal,
): Promise<AttemptOutcome> {
  const { db, log } = platform;
  const { jobId, kind, number, attempt } = claimed;
  if (stopping.aborted) {
    await releaseChunk(db, claimed, 0, false);
    return 'RETURNED';
  }
  await cancelProcessing(platform, jobId);
  if (!(await renewChunk(db, claimed, 0))) {
    // Another worker has it, or the job has ended.
    await clearAfter(platform, claimed);
    return 'RETURNED';
  }
  const decision = await decide(db, claimed, error);
  log.warn({ error, jobId, kind, number, attempt, decision: decision.kind }, 'chunk failed');
  if (decision.kind === 'again') {
    await releaseChunk(db, claimed, decision.afterSeconds, decision.counted);
    return 'FAILED';
  }
  await giveUp(platform, claimed, decision);
  return 'DONE';
}

async function giveUp(
  platform: EncodeChunkTools['platform'],
  claimed: ClaimedChunk,
  decision: Extract<Decision, { readonly kind: 'fault' | 'give-up' }>,
): Promise<void> {
  const { jobId, kind, number, attempt, planAttempt } = claimed;
  // The chunk that has this part of the video decides what becomes of it.
  if (kind === 'on-demand') return refuseSegment(platform.db, jobId, number, attempt);
  const reason =
    decision.kind === 'fault'
      ? await decodeWhole(platform, { ...claimed, attempt: planAttempt }, decision.error)
      : decision.reason;
  if (reason === null) return;
  await failProcessing(platform, jobId, planAttempt, reason);
  await clearAfter(platform, claimed);
}

/** Removes what was stored for a job that has ended, unless it worked on a package that is played. */
async function clearAfter(platform: EncodeChunkTools['platform'], claimed: ClaimedChunk): Promise<void> {
  if (claimed.folder === null) await clearEnded(platform, claimed.jobId, prefixOf(claimed));
}
