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

/** The picture with another size. */
export function resample({ width, height, pixels }: Luma, size: { width: number; height: number }, by: Filter): Luma {
  const turned = resampleRows({ width, height, pixels }, size.width, by);
  return resampleRows(turned, size.height, by);
}

/** Changes the width of the picture and transposes it: twice, it changes both sides. */
function resampleRows({ width, height, pixels }: Luma, newWidth: number, by: Filter): Luma {
  const made = new Uint8Array(newWidth * height);
  for (const [x, { first, weights }] of coefficients(width, newWidth, by).entries())
    for (let y = 0; y < height; y += 1) {
      let sum = 2 ** (COEFFICIENT_BITS - 1);
      const from = y * width + first;
      for (let tap = 0; tap < weights.length; tap += 1) sum += pixels[from + tap]! * weights[tap]!;
      made[x * height + y] = Math.min(255, Math.max(0, sum >> COEFFICIENT_BITS));
    }
  return { width: height, height: newWidth, pixels: made };
}

/** For each new pixel: the first old one that it depends on, and their weights as integers. */
function coefficients(from: number, to: number, by: Filter): { first: number; weights: number[] }[] {
  const { support, weight } = FILTERS[by];
  const scale = from / to;
  const widened = Math.max(1, scale);
  return Array.from({ length: to }, (_, at) => {
    const centre = (at + 0.5) * scale;
    const first = Math.max(0, Math.trunc(centre - support * widened + 0.5));
    const end = Math.min(from, Math.trunc(centre + support * widened + 0.5));
    const exact = Array.from({ length: end - first }, (_, tap) => weight((tap + first - centre + 0.5) / widened));
    const sum = exact.reduce((total, each) => total + each, 0);
    const weights = exact.map((each) => {
      const scaled = (each / sum) * 2 ** COEFFICIENT_BITS;
      return Math.trunc(scaled + (scaled < 0 ? -0.5 : 0.5));
    });
    return { first, weights };
  });
}

function cubic(x: number): number {
  if (x < 1) return ((CUBIC_A + 2) * x - (CUBIC_A + 3)) * x * x + 1;
  return x < 2 ? (((x - 5) * x + 8) * x - 4) * CUBIC_A : 0;
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}
