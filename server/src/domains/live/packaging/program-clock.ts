/** How far the clock is moved at most, of the time that has passed: players do not notice it. */
const MOST_DRIFT = 0.01;

/**
 * Tells when something of a stream happened (EXT-X-PROGRAM-DATE-TIME). Encoders count by clocks of their own, so the
 * time of arrival is followed, gradually. Times of arrival that are late change nothing: of those between two readings
 * the earliest counts.
 */
export class ProgramClock {
  /** From seconds of the stream to Unix time, in milliseconds. */
  #offsetMs: number | null = null;
  #earliestMs = Number.POSITIVE_INFINITY;
  #readSeconds = 0;

  /** What the stream has at `seconds` arrived at a Unix time in milliseconds. */
  note(seconds: number, nowMs: number): void {
    this.#earliestMs = Math.min(this.#earliestMs, nowMs - 1_000 * seconds);
  }

  /** The Unix time of what the stream has at `seconds`, in milliseconds; null before anything has arrived. */
  at(seconds: number): number | null {
    const target = this.#earliestMs;
    if (target === Number.POSITIVE_INFINITY) return this.#offsetMs === null ? null : this.#offsetMs + 1_000 * seconds;
    const most = Math.max(0, 1_000 * MOST_DRIFT * (seconds - this.#readSeconds));
    const from = this.#offsetMs ?? target;
    this.#offsetMs = from + Math.max(-most, Math.min(most, target - from));
    [this.#earliestMs, this.#readSeconds] = [Number.POSITIVE_INFINITY, seconds];
    return this.#offsetMs + 1_000 * seconds;
  }

  /** The stream goes on after an interruption: its time has stood still meanwhile. */
  restart(): void {
    [this.#offsetMs, this.#earliestMs] = [null, Number.POSITIVE_INFINITY];
  }
}
