import type { JobHandler } from '../../../platform/jobs/job.ts';
import type { PublishTools } from './end-publication.ts';
import { publishToYouTubeJob, watchYouTubeProcessingJob } from './publish-to-youtube.job.ts';

/** Concurrent uploads per worker. */
const SENDERS = 2;

/** Registers the jobs that upload videos to the site; the handlers are loaded with the first job. */
export async function workOnPublications(tools: PublishTools): Promise<void> {
  await tools.platform.jobs.work(sendHandler(tools));
  await tools.platform.jobs.work(watchHandler(tools));
}

function sendHandler(tools: PublishTools): JobHandler<{ readonly jobId: string }> {
  return {
    job: publishToYouTubeJob,
    concurrency: SENDERS,
    handle: async ({ jobId }, run) =>
      (await import('./publish-to-youtube.handler.ts')).publishToYouTube(tools, jobId, run),
    giveUp: async ({ jobId }, reason) =>
      (await import('./end-publication.ts')).failPublication(tools.platform, jobId, { phase: 'SENDING' }, reason),
  };
}

function watchHandler(tools: PublishTools): JobHandler<{ readonly jobId: string; readonly look: number }> {
  return {
    job: watchYouTubeProcessingJob,
    handle: async (payload, run) =>
      (await import('./watch-youtube-processing.handler.ts')).watchYouTubeProcessing(tools, payload, run.signal),
    giveUp: async ({ jobId }, reason) =>
      (await import('./end-publication.ts')).failPublication(tools.platform, jobId, { phase: 'PROCESSING' }, reason),
  };
}
