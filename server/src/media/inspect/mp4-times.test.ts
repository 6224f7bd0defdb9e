import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, describe, it } from 'node:test';
import { openClips, QUICK_H264, testVideo, tone } from '../clips.fixture.ts';
import { packageVideo } from '../package/package-video.fixture.ts';
import { createRunner } from '../runner.ts';
import { inspectFile } from './inspect-file.ts';
import { checkMp4Times, type Mp4TrackTimes, readMp4Times } from './mp4-times.ts';

const runner = await createRunner();
const clips = await openClips(runner);
after(() => clips.remove());

/**
 * Header values that a test writes into a file with version 0 boxes (ISO/IEC 14496-12 sections 8.2.2, 8.4.2 and
 * 8.6.1.2).
 */
interface HeaderValues {
  readonly movieTimescale?: number;
  readonly timescale?: number;
  readonly duration?: number;
  readonly sampleDelta?: number;
}

function withHeaders(whole: Buffer, { movieTimescale, timescale, duration, sampleDelta }: HeaderValues): Buffer {
  const bytes = Buffer.from(whole);
  const each = (type: string, write: (at: number) => void) => {
    for (let at = bytes.indexOf(type); at >= 0; at = bytes.indexOf(type, at + 4)) write(at + 4);
  };
  if (movieTimescale !== undefined) each('mvhd', (at) => bytes.writeUInt32BE(movieTimescale, at + 12));
  if (timescale !== undefined) each('mdhd', (at) => bytes.writeUInt32BE(timescale, at + 12));
  if (duration !== undefined) each('mdhd', (at) => bytes.writeUInt32BE(duration, at + 16));
  if (sampleDelta !== undefined) each('stts', (at) => bytes.writeUInt32BE(sampleDelta, at + 12));
  return bytes;
}

const clip = await readFile(
  await clips.make('video.mp4', [...testVideo('64x36', 25, 20), ...tone('mono', 20), ...QUICK_H264, '-c:a', 'aac']),
);
const slides = await readFile(
  await clips.make('slides.mp4', [
    ...testVideo('64x36', 1, 20),
    ...QUICK_H264,
    '-bf',
    '0',
    '-video_track_timescale',
    '1',
  ]),
);
const fragments = ['-movflags', 'frag_keyframe+empty_moov', '-g', '25'];
const fragmented = await readFile(
  await clips.make('fragmented.mp4', [...testVideo('64x36', 25, 20), ...QUICK_H264, ...fragments]),
);

