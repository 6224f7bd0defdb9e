import { defineJob } from '../../../platform/jobs/job.ts';

export interface FetchSource {
  /** The transcode job that waits for the file. */
  readonly jobId: string;
  readonly url: string;
  /** A VideoContentType. */
  readonly hint: string;
  /** The limit by the owner's plan and quota when the address was given. */
  readonly maxBytes: number;
}

/** Fetches the file at a `sourceUrl` and queues its processing. */
export const fetchSourceJob = defineJob<FetchSource>({
  name: 'fetch-source',
  retryLimit: 4,
  heartbeatSeconds: 10,
  expireInSeconds: 12 * 3600,
});
