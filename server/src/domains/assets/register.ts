import type { Runner } from '../../media/index.ts';
import { readFetchAllow } from '../../platform/fetch/fetch-allow.ts';
import { createGuardedFetch } from '../../platform/fetch/guarded-fetch.ts';
import type { JobHandler } from '../../platform/jobs/job.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Route } from '../../platform/routing.ts';
import { type FetchSource, fetchSourceJob } from './fetch-source.job.ts';
import { mediaRoutes } from './media.routes.ts';
import type { PosterImage } from './process-video.handler.ts';
import { processVideoJob } from './process-video.job.ts';
import { type ProcessingWaiter, processingWaiter } from './wait-for-processing.ts';
import { workFolders } from './work-folders.ts';

export interface AssetsDependencies {
  /** Keeps a generated poster: writes its variants and its row. The file is left in place. */
  readonly storeImage: (image: PosterImage) => Promise<unknown>;
}

/** The tools of a worker, found at its start. */
export interface WorkerTools {
  readonly runner: Runner;
  /** From `probeTools`. */
  readonly toneMapping: boolean;
}

export interface AssetsDomain {
  readonly routes: Route[];
  readonly waiter: ProcessingWaiter;
  /** Refuses a `sourceUrl` that would not be fetched: INVALID_INPUT with the field `sourceUrl`. */
  checkSourceUrl(url: string): Promise<void>;
  /** Takes up work: sweeps what killed workers of this machine left behind, then runs the jobs of this domain. */
  startWork(tools: WorkerTools): Promise<void>;
  /** Ends waits and downloads. */
  close(): Promise<void>;
}

/** Playback, processing and everything around them. */
export function registerAssets(platform: Platform, dependencies: AssetsDependencies): AssetsDomain {
  const guarded = createGuardedFetch({ allow: readFetchAllow(platform.config.FETCH_ALLOW) });
  const waiter = processingWaiter(platform.db);
  return {
    routes: mediaRoutes(platform),
    waiter,
    checkSourceUrl: (url) => guarded.check(url),
    async startWork(tools) {
      await workFolders(platform.config.DATA_DIR).sweep();
      await platform.jobs.work(processVideoHandler(platform, { ...tools, ...dependencies }));
      await platform.jobs.work(fetchSourceHandler(platform, guarded.fetch));
    },
    async close() {
      waiter.stop();
      await guarded.close();
    },
  };
}

/** The heavy halves are loaded when the first job comes. */
function processVideoHandler(platform: Platform, tools: WorkerTools & AssetsDependencies): JobHandler<{ jobId: string }> {
  const load = () => import('./process-video.handler.ts');
  return {
    job: processVideoJob,
    concurrency: platform.config.WORKER_CONCURRENCY,
    handle: async ({ jobId }, run) => (await load()).processVideo({ platform, ...tools }, jobId, run),
    giveUp: async ({ jobId }, reason) => (await load()).giveUpVideo(platform, jobId, reason),
  };
}

function fetchSourceHandler(platform: Platform, fetch: ReturnType<typeof createGuardedFetch>['fetch']): JobHandler<FetchSource> {
  const load = () => import('./fetch-source.handler.ts');
  return {
    job: fetchSourceJob,
    concurrency: 2,
    handle: async (payload, run) => (await load()).fetchSource({ platform, fetch }, payload, run),
    giveUp: async (payload, reason) => (await load()).giveUpSource(platform, payload, reason),
  };
}
