import type { TimeRange } from '../../../media/index.ts';
import { defineJob } from '../../../platform/jobs/job.ts';

/** A file as it was uploaded. */
export interface WholeFile {
  readonly key: string;
  readonly sizeBytes: number;
  readonly filename: string;
  /** A VideoHint. */
  readonly hint: string;
}

export interface CutSource {
  /** The transcode job that waits for the result. */
  readonly jobId: string;
  readonly file: WholeFile;
  readonly ranges: readonly TimeRange[];
  /** Whether the result takes the place of the video of the same content, which can be played again. */
  readonly isTrim: boolean;
  /** Captions of the content that become those of the speech of the result. */
  readonly spokenCaptions?: readonly string[];
}

/** Cuts ranges out of an uploaded file and queues processing of the result. */
export const cutSourceJob = defineJob<CutSource>({
  name: 'cut-source',
  retryLimit: 4,
  heartbeatSeconds: 10,
  expireInSeconds: 12 * 3600,
});
