/** How far the clock moves with one report: 5 ms a second is more than any sound card drifts. */
const MOST_STEP_MS = 5;

/**
 * Tells when, by the clock of the sender, what has a timestamp of RTP was recorded (RFC 3550 section 6.4.1). Tracks of
 * one sender are in step by it. Follows a clock that drifts, and not one that is set.
 */
export class SenderClock {
  readonly #rate: number;
  #offsetMs: number | null = null;

  /** `rate`: units of timestamps in a second. */
  constructor(rate: number) {
    this.#rate = rate;
  }

  get isKnown(): boolean {
    return this.#offsetMs !== null;
  }

  /** A sender report: when a timestamp, not modulo 2^32, was; in milliseconds since any time. */
  report(timestamp: number, senderMs: number): void {
    const offsetMs = senderMs - this.#mediaMs(timestamp);
    const known = this.#offsetMs ?? offsetMs;
    this.#offsetMs = known + Math.min(Math.max(offsetMs - known, -MOST_STEP_MS), MOST_STEP_MS);
  }

  /** Milliseconds of the sender; null before its first report. */
  timeOf(timestamp: number): number | null {
    return this.#offsetMs === null ? null : this.#offsetMs + this.#mediaMs(timestamp);
  }

  #mediaMs(timestamp: number): number {
    return (1_000 * timestamp) / this.#rate;
  }
}
