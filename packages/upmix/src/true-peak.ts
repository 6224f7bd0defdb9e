/** Samples on each side of a point between samples that its value is computed from. */
const REACH = 12;
/** Points for each sample. */
const POINTS = 4;

/** For each point between two samples: the weights of the samples around it, a sinc function in a Hann window. */
const WEIGHTS = Array.from({ length: POINTS - 1 }, (_, point) =>
  Float64Array.from({ length: 2 * REACH }, (_, index) => {
    const distance = index - REACH + 1 - (point + 1) / POINTS;
    const window = 0.5 * (1 + Math.cos((Math.PI * distance) / (REACH + 1)));
    return (Math.sin(Math.PI * distance) / (Math.PI * distance)) * window;
  }),
);
/** No point is more than this many times as high as the samples around it. */
const MOST_ABOVE = Math.max(...WEIGHTS.map((weights) => weights.reduce((sum, weight) => sum + Math.abs(weight), 0)));

/** The largest value of a channel at and between its samples (ITU-R BS.1770 annex 2, with four times the rate). */
export class TruePeak {
  readonly #around = new Float64Array(2 * REACH);
  #at = 0;
  #untilQuiet = 0;
  /** Of full scale, which is 1. */
  value = 0;

  next(sample: number): void {
    const around = this.#around;
    around[this.#at] = sample;
    this.#at = (this.#at + 1) % around.length;
    const size = Math.abs(sample);
    if (size > this.value) this.value = size;
    if (size * MOST_ABOVE > this.value) this.#untilQuiet = around.length;
    if (this.#untilQuiet === 0) return;
    this.#untilQuiet -= 1;
    for (const weights of WEIGHTS) {
      let sum = 0;
      for (let index = 0, from = this.#at; index < weights.length; index += 1, from += 1)
        sum += weights[index]! * around[from % around.length]!;
      if (Math.abs(sum) > this.value) this.value = Math.abs(sum);
    }
  }
}
