/** A frame of stereo in the frequency domain: real and imaginary parts of each bin from 0 to half the sampling rate. */
export interface StereoSpectrum {
  readonly leftRe: Float64Array;
  readonly leftIm: Float64Array;
  readonly rightRe: Float64Array;
  readonly rightIm: Float64Array;
}

export function spectrumOf(bins: number): StereoSpectrum {
  const zeros = () => new Float64Array(bins);
  return { leftRe: zeros(), leftIm: zeros(), rightRe: zeros(), rightIm: zeros() };
}
