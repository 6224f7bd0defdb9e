/** What is known of a segment that was stored, of a broadcast that another process began. */
export interface StoredSegment {
  readonly number: number;
  /** Number of its initialization segments. */
  readonly init: number;
  /** Whether it does not continue the segment before it. */
  readonly isDiscontinuity: boolean;
  readonly startSeconds: number;
  readonly videoSeconds: number;
  /** 0 for a gap; null without sound. */
  readonly audioSeconds: number | null;
  /** When its first picture arrived, Unix time in milliseconds. */
  readonly arrivedAtMs: number;
}

/** A segment that is listed, and whether it is missing. */
interface ListedSegment extends StoredSegment {
  readonly isMissing: boolean;
}

/** Stored segments, and those between them that could not be stored: each is as long as the others there. */
export function* withMissing(segments: readonly StoredSegment[]): Generator<ListedSegment> {
  let before: StoredSegment | null = null;
  for (const segment of segments) {
    const missing = before === null ? 0 : segment.number - before.number - 1;
    if (before !== null && missing > 0) yield* between(before, segment, missing);
    yield { ...segment, isDiscontinuity: segment.isDiscontinuity || missing > 0, isMissing: false };
    before = segment;
  }
}

function* between(before: StoredSegment, after: StoredSegment, count: number): Generator<ListedSegment> {
  const endSeconds = before.startSeconds + before.videoSeconds;
  const videoSeconds = Math.max(0, after.startSeconds - endSeconds) / count;
  for (let index = 0; index < count; index += 1) {
    const startSeconds = endSeconds + index * videoSeconds;
    const arrivedAtMs = before.arrivedAtMs + 1_000 * (startSeconds - before.startSeconds);
    const number = before.number + 1 + index;
    const times = { number, startSeconds, videoSeconds, arrivedAtMs };
    yield { ...before, ...times, isDiscontinuity: false, isMissing: true };
  }
}
