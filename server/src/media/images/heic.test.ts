import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { after, describe, it } from 'node:test';
import sharp from 'sharp';
import { THOROUGH } from '../../../../scripts/test-runner/cases.ts';
import { openClips, realMedia } from '../clips.fixture.ts';
import { createRunner } from '../runner.ts';
import { heicOf, READS_HEIC, tryChangedHeic, WRITES_HEIC } from './heic.fixture.ts';
import { withHeicAsJpeg } from './heic.ts';
import { ImageError } from './image-error.ts';
import type { ImageFacts, ImageFormat } from './image-process.ts';
import { openImageDecoder } from './open-image-decoder.ts';

const runner = await createRunner({ missingTools: 'when-run' });
const clips = await openClips(runner);
const decoder = openImageDecoder(runner, { onError: () => {} });
after(async () => {
  await decoder.close();
  await clips.remove();
});

/** Red on the left, blue on the right. */
function halves() {
  const blue = { create: { width: 32, height: 48, channels: 3, background: '#0000ff' } } as const;
  return sharp({ create: { width: 64, height: 48, channels: 3, background: '#ff0000' } })
    .composite([{ input: blue, left: 32, top: 0 }])
    .removeAlpha();
}

/** The size of an image, and what its four corners look like, clockwise from the top left. */
async function decoded(format: ImageFormat, bytes: Buffer): Promise<{ facts: ImageFacts; corners: string[] }> {
  let facts: ImageFacts | null = null;
  const path = await clips.write('image', bytes);
  const [rgb] = await decoder.convert({ path, format }, (found) => {
    facts = found;
    const { width, height } = found;
    return { width, height, outputs: [{ format: 'RGB', width, height }] };
  });
  const { width, height }: ImageFacts = facts ?? assert.fail('no facts');
  const colorAt = (x: number, y: number) => {
    const [red = 0, , blue = 0] = rgb?.subarray(3 * (y * width + x)) ?? [];
    return red > 200 && blue < 60 ? 'red' : blue > 200 && red < 60 ? 'blue' : `${red} ${blue}`;
  };
  const [right, bottom] = [width - 2, height - 2];
  const corners = [colorAt(1, 1), colorAt(right, 1), colorAt(right, bottom), colorAt(1, bottom)];
  return { facts: facts ?? assert.fail('no facts'), corners };
}

const reasonOf = (bytes: Buffer) =>
  decoded('heic', bytes).then(
    () => 'decoded',
    (error: unknown) => (error instanceof ImageError ? error.reason : String(error)),
  );

const changed = (bytes: Buffer, change: (copy: Buffer) => void): Buffer => {
  const copy = Buffer.from(bytes);
  change(copy);
  return copy;
};

it('an AVIF is read', async () => {
  const { facts, corners } = await decoded('avif', await halves().avif({ quality: 90 }).toBuffer());
  assert.deepEqual(facts, { width: 64, height: 48, hasAlpha: false });
  assert.deepEqual(corners, ['red', 'blue', 'blue', 'red']);
});

it('without libheif, a HEIC photo is refused as unsupported', async () => {
  const bare = openImageDecoder(await createRunner({ searchPath: '/none', missingTools: 'when-run' }), {
    onError: assert.fail,
  });
  const path = await clips.write('photo.heic', 'ftypheic');
  await assert.rejects(
    bare.convert({ path, format: 'heic' }, () => assert.fail('must not be planned')),
    { name: 'PictureError', reason: 'unsupported' },
  );
  await bare.close();
});

