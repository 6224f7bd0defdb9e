/** No attempt starts later than this after the message was created or redelivery was requested. */
export const GIVE_UP_MS = 3 * 86_400_000;
/** A webhook that fails for this long is disabled. */
export const DISABLE_AFTER_MS = 3 * 86_400_000;

const FIRST_DELAY_MS = 5_000;
const FACTOR = 4;
const LONGEST_DELAY_MS = 8 * 3_600_000;
const LONGEST_PAUSE_MS = 60_000;
const PAUSE_STEP_MS = 2_000;

/** Result of an attempt. */
export interface AttemptResult {
  /** Status of the response; null when there was none. */
  readonly status: number | null;
  /** Null when the endpoint accepted the message. */
  readonly error: string | null;
  readonly durationMs: number;
  /** The endpoint's Retry-After in milliseconds. */
  readonly retryAfterMs: number | null;
}

/** The decision after an attempt. */
export type DeliveryDecision =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'again'; readonly atMs: number; readonly resumeAtMs: number }
  | { readonly kind: 'failed'; readonly disable: 'FAILURES' | 'GONE' | null; readonly resumeAtMs: number };

interface Past {
  /** Number of attempts, including this one. */
  readonly attempts: number;
  readonly expiresAtMs: number;
  /**
   * Attempts of the whole webhook that failed in a row, this one not included, and since when; null after a success.
   */
  readonly failures: number;
  readonly failingSinceMs: number | null;
}

/**
 * Decides what happens after an attempt: 2xx ends the delivery, 410 disables the webhook, anything else is retried
 * after 5 s, 20 s, 80 s … at most 8 h, each ±20 % so that messages that failed together are not retried together, until
 * the retry period ends. `random` is in [0, 1).
 */
export function decideAfterAttempt(result: AttemptResult, past: Past, nowMs: number, random: number): DeliveryDecision {
  if (result.error === null) return { kind: 'delivered' };
  const resumeAtMs = nowMs + Math.min(LONGEST_PAUSE_MS, PAUSE_STEP_MS * (past.failures + 1));
  if (result.status === 410) return { kind: 'failed', disable: 'GONE', resumeAtMs };
  const backoff = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * FACTOR ** (past.attempts - 1)) * (0.8 + 0.4 * random);
  const atMs = nowMs + Math.max(backoff, Math.min(result.retryAfterMs ?? 0, LONGEST_DELAY_MS));
  if (atMs <= past.expiresAtMs) return { kind: 'again', atMs, resumeAtMs };
  const hopeless =
    past.failingSinceMs !== null && nowMs - past.failingSinceMs >= DISABLE_AFTER_MS - LONGEST_DELAY_MS * 1.2;
  return { kind: 'failed', disable: hopeless ? 'FAILURES' : null, resumeAtMs };
}
