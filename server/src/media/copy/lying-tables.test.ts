import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, describe, it } from 'node:test';
import { bufferSource, readMovie, readStandardInput } from '@reelgraph/mp4';
import { openClips, testVideo, tone } from '../clips.fixture.ts';
import { createRunner } from '../runner.ts';

const clips = await openClips(await createRunner());
after(() => clips.remove());

/** Three seconds of video with B-frames, and sound. */
const whole = await readFile(
  await clips.make('whole.mp4', [
    ...testVideo('160x90', 25, 3),
    ...tone('stereo', 3),
    ...['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-g', '25', '-bf', '3', '-c:a', 'aac', '-ac', '2'],
  ]),
);

async function decided(bytes: Buffer) {
  const movie = await readMovie(bufferSource(bytes));
  assert.ok(movie);
  return readStandardInput(movie, bytes.length);
}

describe('a file whose tables lie', () => {
  /** The clip with one word of the first box of a type replaced: `at` bytes after its type. */
  function lying(type: string, at: number, value: number): Buffer {
    const bytes = Buffer.from(whole);
    bytes.writeUInt32BE(value, bytes.indexOf(type, bytes.indexOf('moov')) + 4 + at);
    return bytes;
  }
  const cases: [name: string, type: string, at: number, value: number, message: RegExp][] = [
    ['a box of 7 bytes', 'trak', -8, 7, /does not fit/],
    ['a box beyond its parent', 'mdia', -8, 0x7fff_ffff, /does not fit/],
    ['2^31 samples', 'stsz', 8, 2 ** 31, /at most/],
    ['more sizes than its box holds', 'stsz', 8, 1_000_000, /longer than its box/],
    ['samples beyond the end of the file', 'stsz', 12, 0xffff_ffff, /beyond the end/],
    ['chunks beyond the end of the file', 'stco', 8, 0xffff_0000, /beyond the end/],
    ['chunks that are not there', 'stsc', 8, 9, /not in order/],
    ['too few chunks', 'stco', 4, 0, /not in order|more samples/],
    ['fewer times than samples', 'stts', 8, 1, /fewer times/],
    ['more times than samples', 'stts', 8, 0xffff_ffff, /more times/],
    ['more composition offsets than samples', 'ctts', 8, 0xffff_ffff, /more composition offsets/],
    ['sync samples out of order', 'stss', 12, 0, /not in order/],
    ['a time scale of 0', 'mdhd', 12, 0, /time scale is 0/],
    ['an edit list longer than its box', 'elst', 4, 0x7fff_ffff, /longer than its box/],
  ];
  for (const [name, type, at, value, message] of cases)
    it(`by ${name} is refused as malformed`, async () => {
      await assert.rejects(decided(lying(type, at, value)), { name: 'Mp4Error', message });
    });

  it('by an edit beyond the end is encoded instead', async () => {
    const input = await decided(lying('elst', 12, 0x7fff_ffff));
    assert.ok(!input.standard);
    assert.match(input.reason, /edit list/);
  });

  it('never costs more than its bytes, whatever byte is damaged', async () => {
    const moov = whole.indexOf('moov');
    let refused = 0;
    for (let at = moov; at < whole.length; at += 3) {
      const bytes = Buffer.from(whole);
      bytes.writeUInt8((bytes.readUInt8(at) + 129) & 255, at);
      try {
        await decided(bytes);
      } catch (error) {
        assert.ok(error instanceof Error && ['Mp4Error', 'AssertionError'].includes(error.name), String(error));
        refused += 1;
      }
    }
    assert.ok(refused > 100, `${refused} refused`);
  });
});
