import { AppError } from '../../../kernel/errors.ts';
import { type Text, t } from '../../../kernel/languages/message.ts';
import type { TimeRange } from '../../../media/index.ts';

export const MAX_RANGES = 50;
/** Of a range, and of everything that is kept. */
export const LEAST_MS = 1_000;
/**
 * Lengths are rounded where they are shown: an end may be this much later than that of the video, and a start as much
 * earlier than that of a broadcast, whose sound may begin before its picture.
 */
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
  if (end - startMs < LEAST_MS) throw tooShort(`${field}.endMs`);
  return { startMs, endMs: end };
}

/** Minutes of the longest clip of a broadcast. */
const MOST_MINUTES = 10;

/**
 * A range of a broadcast of which `stored` is there, in milliseconds from its beginning; more follows while it is open.
 * @throws AppError INVALID_INPUT with the name of its start or end below `field`.
 */
export function readBroadcastRange(
  { startMs, endMs }: TimeRange,
  { stored, isOpen }: { readonly stored: TimeRange | null; readonly isOpen: boolean },
  field: string,
): TimeRange {
  if (stored === null)
    throw refuse(
      `${field}.content`,
      t`Nothing of this broadcast is stored yet.`,
      t`Repeat the call once Broadcast.clippableRange is there, some seconds after the beginning.`,
    );
  const fix = t`Send times from ${stored.startMs} to ${stored.endMs}; Broadcast.clippableRange has the newest.`;
  if (startMs < 0) throw refuse(`${field}.startMs`, t`This is not a time in the video.`, fix);
  if (startMs < stored.startMs - SLACK_MS)
    throw refuse(`${field}.startMs`, t`This part of the broadcast is not kept any more.`, fix);
  const late = isOpen ? t`The broadcast has not come so far.` : t`This is after the end of the video.`;
  if (startMs >= stored.endMs) throw refuse(`${field}.startMs`, late, fix);
  if (endMs > stored.endMs + SLACK_MS) throw refuse(`${field}.endMs`, late, fix);
  const [start, end] = [Math.max(startMs, stored.startMs), Math.min(endMs, stored.endMs)];
  if (end - start < LEAST_MS) throw tooShort(`${field}.endMs`);
  if (end - start > MOST_MINUTES * 60_000)
    throw refuse(
      `${field}.endMs`,
      t`A clip of a broadcast is at most ${MOST_MINUTES} minutes long.`,
      t`End it at most ${MOST_MINUTES * 60_000} ms after its start, or clip the recording once it is processed.`,
    );
  return { startMs: start, endMs: end };
}

function tooShort(field: string): AppError {
  return refuse(field, t`This range is shorter than a second.`, t`End it at least 1000 ms after its start.`);
}

function refuse(field: string, message: Text, suggestedFix: Text): AppError {
  return new AppError('INVALID_INPUT', message, { field, suggestedFix });
}
