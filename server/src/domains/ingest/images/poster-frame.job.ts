import { defineJob } from '../../../platform/jobs/job.ts';

export interface PosterFrame {
  readonly contentId: string;
  readonly videoAssetId: string;
  readonly timeMs: number;
  /** Id of the request, from `frameRequestId`; a later request for another frame replaces it. */
  readonly requestId: string;
}

/** Extracts a frame of a video as the poster of its content. */
export const posterFrameJob = defineJob<PosterFrame>({
  name: 'poster-frame',
  retryLimit: 4,
  heartbeatSeconds: 10,
  expireInSeconds: 3600,
});
