import { AppError } from '../../../kernel/errors.ts';
import { type EngagementEvent, type EventPath, isOfCard, pathOf } from './engagement-event.ts';

/** How far the clock of a player may be ahead of ours. */
export const MAX_SKEW_MS = 5 * 60_000;
/** How old an event may be when it arrives. */
export const MAX_AGE_MS = 24 * 3_600_000;
/** How much faster than real time a content can have been played. */
export const MAX_SPEED = 10;
/** What a position may exceed the known length by: players and probes round differently. */
export const LENGTH_SLACK_MS = 2_000;
/** Time that is assumed to lie before an event of a session nothing else is known of. */
const UNKNOWN_GAP_MS = 60_000;
/** Timers of players are not exact. */
const TIMER_SLACK_MS = 2_000;

/** What is known of the content and of the session when an event is judged. */
export interface EventFacts {
  /** Null where the content does not exist or is not visible to the viewer. */
  readonly content: { readonly durationMs: number | null } | null;
  /** When the event before it in its session happened; null where it is not known. */
  readonly previousAtMs: number | null;
}

/** Why an event cannot have happened as it says; null when it can. */
export function checkEvent(event: EngagementEvent, facts: EventFacts, nowMs: number, at: EventPath): AppError | null {
  const { content } = facts;
  if (!content) {
    return new AppError('RESOURCE_NOT_FOUND', 'There is no such content, or it is not visible to this viewer.', {
      field: pathOf(at, 'contentId'),
      suggestedFix: 'Report only contents that the viewer can watch.',
    });
  }
  if (isOfCard(event.kind)) return checkTime(event, nowMs, at) ?? checkCard(event, at);
  return checkTime(event, nowMs, at) ?? checkPositions(event, content.durationMs, at) ?? checkSpeed(event, facts.previousAtMs, at);
}

function checkTime({ occurredAtMs }: EngagementEvent, nowMs: number, at: EventPath): AppError | null {
  if (occurredAtMs > nowMs + MAX_SKEW_MS) {
    const suggestedFix = 'Correct the clock of the player; up to 5 minutes are tolerated.';
    return refuse(pathOf(at, 'occurredAt'), 'The event lies in the future.', suggestedFix);
  }
  if (occurredAtMs < nowMs - MAX_AGE_MS) {
    return refuse(pathOf(at, 'occurredAt'), 'The event is older than 24 hours.', 'Send events within a day; drop older ones.');
  }
  return null;
}

/** Nothing plays on a card. */
function checkCard({ positionMs, ranges }: EngagementEvent, at: EventPath): AppError | null {
  if (positionMs !== 0) return refuse(pathOf(at, 'positionMs'), 'A card has no position.', 'Send 0.');
  if (ranges.length > 0) return refuse(pathOf(at, 'ranges'), 'Nothing is played on a card.', 'Leave ranges out.');
  return null;
}

function checkPositions({ positionMs, ranges }: EngagementEvent, durationMs: number | null, at: EventPath): AppError | null {
  if (durationMs !== null && positionMs > durationMs + LENGTH_SLACK_MS) return beyond(pathOf(at, 'positionMs'), durationMs);
  // One range, the usual case, is neither sorted nor compared with others.
  if (ranges.length === 2) return checkRange(ranges[0] ?? 0, ranges[1] ?? 0, 0, durationMs, at);
  let last = -1;
  for (const [from, to, index] of sorted(ranges)) {
    const error = checkRange(from, to, index, durationMs, at);
    if (error) return error;
    if (from < last)
      return refuse(`${pathOf(at, 'ranges')}[${index}]`, 'Ranges of one event overlap.', 'Report what was played twice in two events.');
    last = to;
  }
  return null;
}

function checkRange(from: number, to: number, index: number, durationMs: number | null, at: EventPath): AppError | null {
  if (to <= from) {
    const field = `${pathOf(at, 'ranges')}[${index}]`;
    return refuse(field, 'A range ends before it begins, or is empty.', 'Send startMs smaller than endMs.');
  }
  if (durationMs !== null && to > durationMs + LENGTH_SLACK_MS) return beyond(`${pathOf(at, 'ranges')}[${index}].endMs`, durationMs);
  return null;
}

function checkSpeed({ occurredAtMs, ranges }: EngagementEvent, previousAtMs: number | null, at: EventPath): AppError | null {
  const elapsed = previousAtMs === null ? UNKNOWN_GAP_MS : Math.max(0, occurredAtMs - previousAtMs);
  if (watchedMs(ranges) <= MAX_SPEED * (elapsed + TIMER_SLACK_MS)) return null;
  return refuse(
    pathOf(at, 'ranges'),
    `More was played than ${MAX_SPEED} times the time since the event before allows.`,
    'Report what was really played, in the order in which it happened.',
  );
}

/** Pairs in order of position, each with its index as sent. */
function sorted(ranges: readonly number[]): [number, number, number][] {
  const pairs: [number, number, number][] = [];
  for (let index = 0; index + 1 < ranges.length; index += 2) pairs.push([ranges[index] ?? 0, ranges[index + 1] ?? 0, index / 2]);
  return pairs.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

/** Milliseconds of content in ranges given as from, to, from, to, … */
export function watchedMs(ranges: readonly number[]): number {
  let sum = 0;
  for (let index = 0; index + 1 < ranges.length; index += 2) sum += (ranges[index + 1] ?? 0) - (ranges[index] ?? 0);
  return sum;
}

function refuse(field: string, message: string, suggestedFix: string): AppError {
  return new AppError('INVALID_INPUT', message, { field, suggestedFix });
}

function beyond(field: string, durationMs: number | null): AppError {
  return refuse(field, `The position lies beyond the end of the content (${durationMs} ms).`, 'Send positions within the content.');
}
