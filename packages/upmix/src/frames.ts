import { Fft } from './fft.ts';
import { Separator } from './separate.ts';
import { type StereoSpectrum, spectrumOf } from './spectrum.ts';

/** Samples of a frame at 48 kHz: 85 ms. */
export const FRAME = 4096;
/** Samples between the starts of two frames. */
export const HOP = FRAME / 2;
const BINS = FRAME / 2 + 1;
/** Transforms are not scaled. */
const SCALE = 1 / FRAME;

/** The next samples of what was separated. */
export interface SeparatedSamples {
  readonly centre: Float64Array;
  readonly left: Float64Array;
  readonly right: Float64Array;
  /** The part of the ambience that is at the sides where there are two pairs of surrounds. */
  readonly sideLeft: Float64Array;
  readonly sideRight: Float64Array;
}

/**
 * Separates stereo in overlapping frames (short-time Fourier transform): sine windows before and after, whose squares
 * add to one.
 */
export class FrameSeparator {
  readonly #fft = new Fft(FRAME);
  readonly #window = Float64Array.from({ length: FRAME }, (_, index) => Math.sin((Math.PI * (index + 0.5)) / FRAME));
  readonly #separator = new Separator(BINS);
  readonly #spectrum = spectrumOf(BINS);
  readonly #re = new Float64Array(FRAME);
  readonly #im = new Float64Array(FRAME);
  readonly #sums: SeparatedSamples = {
    ...{ centre: new Float64Array(FRAME), left: new Float64Array(FRAME), right: new Float64Array(FRAME) },
    ...{ sideLeft: new Float64Array(FRAME), sideRight: new Float64Array(FRAME) },
  };
  readonly #hasSides: boolean;

  /** Samples between the end of a frame that is put in and the start of the samples that come out. */
  static readonly delay = FRAME + Separator.delay * HOP;

  constructor(hasSides: boolean) {
    this.#hasSides = hasSides;
  }

  /**
   * Takes the frame that begins a hop after the last one.
   * @returns Sums of which the first `HOP` samples are complete, until the next call.
   */
  next(left: Float64Array, right: Float64Array): SeparatedSamples {
    const sums = this.#sums;
    for (const sum of Object.values(sums) as Float64Array[]) {
      sum.copyWithin(0, HOP);
      sum.fill(0, FRAME - HOP);
    }
    const { centreRe, centreIm, ambience } = this.#separator.next(this.#transformed(left, right));
    this.#add(sums.centre, null, { leftRe: centreRe, leftIm: centreIm, rightRe: NOTHING, rightIm: NOTHING });
    this.#add(sums.left, sums.right, ambience);
    if (this.#hasSides) this.#add(sums.sideLeft, sums.sideRight, toSides(ambience, this.#spectrum));
    return sums;
  }

  /** Both channels in one transform, as real and imaginary part. */
  #transformed(left: Float64Array, right: Float64Array): StereoSpectrum {
    const [re, im, window] = [this.#re, this.#im, this.#window];
    for (let index = 0; index < FRAME; index += 1) {
      re[index] = left[index]! * window[index]!;
      im[index] = right[index]! * window[index]!;
    }
    this.#fft.forward(re, im);
    const { leftRe, leftIm, rightRe, rightIm } = this.#spectrum;
    for (let bin = 0; bin < BINS; bin += 1) {
      const mirror = (FRAME - bin) % FRAME;
      leftRe[bin] = (re[bin]! + re[mirror]!) / 2;
      leftIm[bin] = (im[bin]! - im[mirror]!) / 2;
      rightRe[bin] = (im[bin]! + im[mirror]!) / 2;
      rightIm[bin] = (re[mirror]! - re[bin]!) / 2;
    }
    return this.#spectrum;
  }

  /** Adds both channels of a spectrum to the sums of their samples. */
  #add(left: Float64Array, right: Float64Array | null, { leftRe, leftIm, rightRe, rightIm }: StereoSpectrum): void {
    const [re, im, window] = [this.#re, this.#im, this.#window];
    re[0] = leftRe[0]!;
    im[0] = rightRe[0]!;
    re[BINS - 1] = leftRe[BINS - 1]!;
    im[BINS - 1] = rightRe[BINS - 1]!;
    for (let bin = 1; bin < BINS - 1; bin += 1) {
      const mirror = FRAME - bin;
      re[bin] = leftRe[bin]! - rightIm[bin]!;
      im[bin] = leftIm[bin]! + rightRe[bin]!;
      re[mirror] = leftRe[bin]! + rightIm[bin]!;
      im[mirror] = rightRe[bin]! - leftIm[bin]!;
    }
    this.#fft.inverse(re, im);
    for (let index = 0; index < FRAME; index += 1) left[index]! += SCALE * window[index]! * re[index]!;
    if (right === null) return;
    for (let index = 0; index < FRAME; index += 1) right[index]! += SCALE * window[index]! * im[index]!;
  }
}

const NOTHING = new Float64Array(BINS);

/** Signs that change with each third of an octave. */
const TURNS = Int8Array.from({ length: BINS }, (_, bin) => (Math.floor(3 * Math.log2(bin + 1)) % 2 === 0 ? 1 : -1));

/**
 * Tangent of 42 degrees, by which phases are turned. The sines of both turns are opposite, so that at 45 degrees the
 * sides and the back would be unrelated, and as loud together as the ambience. A little less leaves more of it in each.
 */
const TURN = 0.9;

/** Half of the ambience, its phase turned. What that leaves is as loud, and turned the other way. */
function toSides({ leftRe, leftIm, rightRe, rightIm }: StereoSpectrum, into: StereoSpectrum): StereoSpectrum {
  for (let bin = 0; bin < BINS; bin += 1) {
    const turn = TURN * TURNS[bin]!;
    into.leftRe[bin] = (leftRe[bin]! - turn * leftIm[bin]!) / 2;
    into.leftIm[bin] = (leftIm[bin]! + turn * leftRe[bin]!) / 2;
    into.rightRe[bin] = (rightRe[bin]! - turn * rightIm[bin]!) / 2;
    into.rightIm[bin] = (rightIm[bin]! + turn * rightRe[bin]!) / 2;
  }
  return into;
}
