import { after, describe, it } from 'node:test';
import sharp from 'sharp';
import { openClips } from '../clips.fixture.ts';
import { tryChangedAnimations } from '../inspect/animated-images.fixture.ts';
import { createRunner } from '../runner.ts';
import { heicOf, tryChangedHeic, WRITES_HEIC } from './heic.fixture.ts';
import { openImageDecoder } from './open-image-decoder.ts';

const runner = await createRunner();
const clips = await openClips(runner);
after(() => clips.remove());

/** At more places than the tests of each format try. */
describe('images with changed bytes are read or refused', { timeout: 300_000 }, () => {
  for (const format of ['gif', 'webp'] as const)
    it(`animated ${format}`, () => tryChangedAnimations(runner, clips, format, 24));

  it('HEIC', { skip: !WRITES_HEIC && 'libheif-examples is not installed' }, async () => {
    const decoder = openImageDecoder(runner, { onError: () => {} });
    const red = sharp({ create: { width: 64, height: 48, channels: 3, background: '#ff0000' } });
    const jpeg = await clips.write('red.jpg', await red.jpeg({ quality: 95 }).toBuffer());
    await tryChangedHeic(decoder, clips, await heicOf(runner, clips, [jpeg]), 40);
    await decoder.close();
  });
});
