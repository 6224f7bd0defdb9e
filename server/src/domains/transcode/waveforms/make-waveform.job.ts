import { defineJob } from '../../../platform/jobs/job.ts';

export interface WaveformOrder {
  readonly contentId: string;
  readonly videoAssetId: string;
}

/** Makes the waveform of a video's sound. */
export const makeWaveformJob = defineJob<WaveformOrder>({
  name: 'make-waveform',
  retryLimit: 4,
  heartbeatSeconds: 10,
  expireInSeconds: 3600,
});
