import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import { casesOf, THOROUGH } from '../../../../scripts/test-runner/cases.ts';
import { realMedia } from '../clips.fixture.ts';
import { decodableFile } from '../images/decodable-file.ts';
import { inspectFile } from '../inspect/inspect-file.ts';
import { clips, LIMITS, packaged, runner } from './packaging.fixture.ts';
import { takeFrame } from './pictures/extract-frame.ts';

const [WIDTH, HEIGHT] = [64, 48];
const SHADES = [20, 80, 140, 200] as const;
const DELAYS_MS = [100, 300, 100, 500];

/** One frame of each shade, opaque unless `alphaAt` a column is less, that loops three times. */
async function animation(format: 'gif' | 'webp', alphaAt: (column: number) => number = () => 255): Promise<string> {
  const row = (shade: number) =>
    Array.from({ length: WIDTH }, (_, column) => [shade, shade, shade, alphaAt(column)]).flat();
  const pixels = Buffer.concat(SHADES.map((shade) => Buffer.alloc(WIDTH * HEIGHT * 4, Buffer.from(row(shade)))));
  const raw = { width: WIDTH, height: HEIGHT * SHADES.length, channels: 4, pageHeight: HEIGHT } as const;
  const image = sharp(pixels, { raw });
  const timing = { delay: DELAYS_MS, loop: 3 };
  const bytes = await (format === 'gif' ? image.gif(timing) : image.webp({ ...timing, lossless: true })).toBuffer();
  return clips.write(`animation.${format}`, bytes);
}

/** The average brightness of each frame of a rendition, 0 to 255. */
async function shadesOf(outDir: string, path: string): Promise<number[]> {
  const output = ['-vf', 'scale=1:1:flags=area:out_range=pc,format=gray', '-fps_mode', 'passthrough'];
  const args = ['-protocol_whitelist', 'file', '-f', 'hls', '-i', path, ...output, '-f', 'rawvideo', 'shades'];
  await runner.run('ffmpeg', args, { cwd: outDir, limits: LIMITS });
  return [...(await readFile(join(outDir, 'shades')))];
}

/** When each frame of a rendition is shown, in seconds. */
async function timesOf(outDir: string, path: string): Promise<number[]> {
  const entries = ['-show_entries', 'packet=pts_time', '-of', 'csv=p=0'];
  const args = [...entries, '-protocol_whitelist', 'file', '-f', 'hls', '-i', path];
  const { stdout } = await runner.run('ffprobe', args, { cwd: outDir, limits: LIMITS });
  return [...stdout.matchAll(/[\d.]+/g)].map(([seconds]) => Number(seconds)).sort((a, b) => a - b);
}

/** The average brightness of an image, 0 to 255. */
async function shadeOf(path: string): Promise<number> {
  const [channel] = (await sharp(path).greyscale().stats()).channels;
  return channel?.mean ?? Number.NaN;
}

const isAbout = (found: readonly number[], expected: readonly number[]) =>
  found.length === expected.length && found.every((shade, index) => Math.abs(shade - (expected[index] ?? 0)) <= 3);

const FORMATS = ['gif', 'webp'] as const;

for (const format of casesOf(FORMATS, 1)) {
  test(`an animated ${format} is played once, each frame as long as it asks`, async () => {
    const { video, outDir, facts } = await packaged(await animation(format));
    assert.deepEqual([facts.durationMs, video.durationMs], [1000, 1000]);
    assert.deepEqual(facts.video?.pictures, { points: [0, 45_000], before: [0, 36_000], end: 90_000 });
    const [rung] = video.qualities;
    assert.deepEqual([rung?.width, rung?.height, rung?.frameRate], [64, 48, '6/1']);
    const shades = await shadesOf(outDir, rung?.path ?? '');
    assert.ok(isAbout(shades, SHADES), shades.join(' '));
    assert.deepEqual(await timesOf(outDir, rung?.path ?? ''), [0, 0.1, 0.4, 0.5]);
    assert.equal(video.thumbnails?.count, 1);
  });
}