describe('HEIC', { skip: !WRITES_HEIC && 'libheif-examples is not installed', timeout: 120_000 }, () => {
  const jpeg = async () => clips.write('halves.jpg', await halves().jpeg({ quality: 95 }).toBuffer());

  it('is read', async () => {
    const { facts, corners } = await decoded('heic', await heicOf(runner, clips, [await jpeg()]));
    assert.deepEqual(facts, { width: 64, height: 48, hasAlpha: false });
    assert.deepEqual(corners, ['red', 'blue', 'blue', 'red']);
  });

  it('is rotated as the image says, and not a second time as EXIF says', async () => {
    const rotated = await halves().withMetadata({ orientation: 6 }).jpeg({ quality: 95 }).toBuffer();
    const plain = await heicOf(runner, clips, [await clips.write('rotated.jpg', rotated)]);
    assert.deepEqual((await decoded('heic', plain)).corners, ['red', 'blue', 'blue', 'red']);
    // ISO/IEC 23008-12 section 6.5.10: a quarter counter-clockwise, in place of the property pixi.
    const turned = changed(plain, (copy) => {
      const property = copy.indexOf('pixi');
      copy.write('irot', property);
      copy[property + 4] = 1;
    });
    const { facts, corners } = await decoded('heic', turned);
    assert.deepEqual([facts.width, facts.height], [48, 64]);
    assert.deepEqual(corners, ['blue', 'blue', 'red', 'red']);
  });

  it('of several images is the first one', async () => {
    const flipped = await clips.write('flipped.jpg', await halves().flop().jpeg({ quality: 95 }).toBuffer());
    const { corners } = await decoded('heic', await heicOf(runner, clips, [await jpeg(), flipped]));
    assert.deepEqual(corners, ['red', 'blue', 'blue', 'red']);
  });

  it('with a colour profile is converted to sRGB', async () => {
    const wide = await halves().withIccProfile('p3').jpeg({ quality: 95 }).toBuffer();
    const heic = await heicOf(runner, clips, [await clips.write('wide.jpg', wide)]);
    assert.ok(heic.includes('colrprof'));
    assert.deepEqual((await decoded('heic', heic)).corners, ['red', 'blue', 'blue', 'red']);
  });

  for (const method of ['bubblewrap', 'unshare', 'partial'] as const) {
    it(`is converted in the sandbox method ${method}`, async (t) => {
      const isolated = await createRunner({ methods: [method], missingTools: 'when-run' });
      if (isolated.sandbox.method !== method) return t.skip('not possible on this machine');
      const path = await clips.write('photo.heic', await heicOf(runner, clips, [await jpeg()]));
      const metadata = await withHeicAsJpeg(isolated, path, (jpegPath) => sharp(jpegPath).metadata());
      assert.deepEqual([metadata.format, metadata.width, metadata.height], ['jpeg', 64, 48]);
    });
  }

  it('leaves no converted file behind, also when its use fails', async () => {
    const path = await clips.write('photo.heic', await heicOf(runner, clips, [await jpeg()]));
    const folders: string[] = [];
    const note = async (jpegPath: string) => void folders.push(dirname(jpegPath));
    await withHeicAsJpeg(runner, path, note);
    const failing = withHeicAsJpeg(runner, path, async (jpegPath) => {
      await note(jpegPath);
      throw new Error('stop');
    });
    await assert.rejects(failing, /stop/);
    assert.deepEqual(
      folders.map((folder) => existsSync(folder)),
      [false, false],
    );
  });

  it('that declares an enormous picture is refused', async () => {
    const heic = await heicOf(runner, clips, [await jpeg()]);
    for (const side of [60_000, 0xffff_fff0]) {
      const lying = changed(heic, (copy) => {
        for (let at = copy.indexOf('ispe'); at >= 0; at = copy.indexOf('ispe', at + 4)) {
          copy.writeUInt32BE(side, at + 8);
          copy.writeUInt32BE(side, at + 12);
        }
      });
      assert.notEqual(await reasonOf(lying), 'unavailable');
      assert.notEqual(await reasonOf(lying), 'decoded');
    }
  });

  it('with changed bytes is read or refused', THOROUGH, async () => {
    const heic = await heicOf(runner, clips, [await jpeg()]);
    await tryChangedHeic(decoder, clips, heic, 12);
  });

  const photo = realMedia('sample_still_photo.heic');
  it('of a phone is read', { skip: photo === null || !READS_HEIC }, async () => {
    let facts: ImageFacts | null = null;
    const outputs = await decoder.convert({ path: photo ?? '', format: 'heic' }, (found) => {
      facts = found;
      return { width: 108, height: 192, outputs: [{ format: 'JPEG', width: 108, height: 192 }] };
    });
    assert.deepEqual(facts, { width: 1080, height: 1920, hasAlpha: false });
    assert.equal(outputs.length, 1);
  });
});
