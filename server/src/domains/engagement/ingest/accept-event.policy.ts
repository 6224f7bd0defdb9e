import { AppError } from '../../../kernel/errors.ts';
import { type Text, t } from '../../../kernel/languages/message.ts';
import { type EngagementEvent, type EventPath, isOfCard, pathOf } from './engagement-event.ts';

/** Tolerated clock skew of a player into the future. */
export const MAX_SKEW_MS = 5 * 60_000;
/** How old an event may be when it arrives. */
export const MAX_AGE_MS = 24 * 3_600_000;
/** Maximum playback speed. */
export const MAX_SPEED = 10;
/** Tolerance of positions beyond the duration: players and probes round differently. */
export const LENGTH_SLACK_MS = 2_000;
/** Assumed time before the first known event of a session. */
const UNKNOWN_GAP_MS = 60_000;
/** Timers of players are not exact. */
const TIMER_SLACK_MS = 2_000;

/** The facts about the content and the session of an event. */
export interface EventFacts {
  /** Null where the content does not exist or is not visible to the viewer. */
  readonly content: { readonly durationMs: number | null } | null;
  /** When the previous event of its session happened; null when unknown. */
  readonly previousAtMs: number | null;
}

/** The error for an implausible event; null when it is plausible. */
export function checkEvent(event: EngagementEvent, facts: EventFacts, nowMs: number, at: EventPath): AppError | null {
  const { content } = facts;
  if (!content) {
    return new AppError('RESOURCE_NOT_FOUND', t`There is no such content, or it is not visible to this viewer.`, {
      field: pathOf(at, 'contentId'),
      suggestedFix: t`Send events only for contents that the viewer can watch.`,
    });
  }
  if (isOfCard(event.kind)) return checkTime(event, nowMs, at) ?? checkCard(event, at);
  return (
    checkTime(event, nowMs, at) ??
    checkPositions(event, content.durationMs, at) ??
    checkSpeed(event, facts.previousAtMs, at)
  );
}

function checkTime({ occurredAtMs }: EngagementEvent, nowMs: number, at: EventPath): AppError | null {
  if (occurredAtMs > nowMs + MAX_SKEW_MS) {
    const suggestedFix = t`Correct the clock of the player; up to 5 minutes are tolerated.`;
    return refuse(pathOf(at, 'occurredAt'), t`The event lies in the future.`, suggestedFix);
  }
  if (occurredAtMs < nowMs - MAX_AGE_MS) {
    return refuse(
      pathOf(at, 'occurredAt'),
      t`The event is older than 24 hours.`,
      t`Send events within a day; drop older ones.`,
    );
  }
  return null;
}

/** Cards have no playback. */
function checkCard({ positionMs, ranges }: EngagementEvent, at: EventPath): AppError | null {
  if (positionMs !== 0) return refuse(pathOf(at, 'positionMs'), t`Card events have no position.`, t`Send 0.`);
  if (ranges.length > 0) return refuse(pathOf(at, 'ranges'), t`Card events have no ranges.`, t`Omit ranges.`);
  return null;
}

function checkPositions(
  { positionMs, ranges }: EngagementEvent,
  durationMs: number | null,
  at: EventPath,
): AppError | null {
  if (durationMs !== null && positionMs > durationMs + LENGTH_SLACK_MS)
    return beyond(pathOf(at, 'positionMs'), durationMs);
  // Fast path for one range, the usual case.
  if (ranges.length === 2) return checkRange(ranges[0] ?? 0, ranges[1] ?? 0, 0, durationMs, at);
  let last = -1;
  for (const [from, to, index] of sorted(ranges)) {
    const error = checkRange(from, to, index, durationMs, at);
    if (error) return error;
    if (from < last)
      return refuse(
        `${pathOf(at, 'ranges')}[${index}]`,
        t`Ranges of one event overlap.`,
        t`Send two events for a part that was played twice.`,
      );
    last = to;
  }
  return null;
}

function checkRange(
  from: number,
  to: number,
  index: number,
  durationMs: number | null,
  at: EventPath,
): AppError | null {
  if (to <= from) {
    const field = `${pathOf(at, 'ranges')}[${index}]`;
    return refuse(field, t`A range is empty or ends before it starts.`, t`Send startMs smaller than endMs.`);
  }
  if (durationMs !== null && to > durationMs + LENGTH_SLACK_MS)
    return beyond(`${pathOf(at, 'ranges')}[${index}].endMs`, durationMs);
  return null;
}

function checkSpeed(
  { occurredAtMs, ranges }: EngagementEvent,
  previousAtMs: number | null,
  at: EventPath,
): AppError | null {
  const elapsed = previousAtMs === null ? UNKNOWN_GAP_MS : Math.max(0, occurredAtMs - previousAtMs);
  if (watchedMs(ranges) <= MAX_SPEED * (elapsed + TIMER_SLACK_MS)) return null;
  return refuse(
    pathOf(at, 'ranges'),
    t`More was played than is possible at ${MAX_SPEED} times the speed since the previous event.`,
    t`Send what was actually played, in chronological order.`,
  );
}

/** Pairs in order of position, each with its index as sent. */
function sorted(ranges: readonly number[]): [number, number, number][] {
  const pairs: [number, number, number][] = [];
  for (let index = 0; index + 1 < ranges.length; index += 2)
    pairs.push([ranges[index] ?? 0, ranges[index + 1] ?? 0, index / 2]);
  return pairs.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

/** Milliseconds of content in ranges given as from, to, from, to, … */
export function watchedMs(ranges: readonly number[]): number {
  let sum = 0;
  for (let index = 0; index + 1 < ranges.length; index += 2) sum += (ranges[index + 1] ?? 0) - (ranges[index] ?? 0);
  return sum;
}

function refuse(field: string, message: Text, suggestedFix: Text): AppError {
  return new AppError('INVALID_INPUT', message, { field, suggestedFix });
}

function beyond(field: string, durationMs: number | null): AppError {
  return refuse(
    field,
    t`The position lies beyond the end of the content (${durationMs ?? 0} ms).`,
    t`Send positions within the content.`,
  );
}
