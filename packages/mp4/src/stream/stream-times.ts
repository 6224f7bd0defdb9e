/** Further from where a track continues, a timestamp begins another time line: the encoder's clock has jumped. */
const MOST_BACK_MS = 500;
const MOST_AHEAD_MS = 10_000;
const WRAP = 2 ** 32;

/** Where a track is. */
interface Place {
  /** As the encoder counts, unwrapped. */
  givenMs: number;
  /** On the time line of the stream. */
  ms: number;
  /** Between the last two. */
  stepMs: number;
}

/**
 * Puts timestamps of an encoder on one time line for all tracks: they begin again after 2^32 ms, and where its clock
 * jumps, the track goes on as if it had not. Tracks notice a jump one after the other, so the time line before it is
 * kept for those that have not. Times never go back within a track.
 */
export class StreamTimes {
  readonly #places = new Map<string, Place>();
  /** From timestamps to the time line: since the last jump, and before it. */
  #offsets: number[] = [];

  /** The time of a timestamp in milliseconds modulo 2^32, in milliseconds from the first one on. */
  place(track: string, timestamp: number): number {
    const before = this.#places.get(track);
    const givenMs = before === undefined ? this.#unwrapped(timestamp) : nearest(timestamp, before.givenMs);
    if (this.#offsets.length === 0) this.#offsets = [-givenMs];
    const ms = before === undefined ? Math.max(0, givenMs + (this.#offsets[0] ?? 0)) : this.#continued(before, givenMs);
    const stepMs = before === undefined || ms === before.ms ? (before?.stepMs ?? 0) : ms - before.ms;
    this.#places.set(track, { givenMs, ms, stepMs });
    return ms;
  }

  /** The first timestamp of a track lies near those of the others. */
  #unwrapped(timestamp: number): number {
    const [other] = this.#places.values();
    return other === undefined ? timestamp : nearest(timestamp, other.givenMs);
  }

  #continued(before: Place, givenMs: number): number {
    const fits = (ms: number) => ms >= before.ms - MOST_BACK_MS && ms <= before.ms + MOST_AHEAD_MS;
    const offset = this.#offsets.find((each) => fits(givenMs + each));
    if (offset !== undefined) return Math.max(before.ms, givenMs + offset);
    const ms = before.ms + before.stepMs;
    this.#offsets = [ms - givenMs, ...this.#offsets.slice(0, 1)];
    return ms;
  }
}

/** The number that is the timestamp modulo 2^32, and nearest to another one. */
function nearest(timestamp: number, other: number): number {
  return timestamp + WRAP * Math.round((other - timestamp) / WRAP);
}
