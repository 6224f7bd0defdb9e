import { AppError } from '../../../kernel/errors.ts';
import { type Text, t } from '../../../kernel/languages/message.ts';
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
    throw refuse(field, t`There are ${given.length} ranges.`, t`Send 1 to ${MAX_RANGES} ranges to keep.`);
  const ranges = given.map((range, index) => readRange(range, durationMs, `${field}.${index}`));
  for (const [index, { startMs }] of ranges.entries()) {
    const before = ranges[index - 1];
    if (before && startMs <= before.endMs)
      throw refuse(
        `${field}.${index}.startMs`,
        t`This range does not begin after the end of the one before.`,
        t`Send the ranges in order, and join those that meet.`,
      );
  }
  const [first] = ranges;
  if (ranges.length === 1 && first?.startMs === 0 && first.endMs === Math.round(durationMs))
    throw refuse(field, t`The whole video would be kept.`, t`Leave out the parts to remove.`);
  return ranges;
}

/** A range inside a video. @throws AppError INVALID_INPUT with the name of its start or end below `field`. */
export function readRange({ startMs, endMs }: TimeRange, durationMs: number, field: string): TimeRange {
  const lengthMs = Math.round(durationMs);
  const fix = t`Send times from 0 to ${lengthMs}, the length of the video.`;
  if (startMs < 0 || startMs >= lengthMs) throw refuse(`${field}.startMs`, t`This is not a time in the video.`, fix);
  if (endMs > lengthMs + SLACK_MS) throw refuse(`${field}.endMs`, t`This is after the end of the video.`, fix);
  const end = Math.min(endMs, lengthMs);
  if (end - startMs < LEAST_MS)
    throw refuse(
      `${field}.endMs`,
      t`This range is shorter than a second.`,
      t`End it at least 1000 ms after its start.`,
    );
  return { startMs, endMs: end };
}

function refuse(field: string, message: Text, suggestedFix: Text): AppError {
  return new AppError('INVALID_INPUT', message, { field, suggestedFix });
}
