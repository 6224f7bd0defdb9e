import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { casesOf } from '../../../../scripts/test-runner/cases.ts';
import { QUICK_H264, testVideo } from '../clips.fixture.ts';
import { planCopyOf } from '../copy/plan-copy.ts';
import { inspectFile } from '../inspect/inspect-file.ts';
import { isVideo } from '../renditions/rendition.ts';
import { packageVideo } from './package-video.fixture.ts';
import { clips, LIMITS, runner } from './packaging.fixture.ts';

/** When keyframes of a rendition are shown, in seconds. */
async function keyframesOf(cwd: string, folder: string): Promise<number[]> {
  const shown = ['-skip_frame', 'nokey', '-show_entries', 'frame=pts_time', '-of', 'csv=p=0'];
  const input = ['-protocol_whitelist', 'file', '-f', 'hls', '-i', `${folder}/index.m3u8`];
  const { stdout } = await runner.run('ffprobe', [...shown, ...input], { cwd, limits: LIMITS });
  return [...stdout.matchAll(/^[\d.]+/gm)].map(([seconds]) => Number(seconds));
}

interface Case {
  readonly name: string;
  readonly seconds: number;
  /** Of the source, in seconds. */
  readonly given: readonly number[];
  readonly copied: { readonly cuts: readonly number[]; readonly sharesCuts: boolean };
  readonly encoded: { readonly starts: readonly number[]; readonly keyframes: readonly number[] };
}

const cases: readonly Case[] = [
  {
    name: 'of which one is after 10 s',
    seconds: 14,
    given: [0, 10],
    copied: { cuts: [0, 10], sharesCuts: false },
    encoded: { starts: [0, 4, 8, 12], keyframes: [0, 2, 4, 6, 8, 10, 12] },
  },
  {
    name: 'after 3, 8 and 9.5 s',
    seconds: 12,
    given: [0, 3, 8, 9.5],
    copied: { cuts: [0, 3, 8], sharesCuts: true },
    encoded: { starts: [0, 3, 8], keyframes: [0, 1.5, 3, 4.7, 6.3, 8, 9.5, 10.8] },
  },
];

describe('keyframes of what is encoded from a file with keyframes', () => {
  for (const { name, seconds, given, copied, encoded } of casesOf(cases, 1))
    it(`${name}: at most two seconds apart, in all sizes`, async () => {
      const keyframes = ['-sc_threshold', '0', '-g', '1000', '-force_key_frames', given.join(',')];
      const path = await clips.make(`${seconds}.mp4`, [
        ...testVideo('640x360', 10, seconds),
        ...QUICK_H264,
        ...keyframes,
      ]);
      const bytes = await readFile(path);
      const read = async (position: number, length: number) => bytes.subarray(position, position + length);
      const copy = await planCopyOf({ key: path, etag: 'e', sizeBytes: bytes.length, read });
      assert.ok(copy.standard, JSON.stringify(copy));
      const { cuts, sharesCuts } = copy;
      assert.deepEqual([{ cuts, sharesCuts }, copy.keyframes], [copied, given]);
      const inspection = await inspectFile(runner, path);
      assert.ok(inspection.ok);
      const outDir = clips.fresh('package');
      const times = { ...(sharesCuts ? { cuts } : {}), keyframes: copy.keyframes };
      const { facts } = inspection;
      const { renditions } = await packageVideo(runner, { inputPath: path, outDir, facts, ...times });
      const sizes = renditions.filter(isVideo);
      assert.ok(sizes.length >= 2);
      for (const { folder, durations, timescale } of sizes) {
        const starts = durations.map((_, index) => durations.slice(0, index).reduce((a, b) => a + b, 0) / timescale);
        assert.deepEqual({ starts, keyframes: await keyframesOf(outDir, folder) }, encoded, folder);
      }
    });
});
