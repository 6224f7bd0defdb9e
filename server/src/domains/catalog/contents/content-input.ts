import { AppError } from '../../../kernel/errors.ts';
import type { Maybe } from '../../../kernel/maybe.ts';

export type ContentType = 'FEATURE' | 'SHORT';

/** How far ahead a publication can be scheduled. */
export const MAX_RELEASE_AHEAD_MS = 5 * 366 * 86_400_000;

/** When to publish, as ISO 8601 text; null for immediately (no date, or a past one). */
export interface Release {
  /** The date as given, shown as the release date; null when none was given. */
  readonly releaseAt: string | null;
  readonly inFuture: boolean;
}

/** Reads a release date (Unix milliseconds). Throws INVALID_INPUT when it is more than five years ahead. */
export function readRelease(releaseMs: Maybe<number>, nowMs: number, field: string): Release {
  if (releaseMs == null) return { releaseAt: null, inFuture: false };
  if (releaseMs > nowMs + MAX_RELEASE_AHEAD_MS) {
    throw new AppError('INVALID_INPUT', `${field} is more than five years ahead.`, {
      field,
      suggestedFix: 'Send an instant within the next five years.',
    });
  }
  if (releaseMs < 0) {
    throw new AppError('INVALID_INPUT', `${field} is before 1970.`, {
      field,
      suggestedFix: 'Send the instant of the first release, or omit the argument.',
    });
  }
  return { releaseAt: new Date(releaseMs).toISOString(), inFuture: releaseMs > nowMs };
}
