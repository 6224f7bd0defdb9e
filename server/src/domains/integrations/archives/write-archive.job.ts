import { defineJob } from '../../../platform/jobs/job.ts';

/** Writes an archive, from its beginning. */
export const writeArchiveJob = defineJob<{ archiveId: string }>({
  name: 'write-account-archive',
  retryLimit: 4,
  heartbeatSeconds: 10,
  expireInSeconds: 3_600,
});
