import { availableParallelism } from 'node:os';
import type { SwitchedOff } from '../../kernel/features.ts';
import {
  type AddedCodec,
  type DecoderRunner,
  type ImageDecoder,
  openImageDecoder,
  type Runner,
} from '../../media/index.ts';
import { readFetchAllow } from '../../platform/fetch/fetch-allow.ts';
import { createGuardedFetch, type GuardedFetch } from '../../platform/fetch/guarded-fetch.ts';
import type { JobDefinition, JobHandler } from '../../platform/jobs/job.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Repeated, repeat } from '../../platform/repeat.ts';
import type { Route } from '../../platform/routing.ts';
import { retryCodecs } from './codecs/retry-codecs.ts';
import { sweepCodecs } from './codecs/sweep-codecs.ts';
import { evictCold } from './cold/evict-cold.ts';
import { endIdleRebuilds } from './cold/rebuild.ts';
import { type CutSource, cutSourceJob } from './cutting/cut-source.job.ts';
import type { FileGenerator } from './delivery/generated-media.ts';
import { mediaRoutes } from './delivery/media.routes.ts';
import { ChunkWorker } from './encoding/chunk-worker.ts';
import { finishVideoJob } from './encoding/finish-video.job.ts';
import { LocalSources } from './encoding/local-sources.ts';
import { fetchPoster, type PosterRequest } from './images/fetch-poster.ts';
import { createRemoteImageFetcher, type FetchRemoteImage } from './images/fetch-remote-image.ts';
import { type ResizedImage, resizeImage } from './images/image-resize.ts';
import { type PosterFrame, posterFrameJob } from './images/poster-frame.job.ts';
import { type RenderedLogo, renderLogo } from './images/render-logo.ts';
import { dropOriginals } from './originals/drop-originals.ts';
import { earlyPosterJob } from './playable/early-poster.job.ts';
import { makePlayableJob } from './playable/make-playable.job.ts';
import { forgetSound } from './playable/sound-segments.store.ts';
import { playbackRoutes } from './playback/playback.routes.ts';
import { processVideoJob } from './processing/process-video.job.ts';
import { type ProcessingWaiter, processingWaiter } from './processing/wait-for-processing.ts';
import { workFolders } from './processing/work-folders.ts';
import { sweepObjects } from './quota/sweep-objects.ts';
import { keepReplaced } from './replacement/keep-replaced.ts';
import { makeCaptionsJob } from './speech/make-captions.job.ts';
import { type Captioning, openCaptioning } from './speech/open-captioning.ts';
import { type FetchSource, fetchSourceJob } from './uploads/fetch-source.job.ts';
import { registerUploads, type UploadsDependencies } from './uploads/register-uploads.ts';
import { UpscaleModels } from './upscale/upscale-models.ts';
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

interface MediaTools extends WorkerTools {
  readonly imageDecoder: ImageDecoder;
  readonly sources: LocalSources;
  readonly models: UpscaleModels;
}

export interface AssetsDomain {
  readonly routes: Route[];
  readonly waiter: ProcessingWaiter;
  /** Rejects a `sourceUrl` that cannot be fetched: INVALID_INPUT with the field `sourceUrl`. */
  checkSourceUrl(url: string): Promise<void>;
  /** The image in a file, scaled down. See image-resize.ts. */
  resizeImage(path: string, side: number): Promise<ResizedImage>;
  /** The image at an address supplied by a user, scaled down. */
  readonly fetchRemoteImage: FetchRemoteImage;
  /** The logo in a file, as a PNG. See render-logo.ts. */
  renderLogo(file: Buffer): Promise<RenderedLogo>;
  /** Handler of jobs that `startFetching` sent under another name, with `fetch` to get the file. */
  sourceHandler(job: JobDefinition<FetchSource>, fetch: GuardedFetch): JobHandler<FetchSource>;
  /**
   * Fetches an image from the public internet and makes it the poster of a content that has none. See fetch-poster.ts.
   */
  fetchPoster(request: PosterRequest, signal: AbortSignal): Promise<void>;
  /** Removes leftovers of killed workers of this machine, of abandoned uploads and of deleted contents. */
  startWork(): Promise<void>;
  /** Runs the jobs of this domain, which all read users' files. */
  startMediaWork(tools: WorkerTools): Promise<void>;
  /** Running work that is not a job: chunks that are being encoded. */
  running(): Readonly<Record<string, number>>;
  /** Gives chunks that are being encoded here back to other workers. */
  stopMediaWork(): Promise<void>;
  /** Ends waits, downloads, sweeps and the image decoder. */
  close(): Promise<void>;
}

