/**
 * Resampling as Pillow does it (libImaging/Resample.c, 8 bits per channel): the filter is widened when a picture
 * becomes smaller, coefficients have 22 bits, and the picture between the two passes is rounded to 8 bits.
 */

/** Pixels of one channel, row by row. */
export interface Luma {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

export type Filter = 'bicubic' | 'lanczos';

const FILTERS: Record<Filter, { readonly support: number; readonly weight: (distance: number) => number }> = {
  bicubic: { support: 2, weight: (distance) => cubic(Math.abs(distance)) },
  lanczos: { support: 3, weight: (distance) => (Math.abs(distance) < 3 ? sinc(distance) * sinc(distance / 3) : 0) },
};
const COEFFICIENT_BITS = 22;
const HALF = 2 ** (COEFFICIENT_BITS - 1);
const CUBIC_A = -0.5;

/** A part of the picture. */
export function cropped(
  { width, pixels }: Luma,
  part: { left: number; top: number; width: number; height: number },
): Luma {
  const kept = new Uint8Array(part.width * part.height);
  for (let y = 0; y < part.height; y += 1) {
    const from = (part.top + y) * width + part.left;
    kept.set(pixels.subarray(from, from + part.width), y * part.width);
  }
  return { width: part.width, height: part.height, pixels: kept };
}

/** The picture with another size. `shift` is by how many pixels to the right of their places it is read. */
export function resample(picture: Luma, size: { width: number; height: number }, by: Filter, shift = 0): Luma {
  return withHeight(withWidth(picture, size.width, by, shift), size.height, by);
}

function withWidth({ width, height, pixels }: Luma, newWidth: number, by: Filter, shift: number): Luma {
  const made = new Uint8ClampedArray(newWidth * height);
  const { taps, firsts, weights } = coefficients(width, newWidth, by, shift);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < newWidth; x += 1) {
      const from = y * width + firsts[x]!;
      let sum = HALF;
      // Sums fit into 32 bits.
      for (let tap = 0; tap < taps; tap += 1)
        sum = (sum + Math.imul(pixels[from + tap]!, weights[x * taps + tap]!)) | 0;
      made[y * newWidth + x] = sum >> COEFFICIENT_BITS;
    }
  return { width: newWidth, height, pixels: new Uint8Array(made.buffer) };
}

function withHeight({ width, height, pixels }: Luma, newHeight: number, by: Filter): Luma {
  const made = new Uint8ClampedArray(width * newHeight);
  const { taps, firsts, weights } = coefficients(height, newHeight, by, 0);
  const sums = new Int32Array(width);
  for (let y = 0; y < newHeight; y += 1) {
    sums.fill(HALF);
    for (let tap = 0; tap < taps; tap += 1) {
      const weight = weights[y * taps + tap]!;
      const from = (firsts[y]! + tap) * width;
      if (weight !== 0) for (let x = 0; x < width; x += 1) sums[x] = sums[x]! + Math.imul(pixels[from + x]!, weight);
    }
    for (let x = 0; x < width; x += 1) made[y * width + x] = sums[x]! >> COEFFICIENT_BITS;
  }
  return { width, height: newHeight, pixels: new Uint8Array(made.buffer) };
}

/** For each new pixel: the first old one that is read, and so many weights as integers, `taps` for each. */
interface Coefficients {
  readonly taps: number;
  readonly firsts: Int32Array;
  readonly weights: Int32Array;
}

const known = new Map<string, Coefficients>();
const MOST_KNOWN = 32;

function coefficients(from: number, to: number, by: Filter, shift: number): Coefficients {
  const key = `${from} ${to} ${by} ${shift}`;
  const found = known.get(key) ?? computed(from, to, by, shift);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, found);
  return found;
}

function computed(from: number, to: number, by: Filter, shift: number): Coefficients {
  const { support, weight } = FILTERS[by];
  const scale = from / to;
  const widened = Math.max(1, scale);
  const taps = Math.min(from, Math.ceil(2 * support * widened) + 1);
  const [firsts, weights] = [new Int32Array(to), new Int32Array(to * taps)];
  for (let at = 0; at < to; at += 1) {
    const centre = (at + 0.5) * scale + shift;
    const first = Math.max(0, Math.trunc(centre - support * widened + 0.5));
    const end = Math.min(from, Math.trunc(centre + support * widened + 0.5));
    const exact = Array.from({ length: end - first }, (_, tap) => weight((tap + first - centre + 0.5) / widened));
    const sum = exact.reduce((total, each) => total + each, 0);
    // At the end of the row, the pixels before have weights of zero.
    firsts[at] = Math.min(first, from - taps);
    for (const [tap, each] of exact.entries()) {
      const scaled = (each / sum) * 2 ** COEFFICIENT_BITS;
      weights[at * taps + first - firsts[at]! + tap] = Math.trunc(scaled + (scaled < 0 ? -0.5 : 0.5));
    }
  }
  return { taps, firsts, weights };
}

function cubic(x: number): number {
  if (x < 1) return ((CUBIC_A + 2) * x - (CUBIC_A + 3)) * x * x + 1;
  return x < 2 ? (((x - 5) * x + 8) * x - 4) * CUBIC_A : 0;
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}
