import { defineJob } from '../../../platform/jobs/job.ts';
import type { FetchSource, PosterRequest } from '../../ingest/index.ts';

/** Fetches the file of an imported video with the operator's downloader and queues its processing. */
export const downloadVideoJob = defineJob<FetchSource>({
  name: 'download-video',
  retryLimit: 4,
  heartbeatSeconds: 10,
  expireInSeconds: 12 * 3600,
});

/** Uses the image of an imported video as the poster of its content. */
export const importPosterJob = defineJob<PosterRequest>({
  name: 'import-picture',
  retryLimit: 4,
  heartbeatSeconds: 10,
  expireInSeconds: 600,
});
