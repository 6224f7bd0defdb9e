/** After a channel ended a broadcast, its encoder is refused for so long at least. */
const LEAST_MS = 60_000;
const MOST_MS = 600_000;
/** OBS Studio waits half as long again before each attempt. */
const FACTOR = 2;

/**
 * Until when encoders are refused after a broadcast was ended on request: longer than one that connects again by itself
 * waits before its next attempt, so that it does not begin another broadcast. All times are Unix times in milliseconds.
 */
export function holdOffUntil(nowMs: number, lastAttemptMs: number): number {
  return nowMs + Math.min(MOST_MS, Math.max(LEAST_MS, FACTOR * (nowMs - lastAttemptMs)));
}
