import { defineJob } from '../../../platform/jobs/job.ts';
import type { FetchSource, PictureRequest } from '../../assets/index.ts';

/** Fetches the file of an imported video with the operator's downloader and hands it on to processing. */
export const downloadVideoJob = defineJob<FetchSource>({
  name: 'download-video',
  retryLimit: 4,
  heartbeatSeconds: 10,
  expireInSeconds: 12 * 3600,
});

/** Makes the picture of an imported video the poster of its content. */
export const importPictureJob = defineJob<PictureRequest>({
  name: 'import-picture',
  retryLimit: 4,
  heartbeatSeconds: 10,
  expireInSeconds: 600,
});