for (const format of casesOf(FORMATS, 1)) {
  test(`the frame of an animated ${format} at a time is the one that is displayed`, async () => {
    const source = await animation(format);
    const inspection = await inspectFile(runner, source);
    assert.ok(inspection.ok);
    const { facts } = inspection;
    const inputPath = await decodableFile(runner, source, { workDir: clips.fresh('source') });
    const [a, b, c, d] = SHADES;
    for (const [atMs, shade] of [
      [0, a],
      [99, a],
      [100, b],
      [399, b],
      [400, c],
      [500, d],
      [999, d],
      [60_000, d],
    ] as const) {
      const outDir = clips.fresh('frame');
      const path = await takeFrame(runner, { inputPath, outDir, facts, video: facts.video ?? assert.fail(), atMs });
      assert.ok(path !== null);
      const found = await shadeOf(path);
      assert.ok(isAbout([found], [shade]), `${atMs} ms: ${found}`);
    }
  });
}

test('transparent parts of an animation are white, in the stream and in the poster', THOROUGH, async () => {
  const { video, outDir } = await packaged(await animation('webp', () => 51));
  // A fifth of the shade, four fifths of white.
  const [a, b, c, d] = [208, 220, 232, 244];
  const shades = await shadesOf(outDir, video.qualities[0]?.path ?? '');
  assert.ok(isAbout(shades, [a, b, c, d]), shades.join(' '));
  const poster = await shadeOf(join(outDir, 'poster.jpg'));
  assert.ok(poster >= 205 && poster <= 247, `${poster}`);
  const half = await packaged(await animation('gif', (column) => (column < WIDTH / 2 ? 255 : 0)));
  const mixed = await shadesOf(half.outDir, half.video.qualities[0]?.path ?? '');
  const [e, f, g, h] = [138, 168, 198, 228];
  assert.ok(isAbout(mixed, [e, f, g, h]), mixed.join(' '));
});

test('frames that only change a part of the picture, or restore it, are complete', THOROUGH, async () => {
  const source = ['-f', 'lavfi', '-i', 'color=black:s=64x48:r=10:d=1,format=rgb24'];
  const moving = ['-f', 'lavfi', '-i', 'color=white:s=16x48:r=10:d=1'];
  const graph = '[0][1]overlay=x=16*floor(t*4)';
  const gif = await clips.make('moving.gif', [...source, ...moving, '-filter_complex', graph, '-loop', '-1']);
  const converted = await sharp(gif, { pages: -1 }).webp({ lossless: true }).toBuffer();
  // Of frames that are the same, WebP has one.
  const cases: [path: string, frames: number][] = [
    [gif, 10],
    [await clips.write('moving.webp', converted), 4],
  ];
  for (const [path, frames] of cases) {
    const { video, outDir } = await packaged(path);
    const shades = await shadesOf(outDir, video.qualities[0]?.path ?? '');
    // A quarter of each frame is white.
    assert.ok(isAbout(shades, Array(frames).fill(64)), `${path}: ${shades.join(' ')}`);
  }
});

test('an animated PNG is a video, too', THOROUGH, async () => {
  const args = ['-f', 'lavfi', '-i', 'testsrc2=s=64x48:r=5:d=2', '-f', 'apng', '-plays', '0'];
  const { video, facts } = await packaged(await clips.make('animation.png', args));
  assert.deepEqual([facts.video?.codec, video.durationMs, video.qualities[0]?.frameRate], ['apng', 2000, '5/1']);
});

const cradle = realMedia('newtonscradle.gif');
test('a real GIF with delays of 20 to 50 ms', { skip: cradle === null || THOROUGH.skip }, async () => {
  const { video, facts } = await packaged(cradle ?? '');
  assert.deepEqual([facts.durationMs, video.durationMs], [820, 820]);
  assert.deepEqual(
    video.qualities.map(({ width, height, frameRate }) => [width, height, frameRate]),
    [[200, 150, '45333/1000']],
  );
});