describe('times of an MP4', () => {
  it('are read from headers and tables', async () => {
    const path = await clips.write('video.mp4', clip);
    assert.deepEqual(await readMp4Times(path), {
      timescale: 1000,
      fragmented: false,
      tracks: [
        { handler: 'vide', timescale: 12_800, declaredUnits: 256_000, sampleUnits: 256_000 },
        { handler: 'soun', timescale: 48_000, declaredUnits: 961_024, sampleUnits: 961_024 },
      ],
    });
  });

  const track: Mp4TrackTimes = { handler: 'vide', timescale: 1000, declaredUnits: 60_000, sampleUnits: 60_000 };
  const cases: [name: string, times: Parameters<typeof checkMp4Times>[0], expected: string][] = [
    ['that agree', { timescale: 600, fragmented: false, tracks: [track] }, 'plausible'],
    [
      'that agree within 5 %',
      { timescale: 600, fragmented: false, tracks: [{ ...track, declaredUnits: 57_100 }] },
      'plausible',
    ],
    [
      'that differ by more',
      { timescale: 600, fragmented: false, tracks: [{ ...track, declaredUnits: 56_900 }] },
      'measure',
    ],
    [
      'of unknown length',
      { timescale: 600, fragmented: false, tracks: [{ ...track, declaredUnits: null }] },
      'measure',
    ],
    [
      'of fragments without a length',
      { timescale: 600, fragmented: true, tracks: [{ ...track, declaredUnits: 0, sampleUnits: 0 }] },
      'measure',
    ],
    ['of fragments with a length', { timescale: 600, fragmented: true, tracks: [track] }, 'measure'],
    [
      'of scale 1',
      { timescale: 600, fragmented: false, tracks: [{ ...track, timescale: 1, declaredUnits: 60, sampleUnits: 60 }] },
      'doubtful',
    ],
    [
      'of scale 1 and many times the length',
      { timescale: 600, fragmented: false, tracks: [{ ...track, timescale: 1 }] },
      'impossible',
    ],
    ['in a movie of scale 1', { timescale: 1, fragmented: false, tracks: [track] }, 'doubtful'],
    ['of scale 0', { timescale: 600, fragmented: false, tracks: [{ ...track, timescale: 0 }] }, 'impossible'],
    ['in a movie of scale 0', { timescale: 0, fragmented: false, tracks: [track] }, 'impossible'],
    [
      'of what is not played',
      { timescale: 600, fragmented: false, tracks: [track, { ...track, handler: 'tmcd', timescale: 0 }] },
      'plausible',
    ],
  ];
  for (const [name, times, expected] of cases)
    it(`${name} are ${expected}`, () => assert.equal(checkMp4Times(times, 60_000), expected));

  it('of a damaged file are read in bounded time', async () => {
    const moov = clip.indexOf('moov') - 4;
    for (const length of [0, 7, moov + 8, moov + 30, moov + 200, clip.length - 1])
      await readMp4Times(await clips.write('cut.mp4', clip.subarray(0, length)));
    // Endless boxes, and a table with four billion declared entries.
    const endless = Buffer.alloc(8 * 100_000);
    for (let at = 0; at < endless.length; at += 8) endless.writeUInt32BE(8, at);
    assert.equal(await readMp4Times(await clips.write('endless.mp4', endless)), null);
    const claims = Buffer.from(clip);
    claims.writeUInt32BE(0xffff_ffff, claims.indexOf('stts') + 8);
    const read = await readMp4Times(await clips.write('claims.mp4', claims));
    assert.equal(read?.tracks[0]?.handler, 'vide');
  });
});

describe('a file that', () => {
  const duration = async (bytes: Buffer): Promise<number | string> => {
    const found = await inspectFile(runner, await clips.write('crafted.mp4', bytes));
    return found.ok ? Math.round((found.facts.durationMs ?? 0) / 100) / 10 : `${found.reason}: ${found.message}`;
  };
  const wrong = 'damaged: The file contradicts itself about its duration: its time scale is wrong.';
  const cases: [name: string, bytes: Buffer, expected: number | string][] = [
    ['declares its real duration has that duration', clip, 20],
    ['declares too short a duration is measured', withHeaders(clip, { duration: 12_800 }), 20],
    ['declares no duration is measured', withHeaders(clip, { duration: 0 }), 20],
    ['declares too long a duration is measured', withHeaders(clip, { duration: 0x7fff_ffff }), 20],
    ['has a time scale of 0 is refused', withHeaders(clip, { timescale: 0 }), wrong],
    ['has a movie time scale of 0 is refused', withHeaders(clip, { movieTimescale: 0 }), wrong],
    ['has a time scale of 1 that is not its own is refused', withHeaders(clip, { timescale: 1 }), wrong],
    [
      'has a time scale of 1 and too short a duration is refused',
      withHeaders(clip, { timescale: 1, duration: 1, sampleDelta: 1 }),
      wrong,
    ],
    ['has a correct time scale of 1 has its declared duration', slides, 20],
    [
      'has fragments and declares too long a duration is measured',
      withHeaders(fragmented, { duration: 12_800 * 3600 }),
      20,
    ],
  ];
  for (const [name, bytes, expected] of cases) it(name, async () => assert.equal(await duration(bytes), expected));

  it('is encoded up to its declared duration only', async () => {
    const path = await clips.write('video.mp4', clip);
    const inspection = await inspectFile(runner, path);
    assert.ok(inspection.ok);
    const facts = { ...inspection.facts, durationMs: 4_000 };
    await assert.rejects(packageVideo(runner, { inputPath: path, outDir: clips.fresh('package'), facts }), {
      code: 'TRANSCODE_FAILED',
      message: /(declares a duration of 4 s, but it is longer|Only 20 s of 4 s)/,
    });
  });
});
