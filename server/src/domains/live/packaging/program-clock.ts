/** An encoder whose clock is so far off is followed at once. */
const MOST_OFF_MS = 3_000;

/**
 * Tells when something of a stream happened (EXT-X-PROGRAM-DATE-TIME). It goes on as the stream does, although encoders
 * count by clocks of their own: players place segments by it, and Shaka Player drops pictures up to the next keyframe
 * where it is off by a millisecond. Only where a stream has come to be off by seconds, the time of arrival is followed.
 * Times of arrival that are late change nothing: of those between two readings the earliest counts.
 */
export class ProgramClock {
  /** From seconds of the stream to Unix time, in whole milliseconds, which texts are rounded to. */
  #offsetMs: number | null = null;
  #earliestMs = Number.POSITIVE_INFINITY;

  /** What the stream has at `seconds` arrived at a Unix time in milliseconds. */
  note(seconds: number, nowMs: number): void {
    this.#earliestMs = Math.min(this.#earliestMs, nowMs - 1_000 * seconds);
  }

  /** The Unix time of what the stream has at `seconds`, in milliseconds; null before anything has arrived. */
  at(seconds: number): number | null {
    const arrived = this.#earliestMs;
    this.#earliestMs = Number.POSITIVE_INFINITY;
    const isFirst = this.#offsetMs === null;
    if (arrived !== Number.POSITIVE_INFINITY && (isFirst || Math.abs(arrived - (this.#offsetMs ?? 0)) > MOST_OFF_MS))
      this.#offsetMs = Math.round(arrived);
    return this.#offsetMs === null ? null : this.#offsetMs + 1_000 * seconds;
  }

  /** The stream goes on after an interruption: its time has stood still meanwhile. */
  restart(): void {
    [this.#offsetMs, this.#earliestMs] = [null, Number.POSITIVE_INFINITY];
  }
}
