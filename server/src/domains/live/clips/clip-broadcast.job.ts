import type { TimeRange } from '../../../media/index.ts';
import { defineJob } from '../../../platform/jobs/job.ts';

/** A stored segment, of which a clip is made. */
export interface ClipSegment {
  readonly number: number;
  /** Of its initialization segments. */
  readonly init: number;
  readonly isDiscontinuity: boolean;
  readonly hasSound: boolean;
  /** In milliseconds of the broadcast, or of its recording. */
  readonly startMs: number;
  readonly durationMs: number;
}

export interface ClipBroadcast {
  /** The transcode job that waits for the result. */
  readonly jobId: string;
  /** Prefix of the objects of the segments. */
  readonly prefix: string;
  readonly filename: string;
  /** A VideoHint. */
  readonly hint: string;
  readonly range: TimeRange;
  /** Those of the range, and some before it. */
  readonly segments: readonly ClipSegment[];
  /** Captions of the clip that become those of its speech. */
  readonly spokenCaptions: readonly string[];
}

/** Cuts a range out of the segments of a broadcast and queues processing of the result. */
export const clipBroadcastJob = defineJob<ClipBroadcast>({
  name: 'clip-broadcast',
  retryLimit: 4,
  heartbeatSeconds: 10,
  expireInSeconds: 2 * 3_600,
});
