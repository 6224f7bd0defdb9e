import { defineJob } from '../../../platform/jobs/job.ts';

/** Takes the poster of a video that is playable before it is encoded. */
export const earlyPosterJob = defineJob<{ videoAssetId: string }>({
  name: 'early-poster',
  retryLimit: 2,
  heartbeatSeconds: 10,
  expireInSeconds: 300,
});
