import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import { openImageDecoder } from '../../media/index.ts';
import { testRunner } from '../../media/testing.ts';
import { resizeImage } from '../assets/index.ts';
import type { ImageFeatures } from './ctr-model/features.ts';
import { MEASURED_SIDE, measureImage } from './measure-image.ts';

/** Rings that get narrower outwards: detail at every scale. */
const RINGS = Buffer.from(
  Array.from(
    { length: 640 * 360 },
    (_, index) => 127 + 120 * Math.sin(((index % 640) - 320) ** 2 / 900 + (Math.floor(index / 640) - 180) ** 2 / 900),
  ),
);
const plain = (background: string, width = 640, height = 360): Sharp =>
  sharp({ create: { width, height, channels: 3, background } });
const rings = (): Sharp => sharp(RINGS, { raw: { width: 640, height: 360, channels: 1 } });

describe('image features', () => {
  const decoder = openImageDecoder(testRunner, { onError: () => {} });
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reelgraph-images-'));
  });
  after(async () => {
    await decoder.close();
    await rm(folder, { recursive: true });
  });
  async function measure(image: Sharp, format: 'png' | 'jpeg' | 'webp' = 'png'): Promise<ImageFeatures> {
    const path = join(folder, `image.${format}`);
    await image.toFormat(format).toFile(path);
    return measureImage(await resizeImage(decoder, path, MEASURED_SIDE));
  }
  const near = (actual: number, expected: number, within = 0.005) =>
    assert.ok(Math.abs(actual - expected) <= within, `${actual} is within ${within} of ${expected}`);

  it('match known values', async () => {
    const white = await measure(plain('#ffffff', 1_920, 1_080));
    assert.deepEqual([white.width, white.height], [1_920, 1_080]);
    for (const [value, expected] of [
      [white.brightness, 1],
      [white.contrast, 0],
      [white.colourfulness, 0],
      [white.sharpness, Math.log(1e-6)],
    ] as const)
      near(value, expected);
    const red = await measure(plain('#ff0000'));
    near(red.brightness, 0.2126);
    // Nothing varies; 0.3 times the distance of (255, 127.5) from grey.
    near(red.colourfulness, (0.3 * Math.hypot(255, 127.5)) / 100);
    const halves = await measure(
      plain('#000000').composite([{ input: await plain('#ffffff', 320, 360).png().toBuffer(), left: 0, top: 0 }]),
    );
    near(halves.brightness, 0.5);
    near(halves.contrast, 0.5, 0.01);
  });

  it('do not depend on size, compression or transparency', async () => {
    const [large, small] = [
      await measure(rings(), 'jpeg'),
      await measure(sharp(await rings().resize(330).png().toBuffer()), 'webp'),
    ];
    near(large.brightness, small.brightness, 0.01);
    near(large.contrast, small.contrast, 0.03);
    near(large.sharpness, small.sharpness, 0.5);
    near(large.colourfulness, 0, 0.02);
    const clear = await measure(
      sharp({ create: { width: 40, height: 40, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } }),
    );
    near(clear.brightness, 1);
  });

  it('distinguish sharp from blurred', async () => {
    const blurred = await measure(sharp(await rings().blur(8).png().toBuffer()));
    assert.ok(blurred.sharpness < -8, `blurred ${blurred.sharpness}`);
    assert.ok((await measure(rings())).sharpness > -6);
  });
});
