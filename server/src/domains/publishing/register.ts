import type { IncomingMessage } from 'node:http';
import type { Viewer } from '../../gql/index.ts';
import type { Runner } from '../../media/index.ts';
import { readFetchAllow } from '../../platform/fetch/fetch-allow.ts';
import { createGuardedExchange } from '../../platform/fetch/guarded-exchange.ts';
import type { JobHandler } from '../../platform/jobs/job.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Route } from '../../platform/routing.ts';
import type { IngestDomain, PosterRequest } from '../ingest/index.ts';
import { googleOauth } from './connections/google-oauth.ts';
import { SiteAccesses } from './connections/site-access.ts';
import { CALLBACK_PATH, youTubeRoutes } from './connections/youtube.routes.ts';
import { videoDownloader } from './imports/download-video.ts';
import { downloadVideoJob, importPosterJob } from './publications/publishing.jobs.ts';
import { workOnPublications } from './publications/register-publications.ts';
import type { PublishingServices } from './services.ts';
import { readSiteAddresses } from './site/site-addresses.ts';
import { youTubeSite } from './site/youtube-site.ts';
import { youTubeUploads } from './site/youtube-uploads.ts';

export interface PublishingDomain {
  /** Routes of the OAuth flow with Google. */
  readonly routes: Route[];
  /** `services.publishing` of the engine. */
  readonly services: PublishingServices;
  /** Starts fetching images and files of imported videos, and uploading videos to the site; on workers. */
  startWork(): Promise<void>;
  /** Fetches images and files of imported videos. */
  startMediaWork(tools: { readonly runner: Runner }): Promise<void>;
  close(): Promise<void>;
}

export interface PublishingDependencies {
  /** The signed-in account of a request. */
  readonly person: (request: IncomingMessage) => Promise<Viewer>;
  readonly media: Pick<IngestDomain, 'fetchPoster' | 'sourceHandler'>;
}

/** Imports from and publications to other sites. */
export function registerPublishing(platform: Platform, { person, media }: PublishingDependencies): PublishingDomain {
  const { db, clock, secrets, config, log } = platform;
  const { YOUTUBE_CLIENT_ID: id, YOUTUBE_CLIENT_SECRET: secret } = config;
  const settingsUrl = `${config.BASE_URL}/settings/account`;
  const addresses = readSiteAddresses(config);
  const { exchange, close } = createGuardedExchange({ allow: readFetchAllow(config.FETCH_ALLOW) });
  const connect = (client: { id: string; secret: string }) => {
    const oauth = googleOauth({ client, addresses, exchange, redirectUri: `${config.BASE_URL}${CALLBACK_PATH}` });
    const accesses = new SiteAccesses({ db, clock, secrets, oauth, settingsUrl });
    const uploads = youTubeUploads({ addresses, exchange, clock });
    const publications = { platform, uploads, access: (accountId: string) => accesses.of(accountId) };
    return {
      db,
      clock,
      secrets,
      log,
      oauth,
      site: youTubeSite({ addresses, exchange, clock }),
      accesses,
      publications,
    };
  };
  const canDownload = config.YOUTUBE_DOWNLOADER !== undefined;
  const youtube = id !== undefined && secret !== undefined ? connect({ id, secret }) : null;
  return {
    routes: youTubeRoutes({ tools: youtube, person, canDownload, settingsUrl }),
    services: { db, secrets, log, youtube, canDownload },
    async startWork() {
      if (youtube) await workOnPublications(youtube.publications);
    },
    async startMediaWork({ runner }) {
      await platform.jobs.work(posterHandler(platform, media));
      const program = config.YOUTUBE_DOWNLOADER;
      if (program === undefined) return;
      await platform.jobs.work(
        media.sourceHandler(
          downloadVideoJob,
          videoDownloader({ program, runner, dataDir: config.DATA_DIR, log: platform.log }),
        ),
      );
    },
    close,
  };
}

/** A failed poster does not fail the import. */
function posterHandler({ log }: Platform, media: PublishingDependencies['media']): JobHandler<PosterRequest> {
  return {
    job: importPosterJob,
    handle: (request, { signal }) => media.fetchPoster(request, signal),
    giveUp: async ({ contentId }, reason) =>
      log.warn({ error: reason, contentId }, 'the thumbnail of an imported video could not be imported'),
  };
}
