/** How often and how long to try again. */
export interface RetryOptions {
  /** Attempts in all, the first one included. 5 unless said otherwise; 1 never tries again. */
  readonly maxAttempts: number;
  /** Upper limit of the first pause; it doubles with every attempt. 250 ms unless said otherwise. */
  readonly baseDelayMs: number;
  /** Upper limit of any pause but those the platform asks for. 20 s unless said otherwise. */
  readonly maxDelayMs: number;
}

export const DEFAULT_RETRY: RetryOptions = { maxAttempts: 5, baseDelayMs: 250, maxDelayMs: 20_000 };

/**
 * Pause before an attempt after `failures` failed ones: anything up to a limit that doubles ("full jitter": many clients that failed
 * together do not come back together). A wish of the platform is kept in full, and spread a little.
 */
export function pauseMs(failures: number, retry: RetryOptions, wishMs: number | null, random: () => number = Math.random): number {
  if (wishMs !== null) return wishMs + random() * retry.baseDelayMs;
  return random() * Math.min(retry.maxDelayMs, retry.baseDelayMs * 2 ** (failures - 1));
}

/** Header Retry-After, seconds or a date, in ms from now; null without one. */
export function retryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null || header === '') return null;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - nowMs;
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}
