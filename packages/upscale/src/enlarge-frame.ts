import { type Scene, WEIGHTS } from './gate.ts';
import { type Luma, resample } from './resample.ts';
import type { Enlarged } from './smoothing.ts';

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
  scene: Scene,
  enlarge: (picture: Luma) => Promise<Luma>,
): Promise<Enlarged> {
  const target = { width: factor * size.width, height: factor * size.height };
  const given = lumaOf(frame, size);
  const byModel = scene.weight > 0 ? (await enlarge(given)).pixels : null;
  const plain = scene.weight < WEIGHTS ? resample(given, target, scene.filter).pixels : null;
  const half = { width: size.width / 2, height: size.height / 2 };
  const bytes = half.width * half.height;
  const chroma = [0, 1].map((plane) => {
    const start = size.width * size.height + plane * bytes;
    const samples = { ...half, pixels: frame.subarray(start, start + bytes) };
    // Samples of chroma are above the left of two pixels (ITU-T H.264 figure 6-1), not between them.
    const shift = (factor - 1) / (4 * factor);
    return resample(samples, { width: factor * half.width, height: factor * half.height }, 'bicubic', shift).pixels;
  });
  return { given, luma: blend(byModel, plain, scene.weight), chroma: Buffer.concat(chroma), scene };
}

/** What the model made and what the filter made, in parts of a level: see `Enlarged`. One of them may be left out. */
export function blend(byModel: Uint8Array | null, plain: Uint8Array | null, weight: number): Uint16Array {
  const [some, others] = [byModel ?? plain, plain ?? byModel];
  const luma = new Uint16Array(some?.length ?? 0);
  const rest = WEIGHTS - weight;
  for (let at = 0; at < luma.length; at += 1) luma[at] = weight * some![at]! + rest * others![at]!;
  return luma;
}
