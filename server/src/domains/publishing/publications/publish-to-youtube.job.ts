import { defineJob } from '../../../platform/jobs/job.ts';

/** Sends the file of a YouTubePublishJob to the site. */
export const publishToYouTubeJob = defineJob<{ readonly jobId: string }>({
  name: 'publish-to-youtube',
  retryLimit: 20,
  heartbeatSeconds: 10,
  expireInSeconds: 24 * 3600,
});

/** Checks the processing of a file on the site once; the next check is another job. */
export const watchYouTubeProcessingJob = defineJob<{
  readonly jobId: string;
  /** Number of previous checks: detects duplicates. */
  readonly look: number;
}>({
  name: 'watch-youtube-processing',
  retryLimit: 20,
  heartbeatSeconds: 10,
  expireInSeconds: 300,
});
