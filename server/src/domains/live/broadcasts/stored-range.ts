import { VIDEO_TIMESCALE } from '@reelgraph/mp4';
import type { TimeRange } from '../../../media/index.ts';
import type { LiveRecording } from '../inputs/live-input-fields.ts';

/** Seconds that viewers can rewind in broadcasts that are not kept whole. */
export const ROLLING_SECONDS = 1_800;
export const TICKS_PER_MS = VIDEO_TIMESCALE / 1_000;

/** Where the stored segments of a broadcast begin and end, in 1/90000 s from its beginning; null without any. */
export interface StoredTicks {
  readonly startTicks: number | null;
  readonly endTicks: number | null;
}

/** What viewers of a broadcast can rewind to, as far as it is stored, in milliseconds; null where that is nothing. */
export function storedRange({ startTicks, endTicks }: StoredTicks, recording: LiveRecording): TimeRange | null {
  if (startTicks === null || endTicks === null) return null;
  const first = recording === 'ALL' ? startTicks : Math.max(startTicks, endTicks - VIDEO_TIMESCALE * ROLLING_SECONDS);
  const [startMs, endMs] = [Math.ceil(first / TICKS_PER_MS), Math.floor(endTicks / TICKS_PER_MS)];
  return endMs > startMs ? { startMs, endMs } : null;
}
