import { defineJob } from '../../../platform/jobs/job.ts';

/** Writes the next parts of an export, for a minute. A lost worker is detected after ten seconds. */
export const exportDataJob = defineJob<{ exportId: string }>({
  name: 'export-data',
  retryLimit: 8,
  heartbeatSeconds: 10,
  expireInSeconds: 600,
});
