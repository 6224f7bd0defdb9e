import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import {
  bufferSource,
  cutAudio,
  cutVideo,
  initSegment,
  mediaSegment,
  readMovie,
  readSampleIndex,
  readStandardInput,
  type StandardInput,
  type StandardTrack,
} from '@reelgraph/mp4';
import { inputArg } from '@reelgraph/sandbox';
import { casesOf } from '../../../../scripts/test-runner/cases.ts';
import { openClips, QUICK_H264, realMedia, testVideo, tone, turnRight } from '../clips.fixture.ts';
import { createRunner } from '../runner.ts';

const runner = await createRunner();
const clips = await openClips(runner);
after(() => clips.remove());
const LIMITS = { cpuSeconds: 60, memoryBytes: 4 * 1024 ** 3, outputBytes: 64 * 1024 ** 2, wallMs: 60_000 };
const WITH_SOUND = ['-c:a', 'aac', '-ac', '2'];

async function movieOf(bytes: Buffer) {
  const movie = await readMovie(bufferSource(bytes));
  assert.ok(movie);
  return movie;
}

async function decided(path: string): Promise<StandardInput> {
  const bytes = await readFile(path);
  return readStandardInput(await movieOf(bytes), bytes.length);
}

/** Ten seconds of video with B-frames and a keyframe every two seconds, and sound. */
const standard = await clips.make('standard.mp4', [
  ...testVideo('160x90', 25, 10.2),
  ...tone('stereo', 10.2),
  ...['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-g', '50', '-bf', '3', ...WITH_SOUND],
]);
const late = await clips.make('late.mp4', [
  ...testVideo('160x90', 25, 2),
  ...QUICK_H264,
  ...['-output_ts_offset', '0.04', '-avoid_negative_ts', 'disabled'],
]);

describe('the sample index of a track', () => {
  it('has the positions, sizes and times that ffprobe finds', async () => {
    const bytes = await readFile(standard);
    const movie = await movieOf(bytes);
    for (const [index, track] of movie.tracks.entries()) {
      const samples = readSampleIndex(movie, track, bytes.length);
      const args = ['-select_streams', `${index}`, '-show_entries', 'packet=pos,size,pts,dts,flags', '-of', 'json'];
      const { stdout } = await runner.run('ffprobe', [...args, '-i', inputArg(0)], {
        limits: LIMITS,
        inputs: [standard],
      });
      const { packets } = JSON.parse(stdout) as {
        packets: { pos: string; size: string; pts: number; dts: number; flags: string }[];
      };
      const start = track.edits[0]?.mediaTime ?? 0;
      const sync = new Set(samples.sync ?? []);
      assert.deepEqual(
        packets.map(({ pos, size, pts, dts, flags }) => [Number(pos), Number(size), pts, dts, flags.startsWith('K')]),
        Array.from({ length: samples.count }, (_, sample) => {
          const dts = (samples.decodeTimes[sample] ?? 0) - start;
          const pts = dts + (samples.shifts?.[sample] ?? 0);
          const key = samples.sync === null || sync.has(sample);
          return [samples.offsets[sample], samples.sizes[sample], pts, dts, key];
        }),
      );
    }
  });
});

