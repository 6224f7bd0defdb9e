import { availableParallelism } from 'node:os';
import type { AddedCodec, ImageDecoder, Runner } from '../../media/index.ts';
import type { JobHandler } from '../../platform/jobs/job.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Repeated, repeat } from '../../platform/repeat.ts';
import { evictCold } from './cold/evict-cold.ts';
import { endIdleRebuilds } from './cold/rebuild.ts';
import { type CutSource, cutSourceJob } from './cutting/cut-source.job.ts';
import { keepReplaced } from './cutting/keep-replaced.ts';
import type { Additions, UpscalingModels } from './encoding/additions.ts';
import { ChunkWorker } from './encoding/chunk-worker.ts';
import { finishVideoJob } from './encoding/finish-video.job.ts';
import { makePlayableJob } from './jobs/make-playable.job.ts';
import { processVideoJob } from './jobs/process-video.job.ts';
import { type ProcessingWaiter, processingWaiter } from './jobs/wait-for-processing.ts';
import { earlyPosterJob } from './playable/early-poster.job.ts';
import { forgetSound } from './playable/sound-segments.store.ts';
import { LocalSources } from './sources/local-sources.ts';
import { makeWaveformJob, type WaveformOrder } from './waveforms/make-waveform.job.ts';

/** The tools of a worker, detected at startup. */
export interface WorkerTools {
  readonly runner: Runner;
  /** From `probeTools`. */
  readonly toneMapping: boolean;
  readonly ffmpegVersion?: string;
  /** From `probeTools`; default all. */
  readonly codecs?: readonly AddedCodec[];
}

export interface TranscodeDependencies {
  readonly imageDecoder: ImageDecoder;
  /** What is added to processed videos; loaded with the first job. */
  readonly additions: () => Promise<Additions>;
}

interface MediaTools extends WorkerTools, TranscodeDependencies {
  readonly sources: LocalSources;
  readonly models: UpscalingModels;
}

export interface TranscodeDomain {
  readonly waiter: ProcessingWaiter;
  startWork(): void;
  /** Runs the jobs of this domain, which all read users' files. */
  startMediaWork(tools: WorkerTools, models: UpscalingModels): Promise<void>;
  /** Running work that is not a job: chunks that are being encoded. */
  running(): Readonly<Record<string, number>>;
  /** Gives chunks that are being encoded here back to other workers. */
  stopMediaWork(): Promise<void>;
  /** Ends waits and sweeps. */
  close(): Promise<void>;
}

const FORGET_SOUND_MS = 60 * 60_000;

/** Makes uploaded videos playable, and encodes them. */
export function registerTranscode(
  platform: Platform & { readonly databaseUrl: string },
  dependencies: TranscodeDependencies,
): TranscodeDomain {
  const waiter = processingWaiter(platform.db);
  platform.events.subscribe(keepReplaced(platform.clock));
  const sounds = repeat(platform.log, 'requests for sound could not be forgotten', FORGET_SOUND_MS, async () => {
    await forgetSound(platform.db);
    return false;
  });
  const sources = new LocalSources(platform.store);
  let cold: Repeated | null = null;
  let chunks: ChunkWorker | null = null;
  const stopMediaWork = async () => {
    await chunks?.stop();
    await cold?.stop();
    sources.close();
  };
  return {
    waiter,
    startWork: () => sounds.start(),
    async startMediaWork(found, models) {
      const tools = { ...found, ...dependencies, sources, models };
      cold = coldSweep(platform, found);
      cold.start();
      const encoder = new ChunkWorker({ platform, runner: found.runner, sources, models }, platform.databaseUrl);
      chunks = encoder;
      encoder.start(platform.config.WORKER_CONCURRENCY ?? Math.min(MOST_LANES, availableParallelism()));
      await platform.jobs.work(makePlayableHandler(platform, tools));
      await platform.jobs.work(earlyPosterHandler(platform, tools));
      await platform.jobs.work(processVideoHandler(platform, tools, () => encoder.wake()));
      await platform.jobs.work(finishVideoHandler(platform, tools));
      await platform.jobs.work(cutSourceHandler(platform, tools));
      await platform.jobs.work(waveformHandler(platform, found));
    },
    running: () => (chunks?.running ? { 'encode-chunk': chunks.running } : {}),
    stopMediaWork,
    async close() {
      waiter.stop();
      await stopMediaWork();
      await sounds.stop();
    },
  };
}

