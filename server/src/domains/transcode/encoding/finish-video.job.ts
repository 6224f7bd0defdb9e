import { defineJob } from '../../../platform/jobs/job.ts';

/** Makes a package of a video whose chunks have all been encoded, and makes it playable. */
export const finishVideoJob = defineJob<{ jobId: string }>({
  name: 'finish-video',
  retryLimit: 6,
  heartbeatSeconds: 10,
  expireInSeconds: 23 * 3600,
});