describe('segments cut from a file without encoding', () => {
  /** All segments of a track as one file. */
  async function joined(path: string, track: 'video' | 'audio'): Promise<string> {
    const bytes = await readFile(path);
    const input = await decided(path);
    assert.ok(input.standard, JSON.stringify(input));
    const { cuts } = cutVideo(input.video);
    const chosen: StandardTrack<unknown> | null = input[track];
    assert.ok(chosen);
    const init = initSegment(track === 'video' || input.audio === null ? input.video : input.audio);
    const { samples } = chosen;
    const segments = (track === 'video' ? cuts : cutAudio(chosen, cuts)).map(({ first, end }, index) => {
      const data = Array.from({ length: end - first }, (_, at) => {
        const offset = samples.offsets[first + at] ?? 0;
        return bytes.subarray(offset, offset + (samples.sizes[first + at] ?? 0));
      });
      return mediaSegment(samples, first, data, index + 1);
    });
    return clips.write(`${track}.mp4`, Buffer.concat([init, ...segments]));
  }

  /** Digest and time of every decoded picture. */
  async function frames(path: string): Promise<string[]> {
    const folder = clips.fresh('frames');
    await runner.prepareWorkDir(folder);
    const args = ['-i', inputArg(0), '-map', '0:v', '-f', 'framemd5', 'frames.txt'];
    await runner.run('ffmpeg', args, { cwd: folder, limits: LIMITS, inputs: [path] });
    const lines = (await readFile(join(folder, 'frames.txt'), 'utf8')).split('\n');
    return lines.filter((line) => /^\d/.test(line)).map((line) => line.replaceAll(' ', ''));
  }

  const recordings = casesOf(['bikes.mp4', 'realshort.mp4', 'sample_with_chapters.mp4'], 0).flatMap(
    (name) => realMedia(name) ?? [],
  );
  for (const path of [standard, late, ...recordings])
    it(`show every picture of ${path.split('/').at(-1)} at its time`, async () => {
      const pictures = await frames(path);
      assert.ok(pictures.length > 0);
      assert.deepEqual(await frames(await joined(path, 'video')), pictures);
    });

  it('last about four seconds, begin with a keyframe, and have no short one at the end', async () => {
    const input = await decided(standard);
    assert.ok(input.standard && input.audio);
    const { cuts } = cutVideo(input.video);
    assert.deepEqual(
      cuts.map(({ first, end, startSeconds, endSeconds }) => [first, end, startSeconds, endSeconds]),
      [
        [0, 100, 0, 4],
        [100, 200, 4, 8],
        [200, 255, 8, 10.2],
      ],
    );
    const sound = cutAudio(input.audio, cuts);
    assert.deepEqual([sound[0]?.first, sound.at(-1)?.end], [0, input.audio.samples.count]);
    for (const [index, { first, startSeconds }] of sound.entries()) {
      assert.equal(first, sound[index - 1]?.end ?? 0);
      assert.ok(Math.abs(startSeconds - (cuts[index]?.startSeconds ?? 0)) < 0.024, `${startSeconds}`);
    }
  });

  it('keep the sound', async () => {
    const path = await joined(standard, 'audio');
    const { stdout } = await runner.run(
      'ffprobe',
      ['-count_packets', '-show_entries', 'stream=nb_read_packets,codec_name', '-of', 'csv=p=0', '-i', inputArg(0)],
      { limits: LIMITS, inputs: [path] },
    );
    const input = await decided(standard);
    assert.ok(input.standard);
    assert.equal(stdout.trim(), `aac,${input.audio?.samples.count}`);
  });

  it('carry no metadata of the author', async () => {
    const named = await clips.make('named.mp4', [
      ...testVideo('160x90', 25, 1),
      ...QUICK_H264,
      ...['-metadata', 'title=secret-title', '-metadata', 'location=+48.2082+016.3738/'],
    ]);
    assert.doesNotMatch(await readFile(await joined(named, 'video'), 'latin1'), /secret-title|48\.2082/);
  });
});

describe('a file that has to be encoded', () => {
  const clip = (args: string[], name = 'clip.mp4') => clips.make(name, [...testVideo('160x90', 25, 2), ...args]);
  const cases: [name: string, path: () => Promise<string>, reason: RegExp][] = [
    ['in MPEG-4 Part 2', () => clip(['-c:v', 'mpeg4']), /not H\.264/],
    ['in 4:4:4', () => clip(['-c:v', 'libx264', '-pix_fmt', 'yuv444p']), /not 8-bit 4:2:0/],
    ['in 10 bits', () => clip(['-c:v', 'libx264', '-pix_fmt', 'yuv420p10le']), /not 8-bit 4:2:0/],
    [
      'interlaced',
      () => clips.make('fields.mp4', [...testVideo('160x96', 25, 1), ...QUICK_H264, '-x264-params', 'interlaced=1']),
      /interlaced/,
    ],
    ['of long pixels', () => clip(['-vf', 'setsar=2/1', ...QUICK_H264]), /not square/],
    ['rotated', async () => clips.write('turned.mp4', await turnRight(await clip(QUICK_H264))), /rotated/],
    [
      'with a late track',
      () => clip([...QUICK_H264, '-output_ts_offset', '0.5', '-avoid_negative_ts', 'disabled']),
      /begins 0\.5\d* s late/,
    ],
    ['in fragments', () => clip([...QUICK_H264, '-movflags', 'frag_keyframe+empty_moov']), /fragments/],
    [
      'with open groups of pictures',
      () => clip(['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-g', '12', '-bf', '3', '-x264-params', 'open-gop=1']),
      /open|sync/,
    ],
    [
      'with a keyframe every 14 seconds',
      () => clips.make('long.mp4', [...testVideo('64x36', 5, 20), ...QUICK_H264, '-g', '70', '-sc_threshold', '0']),
      /lasts 14\.0 s/,
    ],
    ['without video', () => clips.make('sound.m4a', [...tone('mono', 1), '-c:a', 'aac']), /0 video tracks/],
  ];
  for (const [name, path, reason] of cases)
    it(`is one ${name}`, async () => {
      const input = await decided(await path());
      assert.ok(!input.standard);
      assert.match(input.reason, reason);
    });
});
