import { defineJob } from '../../../platform/jobs/job.ts';

/** Processes an uploaded file into a stream. A lost worker is detected after ten seconds; an attempt may take a day. */
export const processVideoJob = defineJob<{ jobId: string }>({
  name: 'process-video',
  retryLimit: 6,
  heartbeatSeconds: 10,
  expireInSeconds: 23 * 3600,
});
