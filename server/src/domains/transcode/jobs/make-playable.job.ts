import { defineJob } from '../../../platform/jobs/job.ts';

/**
 * Makes an uploaded file playable without encoding where its streams allow it, while `process-video` encodes. Reads
 * only its movie box.
 */
export const makePlayableJob = defineJob<{ videoAssetId: string }>({
  name: 'make-playable',
  retryLimit: 3,
  heartbeatSeconds: 10,
  expireInSeconds: 300,
});
