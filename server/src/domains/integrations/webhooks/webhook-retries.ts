/** No attempt is made later than this after the message was made, or after a redelivery was asked for. */
export const GIVE_UP_MS = 3 * 86_400_000;
/** A webhook that did nothing but fail for this long is switched off. */
export const DISABLE_AFTER_MS = 3 * 86_400_000;

const FIRST_DELAY_MS = 5_000;
const FACTOR = 4;
const LONGEST_DELAY_MS = 8 * 3_600_000;
const LONGEST_PAUSE_MS = 60_000;
const PAUSE_STEP_MS = 2_000;

/** How an attempt ended. */
export interface AttemptResult {
  /** Status of the answer; null when there was none. */
  readonly status: number | null;
  /** Null when the endpoint took the message. */
  readonly error: string | null;
  readonly durationMs: number;
  /** What the endpoint asked for with Retry-After, in milliseconds. */
  readonly retryAfterMs: number | null;
}

/** What follows an attempt. */
export type Verdict =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'again'; readonly atMs: number; readonly resumeAtMs: number }
  | { readonly kind: 'failed'; readonly disable: 'FAILURES' | 'GONE' | null; readonly resumeAtMs: number };

interface Past {
  /** Attempts made, this one included. */
  readonly attempts: number;
  readonly expiresAtMs: number;
  /** Attempts of the whole webhook that failed in a row, this one not included, and since when; null after a success. */
  readonly failures: number;
  readonly failingSinceMs: number | null;
}

/**
 * Decides what follows an attempt: 2xx ends it, 410 switches the webhook off, anything else is tried again after 5 s, 20 s, 80 s … at
 * most 8 h, each ±20 % so that messages that failed together do not come back together, until the time is up. `random` is in [0, 1).
 */
export function judgeAttempt(result: AttemptResult, past: Past, nowMs: number, random: number): Verdict {
  if (result.error === null) return { kind: 'delivered' };
  const resumeAtMs = nowMs + Math.min(LONGEST_PAUSE_MS, PAUSE_STEP_MS * (past.failures + 1));
  if (result.status === 410) return { kind: 'failed', disable: 'GONE', resumeAtMs };
  const backoff = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * FACTOR ** (past.attempts - 1)) * (0.8 + 0.4 * random);
  const atMs = nowMs + Math.max(backoff, Math.min(result.retryAfterMs ?? 0, LONGEST_DELAY_MS));
  if (atMs <= past.expiresAtMs) return { kind: 'again', atMs, resumeAtMs };
  const hopeless = past.failingSinceMs !== null && nowMs - past.failingSinceMs >= DISABLE_AFTER_MS - LONGEST_DELAY_MS * 1.2;
  return { kind: 'failed', disable: hopeless ? 'FAILURES' : null, resumeAtMs };
}
