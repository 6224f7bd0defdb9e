import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MediaFacts } from '../../inspect/media-facts.ts';
import { changeWatch } from './change-watch.ts';

const picture = (size: string, format = 'yuv420p', sar = '1/1') =>
  `[Parsed_showinfo_3 @ 0x55d0] [info] n:   0 pts:      0 pts_time:0       pos:      564 fmt:${format} sar:${sar} ` +
  `s:${size} i:P iskey:1 type:I `;
const colours = (range: string, matrix: string) =>
  `[Parsed_showinfo_3 @ 0x55d0] [info] color_range:${range} color_space:${matrix} color_primaries:unknown ` +
  'color_trc:unknown';
const sound = (channels: number, layout: string, rate: number) =>
  `[Parsed_ashowinfo_1 @ 0x55d0] [info] n:0 pts:0 pts_time:0 pos:8460 fmt:fltp channels:${channels} ` +
  `chlayout:${layout} rate:${rate} nb_samples:1536 checksum:F8857801 plane_checksums: [ FB42B28B ]`;

const VIDEO = {
  ...{ width: 640, height: 360, rotation: 0, sar: { num: 1, den: 1 }, pixelFormat: 'yuv420p', interlaced: null },
  colour: { primaries: null, transfer: null, matrix: null, range: null },
};

/** What is found in lines of a file with such video. */
function changesIn(lines: readonly string[], video: object = {}): string[] {
  const found: string[] = [];
  // What the watch reads of the facts of a file.
  const facts = { video: { ...VIDEO, ...video } } as unknown as MediaFacts;
  const watch = changeWatch(facts, (change) => found.push(change));
  for (const line of lines) watch(line);
  return found;
}

describe('the watch over decoded frames', () => {
  const steady: [name: string, lines: readonly string[], video?: object][] = [
    ['pictures as the file has them', [picture('640x360'), colours('tv', 'bt709'), picture('640x360')]],
    ['pictures without a shape of pixels', [picture('640x360', 'yuv420p', '0/1')]],
    ['a shape of pixels that is damage', [picture('640x360', 'yuv420p', '40/1')]],
    [
      'pictures that ffmpeg has turned',
      [picture('360x640', 'yuv420p', '3/4')],
      { rotation: 90, sar: { num: 4, den: 3 } },
    ],
    ['pictures whose format was changed to deinterlace them', [picture('640x360', 'yuv444p')], { interlaced: 'tt' }],
    [
      'colors that are tagged later',
      [colours('unknown', 'unknown'), colours('tv', 'bt709'), colours('unknown', 'bt709')],
    ],
    ['sound of one kind', [sound(2, 'stereo', 48_000), sound(2, 'stereo', 48_000)]],
    ['a title that looks like a picture', ['[info]     title           : n: 0 pts: 0 fmt:gray sar:1/1 s:1x1 i:P ']],
  ];
  for (const [name, lines, video] of steady) it(`accepts ${name}`, () => assert.deepEqual(changesIn(lines, video), []));

  const changing: [name: string, lines: readonly string[], found: string, video?: object][] = [
    ['a size', [picture('640x360'), picture('1280x720')], 'pictures of 1280x720 yuv420p 1.000'],
    ['the size of the first picture', [picture('1280x720')], 'pictures of 1280x720 yuv420p 1.000'],
    ['a format of pixels', [picture('640x360', 'yuv422p')], 'pictures of 640x360 yuv422p 1.000'],
    ['a shape of pixels', [picture('640x360', 'yuv420p', '64/45')], 'pictures of 640x360 yuv420p 1.422'],
    ['a matrix', [colours('tv', 'bt709'), colours('tv', 'smpte170m')], 'colors smpte170m tv'],
    ['a matrix against the headers', [colours('tv', 'bt709')], 'colors bt709 tv', { colour: { matrix: 'smpte170m' } }],
    ['a range', [colours('tv', 'bt709'), colours('pc', 'bt709')], 'colors bt709 pc'],
    ['channels', [sound(2, 'stereo', 48_000), sound(6, '5.1(side)', 48_000)], 'sound 6 5.1(side) 48000'],
    ['a sample rate', [sound(1, 'mono', 48_000), sound(1, 'mono', 44_100)], 'sound 1 mono 44100'],
  ];
  for (const [name, lines, found, video] of changing)
    it(`notices another ${name}`, () => assert.deepEqual(changesIn(lines, video), [found]));
});
