import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { inputArg } from '@reelgraph/sandbox';
import sharp from 'sharp';
import { casesOf, THOROUGH } from '../../../../scripts/test-runner/cases.ts';
import { realMedia, tone } from '../clips.fixture.ts';
import { clips, packaged } from './packaging.fixture.ts';

/** The size and the average colour of a poster. */
async function look(path: string): Promise<{ size: string; colour: number[] }> {
  const { width, height } = await sharp(path).metadata();
  const { channels } = await sharp(path).stats();
  return { size: `${width}x${height}`, colour: channels.map(({ mean }) => Math.round(mean)) };
}

const COVER = { create: { width: 1600, height: 800, channels: 3, background: '#1e8c3c' } } as const;

const files: readonly (readonly [name: string, cover: 'jpeg' | 'png', audio: readonly string[]])[] = [
  ['song.mp3', 'jpeg', ['-c:a', 'libmp3lame']],
  ['song.flac', 'png', ['-c:a', 'flac']],
  ['song.m4a', 'png', ['-c:a', 'aac']],
];
for (const [name, format, audio] of casesOf(files, 1)) {
  test(`the cover of ${name} is its poster, scaled down`, async () => {
    const cover = await clips.write(`cover.${format}`, await sharp(COVER).toFormat(format).toBuffer());
    const demuxer = format === 'jpeg' ? 'jpeg_pipe' : 'png_pipe';
    const inputs = [...tone('stereo', 1), '-f', demuxer, '-i', inputArg(0)];
    const streams = ['-map', '0', '-map', '1', '-c:v', 'copy', '-disposition:v', 'attached_pic'];
    const { video, outDir, facts } = await packaged(await clips.make(name, [...inputs, ...streams, ...audio], [cover]));
    assert.deepEqual([facts.video, facts.cover?.width, facts.cover?.height], [null, 1600, 800]);
    assert.deepEqual(
      video.qualities.map(({ label }) => label),
      ['audio'],
    );
    const { size, colour } = await look(join(outDir, video.poster ?? ''));
    assert.equal(size, '1280x640');
    assert.ok(
      colour.every((value, index) => Math.abs(value - ([30, 140, 60][index] ?? 0)) <= 3),
      colour.join(' '),
    );
  });
}

test('audio with a damaged cover is packaged without a poster', THOROUGH, async () => {
  const cover = await clips.write('cover.png', await sharp(COVER).png().toBuffer());
  const inputs = [...tone('stereo', 1), '-f', 'png_pipe', '-i', inputArg(0)];
  const streams = ['-map', '0', '-map', '1', '-c:v', 'copy', '-disposition:v', 'attached_pic', '-c:a', 'flac'];
  const flac = await clips.make('song.flac', [...inputs, ...streams], [cover]);
  const bytes = await sharp(COVER).png().toBuffer();
  const song = await readFile(flac);
  const start = song.indexOf(bytes.subarray(0, 64));
  assert.ok(start > 0);
  song.fill(0, start + 33, start + bytes.length);
  const { video } = await packaged(await clips.write('damaged.flac', song));
  assert.deepEqual([video.poster, video.qualities.length], [null, 1]);
});

const bear = realMedia('bear_with_picture.flac');
test('the cover of a real recording', { skip: bear === null || THOROUGH.skip }, async () => {
  const { video, outDir } = await packaged(bear ?? '');
  assert.equal((await look(join(outDir, video.poster ?? ''))).size, '371x320');
});
