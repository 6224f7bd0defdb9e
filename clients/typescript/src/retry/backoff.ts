/** Options of retries. */
export interface RetryOptions {
  /** Number of attempts, including the first (default: 5); 1 disables retries. */
  readonly maxAttempts: number;
  /** Upper limit of the first pause; it doubles with every attempt (default: 250 ms). */
  readonly baseDelayMs: number;
  /** Upper limit of any pause except those the platform requests (default: 20 s). */
  readonly maxDelayMs: number;
}

export const DEFAULT_RETRY: RetryOptions = { maxAttempts: 5, baseDelayMs: 250, maxDelayMs: 20_000 };

/**
 * Pause after `failures` failed attempts: random, up to a limit that doubles ("full jitter": clients that failed
 * together do not retry together). A pause that the platform requests is a minimum, with a little jitter.
 */
export function pauseMs(
  failures: number,
  retry: RetryOptions,
  requestedMs: number | null,
  random: () => number = Math.random,
): number {
  if (requestedMs !== null) return requestedMs + random() * retry.baseDelayMs;
  return random() * Math.min(retry.maxDelayMs, retry.baseDelayMs * 2 ** (failures - 1));
}

/** Header Retry-After, seconds or a date, in ms from now; null without one. */
export function retryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null || header === '') return null;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - nowMs;
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}
