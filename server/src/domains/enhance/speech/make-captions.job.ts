import { defineJob } from '../../../platform/jobs/job.ts';

/** Makes captions from speech or by translation. A lost worker is detected after ten seconds. */
export const makeCaptionsJob = defineJob<{ jobId: string }>({
  name: 'make-captions',
  retryLimit: 5,
  heartbeatSeconds: 10,
  expireInSeconds: 23 * 3600,
});
