import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { casesOf, THOROUGH } from '../../../../scripts/test-runner/cases.ts';
import { QUICK_H264, testVideo, tone } from '../clips.fixture.ts';
import { clips, LIMITS, packaged, runner } from './packaging.fixture.ts';

/** Digests of the first picture of a segment, and of all that a decoder gets from its first bytes. */
async function decoded(outDir: string, folder: string, uri: string, bytes: number): Promise<[string[], string[]]> {
  const init = await readFile(join(outDir, folder, 'init.mp4'));
  const segment = await readFile(join(outDir, folder, uri));
  await writeFile(join(outDir, 'whole.mp4'), Buffer.concat([init, segment]));
  await writeFile(join(outDir, 'part.mp4'), Buffer.concat([init, segment.subarray(0, bytes)]));
  const inputs = ['-f', 'mov', '-i', 'whole.mp4', '-f', 'mov', '-i', 'part.mp4'];
  const first = ['-map', '0', '-frames:v', '1', '-f', 'framemd5', '-y', 'whole.md5'];
  const all = ['-map', '1', '-f', 'framemd5', '-y', 'part.md5'];
  await runner.run('ffmpeg', [...inputs, ...first, ...all], { cwd: outDir, limits: LIMITS });
  const digests = async (file: string) =>
    [...(await readFile(join(outDir, file), 'utf8')).matchAll(/^0,.*, (\w{32})$/gm)].map(([, digest = '']) => digest);
  return [await digests('whole.md5'), await digests('part.md5')];
}

test(
  'each size has an I-frame playlist, whose ranges decode to the first picture of each segment',
  THOROUGH,
  async () => {
    const args = [...testVideo('640x64', 25, 9), ...tone('stereo', 9), ...QUICK_H264, '-c:a', 'aac'];
    const { outDir } = await packaged(await clips.make('film.mp4', args));
    const master = await readFile(join(outDir, 'master.m3u8'), 'utf8');
    const listed = [...master.matchAll(/^#EXT-X-I-FRAME-STREAM-INF:(.*),URI="(.*)\/iframes\.m3u8"$/gm)];
    const sizes = listed.map(([, attributes = '']) => /CODECS=.*/.exec(attributes)?.[0]);
    assert.deepEqual(sizes, [
      'CODECS="avc1.64001e",RESOLUTION=640x64,VIDEO-RANGE=SDR',
      'CODECS="avc1.64001e",RESOLUTION=426x42,VIDEO-RANGE=SDR',
      'CODECS="avc1.64001e",RESOLUTION=416x42,VIDEO-RANGE=SDR',
    ]);
    for (const [, attributes = '', folder = ''] of casesOf(listed, 1)) {
      const playlist = await readFile(join(outDir, folder, 'iframes.m3u8'), 'utf8');
      const frames = [...playlist.matchAll(/#EXTINF:(.*),\n#EXT-X-BYTERANGE:(\d+)@0\n(.*)/g)];
      assert.deepEqual(
        frames.map(([, seconds, , uri]) => `${seconds} ${uri}`),
        ['4.000000 seg-00000.m4s', '4.000000 seg-00001.m4s', '1.000000 seg-00002.m4s'],
      );
      for (const [, , bytes, uri = ''] of frames) {
        const [first, part] = await decoded(outDir, folder, uri, Number(bytes));
        assert.equal(first.length, 1);
        assert.deepEqual(part, first, `${folder}/${uri}`);
      }
      // Of a whole segment, and of the last two together: a second is less than half a target duration.
      const [a = 0, b = 0, c = 0] = frames.map(([, , bytes]) => Number(bytes));
      const peak = Math.max((8 * a) / 4, (8 * b) / 4, (8 * (b + c)) / 5);
      assert.match(
        attributes,
        new RegExp(`^BANDWIDTH=${Math.ceil(peak)},AVERAGE-BANDWIDTH=${Math.ceil((8 * (a + b + c)) / 9)},`),
      );
    }
  },
);

test('sound has no I-frame playlist', async () => {
  const { video, outDir } = await packaged(await clips.make('song.m4a', [...tone('stereo', 1), '-c:a', 'aac']));
  assert.doesNotMatch(await readFile(join(outDir, 'master.m3u8'), 'utf8'), /I-FRAME/);
  assert.ok(!video.files.some(({ path }) => path.endsWith('iframes.m3u8')));
});
