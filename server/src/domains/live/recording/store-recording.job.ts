import { defineJob } from '../../../platform/jobs/job.ts';

/** Makes a file of a recording, and has it encoded like an upload. */
export const storeRecordingJob = defineJob<{ broadcastId: string }>({
  name: 'store-recording',
  retryLimit: 4,
  heartbeatSeconds: 10,
  expireInSeconds: 3_600,
});
