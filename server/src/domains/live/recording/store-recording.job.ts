import { defineJob } from '../../../platform/jobs/job.ts';

export interface StoreRecording {
  readonly broadcastId: string;
}

/** Makes a file of a recording, and has it encoded like an upload. */
export const storeRecordingJob = defineJob<StoreRecording>({
  name: 'store-recording',
  retryLimit: 4,
  heartbeatSeconds: 10,
  expireInSeconds: 3_600,
});