const SWEEP_OBJECTS_MS = 10_000;
const SWEEP_CODECS_MS = 10 * 60_000;
const FORGET_SOUND_MS = 60 * 60_000;

export interface AssetsDependencies extends UploadsDependencies {
  /** The image decoder. */
  readonly runner: DecoderRunner;
  /** Generators of files below /media/ from higher domains. */
  readonly files?: readonly FileGenerator[];
  /** None by default. */
  readonly switchedOff?: SwitchedOff;
}

/** Uploads, processing, images and playback. */
export function registerAssets(
  platform: Platform & { readonly databaseUrl: string },
  dependencies: AssetsDependencies,
): AssetsDomain {
  const guarded = createGuardedFetch({ allow: readFetchAllow(platform.config.FETCH_ALLOW) });
  const waiter = processingWaiter(platform.db);
  const imageDecoder = openImageDecoder(dependencies.runner, {
    onError: (error) => platform.log.warn({ error }, 'an image could not be decoded safely'),
  });
  const uploads = registerUploads(platform, { ...dependencies, imageDecoder });
  platform.events.subscribe(dropOriginals(platform.clock));
  platform.events.subscribe(retryCodecs());
  platform.events.subscribe(keepReplaced(platform.clock));
  const objects = repeat(platform.log, 'objects could not be swept, will be retried', SWEEP_OBJECTS_MS, () =>
    sweepObjects({ platform, receiving: dependencies.receiving }),
  );
  const codecs = repeat(platform.log, 'other codecs could not be ordered, will be retried', SWEEP_CODECS_MS, () =>
    sweepCodecs(platform),
  );
  const sounds = repeat(platform.log, 'requests for sound could not be forgotten', FORGET_SOUND_MS, async () => {
    await forgetSound(platform.db);
    return false;
  });
  const sources = new LocalSources(platform.store);
  let cold: Repeated | null = null;
  let chunks: ChunkWorker | null = null;
  let captioning: Captioning | null = null;
  let models: UpscaleModels | null = null;
  const stopMediaWork = async () => {
    await chunks?.stop();
    await cold?.stop();
    await models?.stop();
    sources.close();
  };
  return {
    routes: [...uploads.routes, ...mediaRoutes(platform, dependencies), ...playbackRoutes(platform)],
    waiter,
    checkSourceUrl: (url) => guarded.check(url),
    resizeImage: (path, side) => resizeImage(imageDecoder, path, side),
    renderLogo: (file) => renderLogo(imageDecoder, workFolders(platform.config.DATA_DIR, platform.log), file),
    fetchRemoteImage: createRemoteImageFetcher(platform, guarded.fetch, imageDecoder),
    sourceHandler: (job, fetch) => fetchSourceHandler(platform, job, fetch),
    fetchPoster: (request, signal) => fetchPoster({ platform, fetch: guarded.fetch, imageDecoder }, request, signal),
    async startWork() {
      await workFolders(platform.config.DATA_DIR, platform.log).sweep();
      uploads.startSweeping();
      objects.start();
      codecs.start();
      sounds.start();
    },
    async startMediaWork(found) {
      models = new UpscaleModels({ platform, runner: found.runner });
      models.start();
      const tools = { ...found, imageDecoder, sources, models };
      cold = coldSweep(platform, found);
      cold.start();
      const encoder = new ChunkWorker({ platform, runner: found.runner, sources, models }, platform.databaseUrl);
      chunks = encoder;
      encoder.start(platform.config.WORKER_CONCURRENCY ?? Math.min(MOST_LANES, availableParallelism()));
      await platform.jobs.work(makePlayableHandler(platform, tools));
      await platform.jobs.work(earlyPosterHandler(platform, tools));
      await platform.jobs.work(processVideoHandler(platform, tools, () => encoder.wake()));
      await platform.jobs.work(finishVideoHandler(platform, tools));
      await platform.jobs.work(posterFrameHandler(platform, tools));
      await platform.jobs.work(cutSourceHandler(platform, tools));
      await platform.jobs.work(waveformHandler(platform, found));
      captioning = openCaptioning(platform.config, found.runner, platform.log);
      await platform.jobs.work(captionsHandler(platform, found, captioning));
      await platform.jobs.work(fetchSourceHandler(platform, fetchSourceJob, guarded.fetch));
    },
    running: () => (chunks?.running ? { 'encode-chunk': chunks.running } : {}),
    stopMediaWork,
    async close() {
      waiter.stop();
      await stopMediaWork();
      await uploads.stop();
      await objects.stop();
      await codecs.stop();
      await sounds.stop();
      await guarded.close();
      await captioning?.close();
      await imageDecoder.close();
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
  tools: MediaTools,
  onPlanned: () => void,
): JobHandler<{ jobId: string }> {
  const load = () => import('./processing/process-video.handler.ts');
  return {
    job: processVideoJob,
    concurrency: INSPECTED_AT_ONCE,
    handle: async ({ jobId }, run) => (await load()).processVideo({ platform, ...tools, onPlanned }, jobId, run),
    giveUp: async ({ jobId }, reason) => (await load()).giveUpVideo(platform, jobId, reason),
  };
}

function finishVideoHandler(platform: Platform, tools: MediaTools): JobHandler<{ jobId: string }> {
  const load = () => import('./encoding/finish-video.handler.ts');
  return {
    job: finishVideoJob,
    concurrency: FINISHED_AT_ONCE,
    handle: async ({ jobId }, run) => (await load()).finishVideo({ platform, ...tools }, jobId, run),
    giveUp: async ({ jobId }, reason) => (await load()).giveUpFinishing(platform, jobId, reason),
  };
}

function posterFrameHandler(platform: Platform, tools: MediaTools): JobHandler<PosterFrame> {
  const load = () => import('./images/poster-frame.handler.ts');
  return {
    job: posterFrameJob,
    handle: async (payload, run) => (await load()).takePosterFrame({ platform, ...tools }, payload, run),
    giveUp: async (payload, reason) => (await load()).giveUpPosterFrame(platform, payload, reason),
  };
}

function cutSourceHandler(platform: Platform, tools: MediaTools): JobHandler<CutSource> {
  const load = () => import('./cutting/cut-source.handler.ts');
  return {
    job: cutSourceJob,
    handle: async (payload, run) => (await load()).cutSource({ platform, ...tools }, payload, run),
    giveUp: async (payload, reason) => (await load()).giveUpCut(platform, payload, reason),
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

function captionsHandler(
  platform: Platform,
  { runner }: WorkerTools,
  { recognizer, translator }: Captioning,
): JobHandler<{ jobId: string }> {
  const load = () => import('./speech/make-captions.handler.ts');
  return {
    job: makeCaptionsJob,
    handle: async ({ jobId }, run) =>
      (await load()).makeCaptions({ platform, runner, recognizer, translator }, jobId, run),
    giveUp: async ({ jobId }, reason) => (await load()).giveUpCaptions(platform, jobId, reason),
  };
}

function fetchSourceHandler(
  platform: Platform,
  job: JobDefinition<FetchSource>,
  fetch: GuardedFetch,
): JobHandler<FetchSource> {
  const load = () => import('./uploads/fetch-source.handler.ts');
  return {
    job,
    concurrency: 2,
    handle: async (payload, run) => (await load()).fetchSource({ platform, fetch }, payload, run),
    giveUp: async (payload, reason) => (await load()).giveUpSource(platform, payload, reason),
  };
}
