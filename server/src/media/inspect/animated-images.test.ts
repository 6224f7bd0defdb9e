import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { THOROUGH } from '../../../../scripts/test-runner/cases.ts';
import { openClips } from '../clips.fixture.ts';
import { decodableFile } from '../images/decodable-file.ts';
import { createRunner } from '../runner.ts';
import { animation, tryChangedAnimations } from './animated-images.fixture.ts';
import { inspectFile } from './inspect-file.ts';

const runner = await createRunner();
const clips = await openClips(runner);
after(() => clips.remove());

const changed = (bytes: Buffer, change: (copy: Buffer) => void): Buffer => {
  const copy = Buffer.from(bytes);
  change(copy);
  return copy;
};

describe('animated images', { timeout: 300_000 }, () => {
  for (const format of ['gif', 'webp'] as const) {
    it(`a ${format} of several frames is a video`, async () => {
      const inspection = await inspectFile(runner, await clips.write('a', await animation(format, 3)));
      assert.ok(inspection.ok, JSON.stringify(inspection));
      const { video, durationMs } = inspection.facts;
      assert.equal(inspection.mimeType, `image/${format}`);
      assert.deepEqual([video?.width, video?.height, durationMs, video?.frameRate], [24, 16, 120, { num: 25, den: 1 }]);
    });

    it(`a ${format} of one frame is an image`, async () => {
      const inspection = await inspectFile(runner, await clips.write('a', await animation(format, 1)));
      assert.ok(!inspection.ok);
      assert.deepEqual(
        [inspection.reason, inspection.message],
        ['image', 'The file is an image; upload it as a poster or thumbnail, or send a video.'],
      );
    });

    it(`a ${format} with changed bytes is read or refused`, THOROUGH, async () => {
      await tryChangedAnimations(runner, clips, format, 8);
    });
  }

  it('a GIF that declares an enormous picture is refused', async () => {
    const gif = changed(await animation('gif', 3), (copy) => copy.fill(0xff, 6, 10));
    const inspection = await inspectFile(runner, await clips.write('a.gif', gif));
    assert.ok(!inspection.ok);
    assert.ok(['damaged', 'rejected'].includes(inspection.reason), inspection.reason);
  });

  it('a WebP that declares an enormous picture, or too many frames for its size, is refused', async () => {
    const webp = await animation('webp', 3);
    const sized = (side: number) =>
      changed(webp, (copy) => {
        copy.writeUIntLE(side - 1, 24, 3);
        copy.writeUIntLE(side - 1, 27, 3);
      });
    const refusal = async (bytes: Buffer) => {
      const inspection = await inspectFile(runner, await clips.write('a.webp', bytes));
      assert.ok(!inspection.ok);
      return [inspection.reason, String(inspection.message)];
    };
    assert.deepEqual(await refusal(sized(16_384)), [
      'rejected',
      'The picture is 16384 x 16384 pixels; the limit is 8192 on each side.',
    ]);
    const frame = webp.subarray(webp.indexOf('ANMF'));
    const long = Buffer.concat([sized(8192), ...Array.from({ length: 15 }, () => frame.subarray(0, frame.length))]);
    assert.deepEqual(await refusal(long), [
      'rejected',
      'The animation has 48 frames of 8192 x 8192 pixels, which is too much.',
    ]);
  });

  it('a WebP whose chunks reach beyond its end is refused as damaged', async () => {
    const webp = await animation('webp', 3);
    const lying = changed(webp, (copy) => copy.writeUInt32LE(0xfffffff0, copy.lastIndexOf('ANMF') + 4));
    for (const bytes of [lying, webp.subarray(0, webp.length - 20)]) {
      const inspection = await inspectFile(runner, await clips.write('a.webp', bytes));
      assert.ok(!inspection.ok);
      assert.equal(inspection.reason, 'damaged');
    }
  });

  it('a WebP with a picture that cannot be decoded is refused when it is converted', async () => {
    const webp = changed(await animation('webp', 3), (copy) => copy.fill(0, copy.lastIndexOf('VP8L') + 8));
    const path = await clips.write('a.webp', webp);
    assert.ok((await inspectFile(runner, path)).ok);
    await assert.rejects(decodableFile(runner, path, { workDir: clips.fresh('source') }), {
      code: 'TRANSCODE_FAILED',
      message: 'The animation is damaged or too large to decode.',
    });
  });
});
