import type { StereoSpectrum } from './spectrum.ts';

/** Correlation of the surrounds over half a second above which phases are turned. */
const MOST_CORRELATION = 0.22;
/** How much of the correlation of a frame goes into the mean. */
const SPEED = 0.08;
/** Phases are not turned further than to this correlation of a bin. */
const LEAST_LIMIT = 0.1;

/**
 * Turns the phases of both surrounds apart where they correlate, only as far as is needed for the whole of both
 * channels: what is turned is less like the ambience of the original.
 */
export class Decorrelator {
  /** Correlation that may remain in a bin. */
  #limit = 1;
  /** Means over half a second: power that both channels share for each unit of the limit, and that of the channels. */
  #shared = 0;
  #power = 0;

  /** @param correlations Those to expect in each bin, negated, from 0 to 1. */
  apply({ leftRe, leftIm, rightRe, rightIm }: StereoSpectrum, correlations: Float64Array): void {
    let [left, right, shared] = [0, 0, 0];
    for (let bin = 0; bin < correlations.length; bin += 1) {
      const turned = correlations[bin]! > this.#limit ? this.#limit / correlations[bin]! : 1;
      const cos = Math.sqrt((1 + turned) / 2);
      const sin = Math.sqrt((1 - turned) / 2);
      const [lr, li, rr, ri] = [cos * leftRe[bin]!, cos * leftIm[bin]!, cos * rightRe[bin]!, cos * rightIm[bin]!];
      const [turnedLr, turnedLi] = [cos * lr - sin * li, sin * lr + cos * li];
      const [turnedRr, turnedRi] = [cos * rr + sin * ri, cos * ri - sin * rr];
      left += turnedLr * turnedLr + turnedLi * turnedLi;
      right += turnedRr * turnedRr + turnedRi * turnedRi;
      shared += turnedLr * turnedRr + turnedLi * turnedRi;
      leftRe[bin] = turnedLr;
      leftIm[bin] = turnedLi;
      rightRe[bin] = turnedRr;
      rightIm[bin] = turnedRi;
    }
    this.#shared += SPEED * (shared / this.#limit - this.#shared);
    this.#power += SPEED * (Math.sqrt(left * right) - this.#power);
    const most = MOST_CORRELATION * this.#power;
    const found = Math.abs(this.#shared);
    this.#limit = found <= most ? 1 : Math.max(LEAST_LIMIT, most / found);
  }
}
