import { defineJob } from '../../../platform/jobs/job.ts';

/** Makes a stream of an uploaded file. A lost worker is noticed after ten seconds; an attempt may take a day. */
export const processVideoJob = defineJob<{ jobId: string }>({
  name: 'process-video',
  retryLimit: 6,
  heartbeatSeconds: 10,
  expireInSeconds: 23 * 3600,
});
