import { sceneAt } from '@reelgraph/upscale';
import { blend } from '../../packages/upscale/src/enlarge-frame.ts';
import { Gate, WEIGHTS } from '../../packages/upscale/src/gate.ts';
import { cropped, type Luma, resample } from '../../packages/upscale/src/resample.ts';
import { type Enlarged, smoothed } from '../../packages/upscale/src/smoothing.ts';
import type { Upscaler } from '../../server/src/media/index.ts';
import { compare, type Likeness, psnr, unrest } from './compare.ts';
import { type Source, throughX264 } from './sources.ts';

/** The ways of enlarging that are compared; `gated` is the model as far as the gate lets it. */
export const WAYS = ['bicubic', 'lanczos', 'model', 'gated'] as const;
export type Way = (typeof WAYS)[number];

/** Of a picture. */
export interface PictureResult {
  readonly name: string;
  readonly likeness: Readonly<Record<Exclude<Way, 'gated'>, Likeness>>;
}

/** Of a clip. */
export interface ClipResult {
  readonly name: string;
  readonly frames: number;
  /** Mean over frames. */
  readonly psnr: Readonly<Record<Way, number>>;
  /** Mean change from frame to frame that differs from the original's, in levels. */
  readonly unrest: Readonly<Record<Way, number>>;
  /** Mean weight that the gate gives the model, from 0 to 1. */
  readonly weight: number;
}

export interface Degradation {
  readonly factor: number;
  /** Of x264; null: not encoded. */
  readonly crf: number | null;
  /** Pixels of the original on each side that are not compared, as usual for super-resolution. */
  readonly shave: number;
}

/** The frames as they are to be enlarged. */
export async function degraded({ frames }: Source, { factor, crf }: Degradation): Promise<Luma[]> {
  const small = frames.map((frame) =>
    resample(frame, { width: frame.width / factor, height: frame.height / factor }, 'bicubic'),
  );
  return crf === null ? small : throughX264(small, crf);
}

/** Compares the enlarged picture with the original. */
export async function measurePicture(
  source: Source,
  passes: readonly Upscaler[],
  degradation: Degradation,
): Promise<PictureResult> {
  const [given] = await degraded(source, degradation);
  const [original] = source.frames;
  if (!given || !original) throw new Error(`${source.name} has no picture.`);
  const { shave } = degradation;
  const likeness = (made: Luma) => compare(shaved(original, shave), shaved(made, shave));
  return {
    name: source.name,
    likeness: {
      bicubic: likeness(resample(given, original, 'bicubic')),
      lanczos: likeness(resample(given, original, 'lanczos')),
      model: likeness(await enlarged(given, passes)),
    },
  };
}

/** Frames per second for which the gate tests clips. */
const FRAMES_PER_SECOND = 25;

/** Compares the enlarged frames with those of the original, and their changes. */
export async function measureClip(
  source: Source,
  passes: readonly Upscaler[],
  degradation: Degradation,
): Promise<ClipResult> {
  const given = await degraded(source, degradation);
  const { factor, shave } = degradation;
  const gate = new Gate({ factor, framesPerSecond: FRAMES_PER_SECOND, enlarge: (luma) => enlarged(luma, passes) });
  for (const frame of given) await gate.push(frame);
  const { scenes } = gate.finish();
  const plain: Record<Exclude<Way, 'gated'> | 'original', Luma>[] = [];
  async function* gatedFrames(): AsyncGenerator<Enlarged> {
    for (const [at, frame] of given.entries()) {
      const original = source.frames[at]!; // x264 gives as many frames as it gets.
      const scene = sceneAt(scenes, at);
      const [bicubic, lanczos] = [resample(frame, original, 'bicubic'), resample(frame, original, 'lanczos')];
      const model = await enlarged(frame, passes);
      plain.push({ original, bicubic, lanczos, model });
      const luma = blend(model.pixels, (scene.filter === 'bicubic' ? bicubic : lanczos).pixels, scene.weight);
      yield { given: frame, luma, chroma: new Uint8Array(), scene };
    }
  }
  const sums = { psnr: zero(), unrest: zero() };
  let before: Record<Way | 'original', Luma> | null = null;
  for await (const pixels of smoothed(gatedFrames(), factor)) {
    const others = plain.shift()!; // Of the same frame.
    const now = mapped({ ...others, gated: { ...others.original, pixels } }, (each) => shaved(each, shave));
    for (const way of WAYS) {
      sums.psnr[way] += psnr(now.original.pixels, now[way].pixels);
      if (before) sums.unrest[way] += unrest([before.original, now.original], [before[way], now[way]]);
    }
    before = now;
  }
  const count = given.length;
  const weights = given.reduce((sum, _, at) => sum + sceneAt(scenes, at).weight / WEIGHTS, 0);
  return {
    ...{ name: source.name, frames: count, weight: weights / count },
    psnr: mapped(sums.psnr, (sum) => sum / count),
    unrest: mapped(sums.unrest, (sum) => sum / Math.max(1, count - 1)),
  };
}

function zero(): Record<Way, number> {
  return { bicubic: 0, lanczos: 0, model: 0, gated: 0 };
}

function mapped<Key extends string, A, B>(values: Readonly<Record<Key, A>>, change: (value: A) => B): Record<Key, B> {
  // The same keys.
  return Object.fromEntries(Object.entries<A>(values).map(([key, value]) => [key, change(value)])) as Record<Key, B>;
}

function shaved(picture: Luma, pixels: number): Luma {
  const [width, height] = [picture.width - 2 * pixels, picture.height - 2 * pixels];
  return cropped(picture, { left: pixels, top: pixels, width, height });
}

async function enlarged(frame: Luma, passes: readonly Upscaler[]): Promise<Luma> {
  let picture = frame;
  for (const upscaler of passes) picture = await enlargeLuma(upscaler, picture);
  return picture;
}

/** A model for RGB gets grey, and its green is taken as luma. */
async function enlargeLuma(upscaler: Upscaler, { width, height, pixels }: Luma): Promise<Luma> {
  if (upscaler.facts.channels === 1) return upscaler.enlarge({ width, height, pixels });
  const made = await upscaler.enlarge({ width, height, pixels: Buffer.concat([pixels, pixels, pixels]) });
  const plane = made.width * made.height;
  return { width: made.width, height: made.height, pixels: made.pixels.subarray(plane, 2 * plane) };
}
