import type { Luma } from '../../packages/upscale/src/resample.ts';

export interface Likeness {
  /** In decibels; 100 for equal pictures. */
  readonly psnr: number;
  readonly ssim: number;
}

const EQUAL_PSNR = 100;
/** Wang et al. 2004, "Image quality assessment: from error visibility to structural similarity". */
const WINDOW = Array.from({ length: 11 }, (_, at) => Math.exp(-((at - 5) ** 2) / (2 * 1.5 ** 2)));
const C1 = (0.01 * 255) ** 2;
const C2 = (0.03 * 255) ** 2;

/** How much a picture is like the original, which has the same size. */
export function compare(original: Luma, picture: Luma): Likeness {
  return { psnr: psnr(original.pixels, picture.pixels), ssim: ssim(original, picture) };
}

/** In decibels; 100 for equal pictures. */
export function psnr(original: Uint8Array, picture: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < original.length; at += 1) sum += (original[at]! - picture[at]!) ** 2;
  return sum === 0 ? EQUAL_PSNR : 10 * Math.log10((255 ** 2 * original.length) / sum);
}

/** How much a picture changes to the next one in another way than the original does: the mean difference in levels. */
export function unrest([first, next]: readonly [Luma, Luma], [before, made]: readonly [Luma, Luma]): number {
  let sum = 0;
  for (let at = 0; at < next.pixels.length; at += 1)
    sum += Math.abs(made.pixels[at]! - before.pixels[at]! - (next.pixels[at]! - first.pixels[at]!));
  return sum / next.pixels.length;
}

/** Structural similarity: the mean over all windows of 11 by 11 pixels that lie in the picture. */
function ssim({ width, height, pixels: a }: Luma, { pixels: b }: Luma): number {
  const means = (value: (at: number) => number) => windowMeans(width, height, value);
  const [meanA, meanB] = [means((at) => a[at]!), means((at) => b[at]!)];
  const [squareA, squareB] = [means((at) => a[at]! ** 2), means((at) => b[at]! ** 2)];
  const product = means((at) => a[at]! * b[at]!);
  let sum = 0;
  for (let at = 0; at < product.length; at += 1) {
    const [mA, mB] = [meanA[at]!, meanB[at]!];
    const variances = squareA[at]! - mA ** 2 + squareB[at]! - mB ** 2;
    const covariance = product[at]! - mA * mB;
    sum += ((2 * mA * mB + C1) * (2 * covariance + C2)) / ((mA ** 2 + mB ** 2 + C1) * (variances + C2));
  }
  return sum / product.length;
}

/** Weighted means around each pixel that has a whole window. */
function windowMeans(width: number, height: number, value: (at: number) => number): Float64Array {
  const total = WINDOW.reduce((sum, weight) => sum + weight, 0);
  const weights = WINDOW.map((weight) => weight / total);
  const [columns, rows] = [width - WINDOW.length + 1, height - WINDOW.length + 1];
  const across = new Float64Array(columns * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < columns; x += 1) {
      let sum = 0;
      for (let tap = 0; tap < weights.length; tap += 1) sum += weights[tap]! * value(y * width + x + tap);
      across[y * columns + x] = sum;
    }
  const means = new Float64Array(columns * rows);
  for (let at = 0; at < means.length; at += 1) {
    let sum = 0;
    for (let tap = 0; tap < weights.length; tap += 1) sum += weights[tap]! * across[at + tap * columns]!;
    means[at] = sum;
  }
  return means;
}
