/** An encoder whose timestamps jump by more has set its clock. */
const JUMP_MS = 10_000;

/** Counts milliseconds by the timestamps of an encoder, modulo 2^32, over jumps of its clock. */
export class ContinuousTime {
  #last: number | null = null;
  #ms = 0;

  /** Milliseconds since the first timestamp. Those of sound and picture may go back a little to each other. */
  at(timestamp: number): number {
    const step = this.#last === null ? 0 : stepMs(this.#last, timestamp);
    this.#last = timestamp;
    if (Math.abs(step) <= JUMP_MS) this.#ms += step;
    return this.#ms;
  }
}

/** From one timestamp to another one, forward or back by less than 2^31. */
function stepMs(from: number, to: number): number {
  return (to - from) | 0;
}
