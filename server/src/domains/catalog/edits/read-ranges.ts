import { AppError } from '../../../kernel/errors.ts';
import type { TimeRange } from '../../../media/index.ts';

export const MAX_RANGES = 50;
/** Of a range, and of everything that is kept. */
export const LEAST_MS = 1_000;
/** Lengths are rounded where they are shown: an end may be this much later than that of the video. */
const SLACK_MS = 1_000;

/**
 * Ranges of a video that are kept: in order, apart, inside the video, a second or more each, and not all of it.
 * @throws AppError INVALID_INPUT naming the range in `field`.
 */
export function readKeptRanges(given: readonly TimeRange[], durationMs: number, field: string): TimeRange[] {
  if (given.length === 0 || given.length > MAX_RANGES)
    throw refuse(field, `There are ${given.length} ranges.`, `Send 1 to ${MAX_RANGES} ranges to keep.`);
  const ranges = given.map((range, index) => readRange(range, durationMs, `${field}.${index}`));
  for (const [index, { startMs }] of ranges.entries()) {
    const before = ranges[index - 1];
    if (before && startMs <= before.endMs)
      throw refuse(
        `${field}.${index}.startMs`,
        'This range does not begin after the end of the one before.',
        'Send the ranges in order, and join those that meet.',
      );
  }
  const [first] = ranges;
  if (ranges.length === 1 && first?.startMs === 0 && first.endMs === Math.round(durationMs))
    throw refuse(field, 'The whole video would be kept.', 'Leave out the parts to remove.');
  return ranges;
}

/** A range inside a video. @throws AppError INVALID_INPUT with the name of its start or end below `field`. */
export function readRange({ startMs, endMs }: TimeRange, durationMs: number, field: string): TimeRange {
  const lengthMs = Math.round(durationMs);
  const fix = `Send times from 0 to ${lengthMs}, the length of the video.`;
  if (startMs < 0 || startMs >= lengthMs) throw refuse(`${field}.startMs`, 'This is not a time in the video.', fix);
  if (endMs > lengthMs + SLACK_MS) throw refuse(`${field}.endMs`, 'This is after the end of the video.', fix);
  const end = Math.min(endMs, lengthMs);
  if (end - startMs < LEAST_MS)
    throw refuse(`${field}.endMs`, 'This range is shorter than a second.', 'End it at least 1000 ms after its start.');
  return { startMs, endMs: end };
}

function refuse(field: string, message: string, suggestedFix: string): AppError {
  return new AppError('INVALID_INPUT', message, { field, suggestedFix });
}
