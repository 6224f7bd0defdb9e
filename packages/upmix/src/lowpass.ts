/**
 * Butterworth low-pass filter of even order as a row of second-order sections, direct form II transposed (bilinear
 * transform, frequency prewarped). It falls by 6 dB an octave for each order above its frequency.
 */
export class Lowpass {
  /** For each section: gain, a1, a2; the zeros are all at the highest frequency. */
  readonly #coefficients: Float64Array;
  readonly #states: Float64Array;
  /** Delay of low frequencies, in samples. */
  readonly delay: number;

  constructor(order: number, frequencyHz: number, sampleRate: number) {
    const sections = order / 2;
    this.#coefficients = new Float64Array(3 * sections);
    this.#states = new Float64Array(2 * sections);
    const warped = Math.tan((Math.PI * frequencyHz) / sampleRate);
    let damping = 0;
    for (let section = 0; section < sections; section += 1) {
      const double = 2 * Math.sin((Math.PI * (2 * section + 1)) / (2 * order));
      const scale = 1 / (1 + double * warped + warped * warped);
      this.#coefficients[3 * section] = warped * warped * scale;
      this.#coefficients[3 * section + 1] = 2 * (warped * warped - 1) * scale;
      this.#coefficients[3 * section + 2] = (1 - double * warped + warped * warped) * scale;
      damping += double;
    }
    this.delay = Math.round((damping * sampleRate) / (2 * Math.PI * frequencyHz));
  }

  next(input: number): number {
    const coefficients = this.#coefficients;
    const states = this.#states;
    let value = input;
    for (let at = 0, state = 0; state < states.length; at += 3, state += 2) {
      const fed = coefficients[at]! * value;
      const output = fed + states[state]!;
      states[state] = 2 * fed - coefficients[at + 1]! * output + states[state + 1]!;
      states[state + 1] = fed - coefficients[at + 2]! * output;
      value = output;
    }
    return value;
  }
}