const SWEEP_COLD_MS = 3_600_000;
const EVICT_COLD_MS = 86_400_000;

/** Evicts the larger sizes of videos that nobody watches, and ends jobs that nobody waits for any more. */
function coldSweep(platform: Platform, { ffmpegVersion }: WorkerTools): Repeated {
  let evictedMs = Number.NEGATIVE_INFINITY;
  return repeat(platform.log, 'cold videos could not be swept, will be retried', SWEEP_COLD_MS, async () => {
    await endIdleRebuilds(platform);
    const nowMs = platform.clock.now();
    if (nowMs - evictedMs < EVICT_COLD_MS) return false;
    await evictCold({ platform, ...(ffmpegVersion === undefined ? {} : { ffmpegVersion }) });
    evictedMs = nowMs;
    return false;
  });
}

/** By default; each holds the frames of a video. */
const MOST_LANES = 12;

/** Videos whose movie box one worker reads at a time. */
const PLAYABLE_AT_ONCE = 2;

/** The handlers are loaded with the first job. */
function makePlayableHandler(platform: Platform, { runner }: MediaTools): JobHandler<{ videoAssetId: string }> {
  const load = () => import('./playable/make-playable.handler.ts');
  return {
    job: makePlayableJob,
    concurrency: PLAYABLE_AT_ONCE,
    handle: async ({ videoAssetId }, run) => (await load()).makePlayable({ platform, runner }, videoAssetId, run),
    // The video is encoded meanwhile, and playable then.
    giveUp: async ({ videoAssetId }, error) =>
      platform.log.warn({ error, videoAssetId }, 'video could not be made playable before it is encoded'),
  };
}

function earlyPosterHandler(platform: Platform, tools: MediaTools): JobHandler<{ videoAssetId: string }> {
  const load = () => import('./playable/early-poster.handler.ts');
  return {
    job: earlyPosterJob,
    handle: async ({ videoAssetId }, run) => (await load()).takeEarlyPoster({ platform, ...tools }, videoAssetId, run),
    // The package has one.
    giveUp: async ({ videoAssetId }, error) =>
      platform.log.warn({ error, videoAssetId }, 'no poster could be taken before the video is encoded'),
  };
}

/** Files that one worker inspects at a time, and packages that it finishes. */
const INSPECTED_AT_ONCE = 2;
const FINISHED_AT_ONCE = 2;

function processVideoHandler(
  platform: Platform,
  { additions, ...tools }: MediaTools,
  onPlanned: () => void,
): JobHandler<{ jobId: string }> {
  const load = () => import('./encoding/process-video.handler.ts');
  return {
    job: processVideoJob,
    concurrency: INSPECTED_AT_ONCE,
    handle: async ({ jobId }, run) =>
      (await load()).processVideo({ platform, ...tools, additions: await additions(), onPlanned }, jobId, run),
    giveUp: async ({ jobId }, reason) => (await load()).giveUpVideo(platform, jobId, reason),
  };
}

function finishVideoHandler(platform: Platform, { additions, ...tools }: MediaTools): JobHandler<{ jobId: string }> {
  const load = () => import('./encoding/finish-video.handler.ts');
  return {
    job: finishVideoJob,
    concurrency: FINISHED_AT_ONCE,
    handle: async ({ jobId }, run) =>
      (await load()).finishVideo({ platform, ...tools, additions: await additions() }, jobId, run),
    giveUp: async ({ jobId }, reason) => (await load()).giveUpFinishing(platform, jobId, reason),
  };
}

function cutSourceHandler(platform: Platform, tools: MediaTools): JobHandler<CutSource> {
  const load = () => import('./cutting/cut-source.handler.ts');
  return {
    job: cutSourceJob,
    handle: async (payload, run) => (await load()).cutSource({ platform, ...tools }, payload, run),
    giveUp: async (payload, reason) => (await import('./cutting/run-cut.ts')).giveUpCut(platform, payload, reason),
  };
}

function waveformHandler(platform: Platform, { runner }: WorkerTools): JobHandler<WaveformOrder> {
  const load = () => import('./waveforms/make-waveform.handler.ts');
  return {
    job: makeWaveformJob,
    handle: async (payload, run) => (await load()).makeWaveform({ platform, runner }, payload, run),
    giveUp: async (payload, reason) => (await load()).giveUpWaveform(platform, payload, reason),
  };
}
