import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import { QUICK_H264 } from '../../clips.fixture.ts';
import { clips, LIMITS, packaged, runner } from '../packaging.fixture.ts';
import { runArgs } from './run-part.ts';
import { planStoryboard, storyboardPart, storyboardText } from './storyboard.ts';

const HD = { displayWidth: 1920, displayHeight: 1080 };
const plans: [name: string, size: typeof HD, durationMs: number, expected: ReturnType<typeof planStoryboard>][] = [
  [
    'half a second is one tile',
    HD,
    500,
    { intervalMs: 1000, tiles: 1, sheets: 1, columns: 1, rows: 1, width: 160, height: 90 },
  ],
  [
    'a minute is one sheet of six rows',
    HD,
    60_000,
    { intervalMs: 1000, tiles: 60, sheets: 1, columns: 10, rows: 6, width: 160, height: 90 },
  ],
  [
    'an upright video of 101 s is two sheets',
    { displayWidth: 1080, displayHeight: 1920 },
    101_000,
    { intervalMs: 1000, tiles: 101, sheets: 2, columns: 10, rows: 10, width: 90, height: 160 },
  ],
  [
    'an hour is four sheets with a tile every 9 s',
    HD,
    3_600_000,
    { intervalMs: 9000, tiles: 400, sheets: 4, columns: 10, rows: 10, width: 160, height: 90 },
  ],
];

/** Mean luma of the tiles of a sheet, in their order. */
async function brightness(outDir: string, sheet: string, columns: number, rows: number): Promise<number[]> {
  const filters = `untile=${columns}x${rows},signalstats,metadata=print:key=lavfi.signalstats.YAVG:file=pipe\\\\:1`;
  const args = ['-i', sheet, '-vf', filters, '-f', 'null', '-'];
  const { stdout } = await runner.run('ffmpeg', args, { cwd: outDir, limits: LIMITS });
  return [...stdout.matchAll(/YAVG=([\d.]+)/g)].map(([, value]) => Number(value));
}

/** A gray that is 15 steps brighter with each second, as full range. */
const grayAt = (second: number) => (15 * second * 255) / 219;

describe('a storyboard', () => {
  for (const [name, size, durationMs, expected] of plans)
    it(`of ${name}`, () => assert.deepEqual(planStoryboard(size, durationMs), expected));

  it('names the part of a sheet for each moment', () => {
    const plan = { intervalMs: 1500, tiles: 3, sheets: 2, columns: 2, rows: 1, width: 160, height: 90 };
    assert.equal(
      storyboardText(plan, 4000),
      `WEBVTT

00:00:00.000 --> 00:00:01.500
00001.jpg#xywh=0,0,160,90

00:00:01.500 --> 00:00:03.000
00001.jpg#xywh=160,0,160,90

00:00:03.000 --> 00:00:04.000
00002.jpg#xywh=0,0,160,90
`,
    );
  });

  it('shows the picture of each second, and those of keyframes where it has a tile for each', THOROUGH, async () => {
    const gray = "nullsrc=size=160x90:rate=10:duration=13,geq=lum='16+15*floor(T)':cb=128:cr=128";
    const { video, outDir } = await packaged(await clips.make('gray.mp4', ['-f', 'lavfi', '-i', gray, ...QUICK_H264]));
    const shown = await brightness(outDir, 'thumbs/00001.jpg', 10, 2);
    assert.equal(shown.length, 20);
    for (const [second, luma] of shown.entries()) {
      const expected = second < 13 ? grayAt(second) : 0;
      assert.ok(Math.abs(luma - expected) < 3, `tile ${second}: ${luma}, not ${expected}`);
    }
    const vtt = await readFile(join(outDir, video.thumbnails?.vtt ?? ''), 'utf8');
    assert.match(vtt, /\n00:00:12\.000 --> 00:00:13\.000\n00001\.jpg#xywh=320,90,160,90\n$/);

    const four = { intervalMs: 4000, tiles: 4, sheets: 1, columns: 2, rows: 2, width: 160, height: 90 };
    const args = runArgs([storyboardPart({ folder: 'v90' }, four, 4)]);
    assert.deepEqual(args.slice(0, 2), ['-skip_frame', 'nokey']);
    await runner.run('ffmpeg', args, { cwd: outDir, limits: LIMITS });
    const sparse = await brightness(outDir, 'thumbs/00001.jpg', 2, 2);
    for (const [index, second] of [0, 4, 8, 12].entries())
      assert.ok(Math.abs((sparse[index] ?? 0) - grayAt(second)) < 3, `${second} s: ${sparse[index]}`);
  });
});
