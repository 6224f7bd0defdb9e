import { defineJob } from '../../../platform/jobs/job.ts';

/** Sends the file of a YouTubePublishJob to the site. */
export const publishToYouTubeJob = defineJob<{ readonly jobId: string }>({
  name: 'publish-to-youtube',
  retryLimit: 20,
  heartbeatSeconds: 10,
  expireInSeconds: 24 * 3600,
});

/** Looks once at what the site makes of a file; the next look is another job. */
export const watchYouTubeProcessingJob = defineJob<{
  readonly jobId: string;
  /** How many were made before: one that was sent twice finds that another was quicker. */
  readonly look: number;
}>({
  name: 'watch-youtube-processing',
  retryLimit: 20,
  heartbeatSeconds: 10,
  expireInSeconds: 300,
});
