import { type Scene, WEIGHTS } from './gate.ts';
import { type Luma, resample } from './resample.ts';

/** The size of a frame in 4:2:0 with 8 bits; even. */
export interface FrameSize {
  readonly width: number;
  readonly height: number;
}

/** Bytes of a frame: luma, then both planes of chroma, which are half as wide and high. */
export function frameBytes({ width, height }: FrameSize): number {
  return (3 * width * height) / 2;
}

/** The luma of a frame. */
export function lumaOf(frame: Uint8Array, { width, height }: FrameSize): Luma {
  return { width, height, pixels: frame.subarray(0, width * height) };
}

/** Luma of planes of red, green and blue, by the weights of ITU-R BT.709: 54, 183 and 19 of 256. */
export function lumaOfRgb(planes: Uint8Array): Uint8Array {
  const plane = planes.length / 3;
  const luma = new Uint8Array(plane);
  for (let at = 0; at < plane; at += 1)
    luma[at] = (54 * planes[at]! + 183 * planes[plane + at]! + 19 * planes[2 * plane + at]! + 128) / 256;
  return luma;
}

/**
 * A frame as its scene asks for, wider and higher by the factor: luma by the models and the filter, chroma by bicubic
 * enlargement.
 */
export async function enlargeFrame(
  frame: Uint8Array,
  size: FrameSize,
  factor: number,
  { weight, filter }: Pick<Scene, 'weight' | 'filter'>,
  enlarge: (picture: Luma) => Promise<Luma>,
): Promise<Uint8Array> {
  const target = { width: factor * size.width, height: factor * size.height };
  const made = new Uint8Array(frameBytes(target));
  const luma = lumaOf(frame, size);
  const byModel = weight > 0 ? (await enlarge(luma)).pixels : null;
  const plain = weight < WEIGHTS ? resample(luma, target, filter).pixels : null;
  if (byModel && plain) blend(made, byModel, plain, weight);
  else made.set(byModel ?? plain ?? []);
  const half = { width: size.width / 2, height: size.height / 2 };
  const bytes = half.width * half.height;
  for (const plane of [0, 1]) {
    const start = size.width * size.height + plane * bytes;
    const chroma = { ...half, pixels: frame.subarray(start, start + bytes) };
    // Samples of chroma are above the left of two pixels (ITU-T H.264 figure 6-1), not between them.
    const shift = (factor - 1) / (4 * factor);
    const large = resample(chroma, { width: factor * half.width, height: factor * half.height }, 'bicubic', shift);
    made.set(large.pixels, target.width * target.height + plane * large.pixels.length);
  }
  return made;
}

function blend(made: Uint8Array, byModel: Uint8Array, plain: Uint8Array, weight: number): void {
  const rest = WEIGHTS - weight;
  for (let at = 0; at < plain.length; at += 1)
    made[at] = (weight * byModel[at]! + rest * plain[at]! + WEIGHTS / 2) / WEIGHTS;
}
