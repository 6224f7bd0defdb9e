import type { ImageDecoder, Runner } from '../../media/index.ts';
import { readFetchAllow } from '../../platform/fetch/fetch-allow.ts';
import { createGuardedFetch, type GuardedFetch } from '../../platform/fetch/guarded-fetch.ts';
import type { JobDefinition, JobHandler } from '../../platform/jobs/job.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Route } from '../../platform/routing.ts';
import { fetchPoster, type PosterRequest } from './images/fetch-poster.ts';
import { createRemoteImageFetcher, type FetchRemoteImage } from './images/fetch-remote-image.ts';
import { type PosterFrame, posterFrameJob } from './images/poster-frame.job.ts';
import { type FetchSource, fetchSourceJob } from './remote/fetch-source.job.ts';
import { registerUploads, type UploadsDependencies } from './uploads/register-uploads.ts';

export interface IngestDomain {
  /** Where uploads are received. */
  readonly routes: Route[];
  /** Rejects a `sourceUrl` that cannot be fetched: INVALID_INPUT with the field `sourceUrl`. */
  checkSourceUrl(url: string): Promise<void>;
  /** The image at an address supplied by a user, scaled down. */
  readonly fetchRemoteImage: FetchRemoteImage;
  /** Handler of jobs that `startFetching` sent under another name, with `fetch` to get the file. */
  sourceHandler(job: JobDefinition<FetchSource>, fetch: GuardedFetch): JobHandler<FetchSource>;
  /**
   * Fetches an image from the public internet and makes it the poster of a content that has none. See fetch-poster.ts.
   */
  fetchPoster(request: PosterRequest, signal: AbortSignal): Promise<void>;
  /** Removes abandoned uploads. */
  startWork(): void;
  /** Runs the jobs of this domain, which all read users' files. */
  startMediaWork(tools: { readonly runner: Runner; readonly toneMapping: boolean }): Promise<void>;
  /** Ends downloads and sweeps. */
  close(): Promise<void>;
}

export interface IngestDependencies extends UploadsDependencies {
  readonly imageDecoder: ImageDecoder;
}

/** Files that arrive: uploads, and what is fetched from other sites. */
export function registerIngest(platform: Platform, dependencies: IngestDependencies): IngestDomain {
  const { imageDecoder } = dependencies;
  const guarded = createGuardedFetch({ allow: readFetchAllow(platform.config.FETCH_ALLOW) });
  const uploads = registerUploads(platform, dependencies);
  return {
    routes: uploads.routes,
    checkSourceUrl: (url) => guarded.check(url),
    fetchRemoteImage: createRemoteImageFetcher(platform, guarded.fetch, imageDecoder),
    sourceHandler: (job, fetch) => fetchSourceHandler(platform, job, fetch),
    fetchPoster: (request, signal) => fetchPoster({ platform, fetch: guarded.fetch, imageDecoder }, request, signal),
    startWork: () => uploads.startSweeping(),
    async startMediaWork(found) {
      await platform.jobs.work(posterFrameHandler(platform, { ...found, imageDecoder }));
      await platform.jobs.work(fetchSourceHandler(platform, fetchSourceJob, guarded.fetch));
    },
    async close() {
      await uploads.stop();
      await guarded.close();
    },
  };
}

/** The handlers are loaded with the first job. */
function posterFrameHandler(
  platform: Platform,
  tools: { readonly runner: Runner; readonly toneMapping: boolean; readonly imageDecoder: ImageDecoder },
): JobHandler<PosterFrame> {
  const load = () => import('./images/poster-frame.handler.ts');
  return {
    job: posterFrameJob,
    handle: async (payload, run) => (await load()).takePosterFrame({ platform, ...tools }, payload, run),
    giveUp: async (payload, reason) => (await load()).giveUpPosterFrame(platform, payload, reason),
  };
}

function fetchSourceHandler(
  platform: Platform,
  job: JobDefinition<FetchSource>,
  fetch: GuardedFetch,
): JobHandler<FetchSource> {
  const load = () => import('./remote/fetch-source.handler.ts');
  return {
    job,
    concurrency: 2,
    handle: async (payload, run) => (await load()).fetchSource({ platform, fetch }, payload, run),
    giveUp: async (payload, reason) => (await load()).giveUpSource(platform, payload, reason),
  };
}
