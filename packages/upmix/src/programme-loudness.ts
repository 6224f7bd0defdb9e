/** Filters of ITU-R BS.1770-4 annex 1 at 48 kHz: a shelf for the head, and a high-pass filter. */
const SHELF = [1.53512485958697, -2.69169618940638, 1.19839281085285, -1.69065929318241, 0.73248077421585] as const;
const HIGH_PASS = [1, -2, 1, -1.99004745483398, 0.99007225036621] as const;

/** Samples between two blocks, which are 400 ms long and overlap by three quarters. */
const STEP = 4800;
const STEPS_PER_BLOCK = 4;
/** Of the power of a block in LUFS; blocks below the first gate, or 10 LU below the others' mean, do not count. */
const OFFSET = -0.691;
const ABSOLUTE_GATE = -70;
const RELATIVE_GATE = -10;

/** Loudness of a programme at 48 kHz over its whole duration (ITU-R BS.1770-4). */
export class ProgrammeLoudness {
  /** Of each channel: 1 in front, 1.41 around, 0 for LFE. */
  readonly #weights: readonly number[];
  readonly #states: Float64Array;
  /** Of the samples since the last step, and of each step: the weighted power. */
  #sum = 0;
  #count = 0;
  readonly #steps: number[] = [];

  constructor(weights: readonly number[]) {
    this.#weights = weights;
    this.#states = new Float64Array(4 * weights.length);
  }

  /** Takes a sample of each channel. */
  next(samples: Float32Array, at: number): void {
    for (let channel = 0; channel < this.#weights.length; channel += 1) {
      const weight = this.#weights[channel]!;
      if (weight === 0) continue;
      const shelved = filtered(samples[at + channel]!, SHELF, this.#states, 4 * channel);
      const heard = filtered(shelved, HIGH_PASS, this.#states, 4 * channel + 2);
      this.#sum += weight * heard * heard;
    }
    this.#count += 1;
    if (this.#count < STEP) return;
    this.#steps.push(this.#sum / STEP);
    this.#sum = 0;
    this.#count = 0;
  }

  /** In LUFS; null for silence, and for less than 400 ms. */
  get lufs(): number | null {
    const blocks: number[] = [];
    for (let step = STEPS_PER_BLOCK; step <= this.#steps.length; step += 1) {
      let sum = 0;
      for (let index = step - STEPS_PER_BLOCK; index < step; index += 1) sum += this.#steps[index]!;
      blocks.push(sum / STEPS_PER_BLOCK);
    }
    const heard = blocks.filter((power) => lufsOf(power) > ABSOLUTE_GATE);
    const gate = lufsOf(mean(heard)) + RELATIVE_GATE;
    const loudness = lufsOf(mean(heard.filter((power) => lufsOf(power) > gate)));
    return Number.isFinite(loudness) ? loudness : null;
  }
}

/** A second-order filter in direct form II transposed: b0, b1, b2, a1, a2. */
function filtered(
  input: number,
  [b0, b1, b2, a1, a2]: readonly [number, number, number, number, number],
  states: Float64Array,
  at: number,
): number {
  const output = b0 * input + states[at]!;
  states[at] = b1 * input - a1 * output + states[at + 1]!;
  states[at + 1] = b2 * input - a2 * output;
  return output;
}

function lufsOf(power: number): number {
  return OFFSET + 10 * Math.log10(power);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
