import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { casesOf } from '../../../../../scripts/test-runner/cases.ts';
import { QUICK_H264, testVideo, tone } from '../../clips.fixture.ts';
import { clips, runner } from '../../package/packaging.fixture.ts';
import { inspectFile } from '../inspect-file.ts';

const AVC = [...QUICK_H264, '-g', '10', '-c:a', 'aac'];
const both = [...testVideo('160x90', 25, 4), ...tone('stereo', 4)];
/** The least that is missing of four seconds without the last two fifths of the bytes. */
const files: [name: string, file: string, args: readonly string[], leastMissingMs: number | null][] = [
  ['MP4 with its index in front', 'a.mp4', [...both, ...AVC, '-movflags', '+faststart'], 1_200],
  ['Matroska', 'a.mkv', [...both, ...AVC], 1_200],
  ['MPEG-TS, which has no length', 'a.ts', [...both, ...AVC], null],
  ['fragmented MP4', 'a.mp4', [...both, ...AVC, '-movflags', 'frag_keyframe+empty_moov'], null],
  ['FLV', 'a.flv', [...both, ...AVC, '-ar', '44100'], 1_200],
  ['AIFF', 'a.aiff', tone('stereo', 4), 1_200],
  ['MXF', 'a.mxf', [...both, '-c:v', 'mpeg2video', '-c:a', 'pcm_s16le'], 1_200],
];

describe('a file that is cut off', () => {
  for (const [name, file, args, leastMissingMs] of casesOf(files, 3))
    it(`has the length of what is there, and says what is missing: ${name}`, async () => {
      const path = await clips.make(file, args);
      const whole = await inspectFile(runner, path);
      assert.ok(whole.ok && whole.facts.missingMs === undefined, JSON.stringify(whole));
      const bytes = await readFile(path);
      const cut = await inspectFile(runner, await clips.write(file, bytes.subarray(0, 0.6 * bytes.length)));
      assert.ok(cut.ok, JSON.stringify(cut));
      const { durationMs, missingMs } = cut.facts;
      assert.ok(durationMs !== null && durationMs > 1_000 && durationMs < 3_000, `${durationMs} ms`);
      if (leastMissingMs === null) return;
      assert.ok(missingMs !== undefined && missingMs >= leastMissingMs, `${missingMs} ms are missing`);
      assert.ok(Math.abs(durationMs + missingMs - (whole.facts.durationMs ?? 0)) <= 1, 'they add up');
    });

  it('is refused for its true reason where its index was at the end', async () => {
    const bytes = await readFile(await clips.make('a.mp4', [...both, ...AVC]));
    const cut = await inspectFile(runner, await clips.write('a.mp4', bytes.subarray(0, 0.6 * bytes.length)));
    assert.ok(!cut.ok);
    assert.equal(`${cut.message}`, 'The file is cut off: its index, which is at its end, is missing.');
  });
});
