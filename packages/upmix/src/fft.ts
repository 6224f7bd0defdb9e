/**
 * Discrete Fourier transform of complex numbers, in place, with real and imaginary parts in two arrays. Not scaled: the
 * inverse of a transform is the input times its size. Cooley-Tukey, radix 2; the first two stages are one.
 */
export class Fft {
  /** A power of two, at least 4. */
  readonly size: number;
  /** Of the stage that joins transforms of n values: from the n-th on. */
  readonly #cos: Float64Array;
  readonly #sin: Float64Array;
  readonly #reversed: Uint32Array;

  constructor(size: number) {
    if (size < 4 || !Number.isInteger(Math.log2(size))) throw new Error(`The transform has no size ${size}.`);
    this.size = size;
    this.#cos = new Float64Array(size);
    this.#sin = new Float64Array(size);
    for (let half = 1; half < size; half *= 2)
      for (let index = 0; index < half; index += 1) {
        this.#cos[half + index] = Math.cos((Math.PI * index) / half);
        this.#sin[half + index] = -Math.sin((Math.PI * index) / half);
      }
    this.#reversed = new Uint32Array(size);
    for (let index = 1; index < size; index += 1)
      this.#reversed[index] = (this.#reversed[index >> 1]! >> 1) | (index & 1 ? size >> 1 : 0);
  }

  forward(re: Float64Array, im: Float64Array): void {
    this.#reorder(re, im);
    this.#firstStages(re, im);
    for (let half = 4; half < this.size; half *= 2) this.#stage(re, im, half);
  }

  /** The forward transform with both parts exchanged is the inverse one with both parts exchanged. */
  inverse(re: Float64Array, im: Float64Array): void {
    this.forward(im, re);
  }

  #reorder(re: Float64Array, im: Float64Array): void {
    const reversed = this.#reversed;
    for (let index = 0; index < this.size; index += 1) {
      const other = reversed[index]!;
      if (other <= index) continue;
      const [real, imaginary] = [re[index]!, im[index]!];
      re[index] = re[other]!;
      im[index] = im[other]!;
      re[other] = real;
      im[other] = imaginary;
    }
  }

  /** Groups of four: additions only. */
  #firstStages(re: Float64Array, im: Float64Array): void {
    for (let at = 0; at < this.size; at += 4) {
      const sumRe = re[at]! + re[at + 1]!;
      const sumIm = im[at]! + im[at + 1]!;
      const differenceRe = re[at]! - re[at + 1]!;
      const differenceIm = im[at]! - im[at + 1]!;
      const otherSumRe = re[at + 2]! + re[at + 3]!;
      const otherSumIm = im[at + 2]! + im[at + 3]!;
      const otherRe = re[at + 2]! - re[at + 3]!;
      const otherIm = im[at + 2]! - im[at + 3]!;
      re[at] = sumRe + otherSumRe;
      im[at] = sumIm + otherSumIm;
      re[at + 1] = differenceRe + otherIm;
      im[at + 1] = differenceIm - otherRe;
      re[at + 2] = sumRe - otherSumRe;
      im[at + 2] = sumIm - otherSumIm;
      re[at + 3] = differenceRe - otherIm;
      im[at + 3] = differenceIm + otherRe;
    }
  }

  /** Joins transforms of `half` values to those of twice as many. */
  #stage(re: Float64Array, im: Float64Array, half: number): void {
    const cos = this.#cos;
    const sin = this.#sin;
    for (let start = 0; start < this.size; start += 2 * half)
      for (
        let low = start, high = start + half, twiddle = half;
        low < start + half;
        low += 1, high += 1, twiddle += 1
      ) {
        const c = cos[twiddle]!;
        const s = sin[twiddle]!;
        const real = c * re[high]! - s * im[high]!;
        const imaginary = c * im[high]! + s * re[high]!;
        re[high] = re[low]! - real;
        im[high] = im[low]! - imaginary;
        re[low]! += real;
        im[low]! += imaginary;
      }
  }
}
