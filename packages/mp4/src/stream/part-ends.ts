/** Of the longest part; shorter ones are for the last of a segment (draft-pantos-hls-rfc8216bis-17, 4.4.4.9: 85 %). */
const LEAST_SHARE = 0.9;
/** Encoders give times in whole milliseconds. */
const ROUNDING_SECONDS = 0.005;

/**
 * Where the parts of a segment end: evenly, for a segment as long as the one before it, so that the last part is not
 * much shorter than the others. In units of the track.
 */
export class PartEnds {
  readonly #longest: number;
  readonly #rounding: number;
  #step = 0;
  /** From the beginning of the segment to the end of the part that is being made. */
  #next = 0;

  /** No part is longer than `longest`, which may be Infinity, unless a single sample is. */
  constructor(longest: number, timescale: number) {
    [this.#longest, this.#rounding] = [longest, ROUNDING_SECONDS * timescale];
  }

  /** A segment begins, which is probably so long, of samples that last `duration`. */
  begin(length: number, duration: number): void {
    const parts = Math.max(1, Math.ceil((length - this.#rounding) / (this.#longest - duration / 2)));
    this.#step = parts === 1 ? this.#longest : Math.max(length / parts, LEAST_SHARE * this.#longest);
    this.#next = this.#step;
  }

  /** Whether a part of this length ends before a sample, which begins at `at` of the segment and is `duration` long. */
  isDue(part: number, at: number, duration: number): boolean {
    if (at + duration / 2 < this.#next && part + duration <= this.#longest) return false;
    // After a gap, what follows is a whole part.
    while (this.#next < at + this.#step / 2) this.#next += this.#step;
    return true;
  }
}
