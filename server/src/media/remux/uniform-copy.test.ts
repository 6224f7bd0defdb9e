import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { inputArg } from '@reelgraph/sandbox';
import { casesOf, THOROUGH } from '../../../../scripts/test-runner/cases.ts';
import { QUICK_H264, testVideo, tone } from '../clips.fixture.ts';
import { encodeChunk } from '../encode/encode-chunk.ts';
import { UnexpectedMediaError } from '../encode/encode-errors.ts';
import { planEncode } from '../encode/encode-plan.ts';
import { inspectFile } from '../inspect/inspect-file.ts';
import type { MediaFacts } from '../inspect/media-facts.ts';
import { packageVideo } from '../package/package-video.fixture.ts';
import { clips, packaged, playedBack, runner } from '../package/packaging.fixture.ts';
import { uniformCopy } from './uniform-copy.ts';

const { signal } = new AbortController();
const later = ['-output_ts_offset', '1'];

/** Transport streams of a second each, one after the other. */
async function joined(...parts: readonly (readonly string[])[]): Promise<string> {
  const files = [];
  for (const [index, args] of parts.entries())
    files.push(await clips.make('part.ts', [...args, ...(index === 0 ? [] : later)]));
  return clips.write('joined.ts', Buffer.concat(await Promise.all(files.map((path) => readFile(path)))));
}

/** Files of a second each, the packets of one after those of the other. */
async function appended(name: string, format: string, ...parts: readonly (readonly string[])[]): Promise<string> {
  const files = [];
  for (const args of parts) files.push(await clips.make(name, args));
  const list = await clips.write('list.txt', files.map((_, index) => `file '${inputArg(index + 1)}'\n`).join(''));
  return clips.make(
    name,
    ['-f', 'concat', '-safe', '0', '-i', inputArg(0), '-c', 'copy', '-f', format],
    [list, ...files],
  );
}

async function factsOf(path: string): Promise<MediaFacts> {
  const found = await inspectFile(runner, path);
  assert.ok(found.ok, JSON.stringify(found));
  return found.facts;
}
async function copyOf(path: string, facts: MediaFacts) {
  return (await uniformCopy(runner, path, facts, { workDir: clips.fresh('uniform'), signal })) ?? assert.fail('null');
}

/** Why the first chunk of each kind cannot be encoded as planned; null where it can. */
async function refusal(path: string, facts: MediaFacts): Promise<string | null> {
  const plan = planEncode(facts);
  for (const chunk of plan.chunks) {
    const options = { inputPath: path, workDir: clips.fresh('refused'), write: async () => {} };
    try {
      await encodeChunk(runner, plan, chunk, options);
    } catch (error) {
      if (!(error instanceof UnexpectedMediaError)) throw error;
      return error.message;
    }
  }
  return null;
}

const CHANGES = 'The size or the format of the picture or of the sound changes in mid-stream.';
const small = (size = '160x90') => [...testVideo(size, 25, 1), ...QUICK_H264];
const tagged = (matrix: string, ...more: string[]) => [
  ...[
    ...testVideo('160x90', 25, 1),
    '-vf',
    `scale=out_color_matrix=${matrix}:out_range=${more[0] ?? 'tv'},format=yuv420p`,
  ],
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-colorspace', matrix, '-color_range', more[0] ?? 'tv'],
];
const mpeg2 = (sar: string) => [
  ...testVideo('180x144', 25, 1),
  '-vf',
  `setsar=${sar}`,
  '-c:v',
  'mpeg2video',
  '-bf',
  '0',
];
const surround = ['-ac', '6', '-c:a', 'ac3'];
const spoken = (args: readonly string[]) => [
  ...testVideo('160x90', 25, 1),
  ...tone('stereo', 1),
  ...QUICK_H264,
  ...args,
];

/** As displayed, and channels of sound. */
type Expected = readonly [size: string, pictures: number, channels: number | null];
const changing: [name: string, make: () => Promise<string>, expected: Expected][] = [
  ['the size of H.264', () => joined(small(), small('320x180')), ['320x180', 50, null]],
  ['the size of VP9', () => appended('a.webm', 'webm', vp9('160x90'), vp9('320x180')), ['320x180', 50, null]],
  ['the size of VP8', () => appended('a.webm', 'webm', vp8('320x180'), vp8('160x90')), ['320x180', 50, null]],
  ['from landscape to portrait', () => joined(small('160x90'), small('90x160')), ['160x90', 50, null]],
  // ffmpeg's decoder of MPEG-2 drops a picture where the sequence header changes.
  ['the shape of pixels', () => joined(mpeg2('16/15'), mpeg2('64/45')), ['256x144', 49, null]],
  [
    'the format of pixels',
    () => joined(small(), [...testVideo('160x90', 25, 1), '-pix_fmt', 'yuv422p', '-c:v', 'libx264']),
    ['160x90', 50, null],
  ],
  [
    'the depth of pixels',
    () => joined(small(), [...testVideo('160x90', 25, 1), '-pix_fmt', 'yuv420p10le', '-c:v', 'libx264']),
    ['160x90', 50, null],
  ],
  ['colors', () => joined(tagged('smpte170m'), tagged('bt709', 'pc')), ['160x90', 50, null]],
  ['the channels of sound', () => joined(spoken(['-ac', '2', '-c:a', 'ac3']), spoken(surround)), ['160x90', 50, 6]],
];
function vp9(size: string): string[] {
  return [...testVideo(size, 25, 1), '-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8'];
}
function vp8(size: string): string[] {
  return [...testVideo(size, 25, 1), '-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8'];
}

describe('a file that is decoded whole', () => {
  for (const [name, make, [size, pictures, channels]] of casesOf(changing, 1))
    it(`shows all pictures where ${name} change in mid-stream`, async () => {
      const path = await make();
      const original = await factsOf(path);
      assert.equal(await refusal(path, original), CHANGES);
      const copy = await copyOf(path, original);
      const { video, audio, durationMs, randomAccess } = copy.facts;
      assert.deepEqual([`${video?.displayWidth}x${video?.displayHeight}`, randomAccess], [size, true]);
      assert.equal(audio?.channels ?? null, channels);
      assert.ok(Math.abs((durationMs ?? 0) - 2_000) <= 40, `${durationMs} ms`);
      const outDir = clips.fresh('package');
      const made = await packageVideo(runner, { inputPath: copy.path, outDir, facts: copy.facts });
      for (const { path: playlist, width } of made.qualities) {
        if (width === 0) continue;
        assert.equal(Number((await playedBack(outDir, playlist)).nb_read_packets), pictures, playlist);
      }
    });

  it('has the same bytes whenever it is made', THOROUGH, async () => {
    const path = await joined(small(), small('320x180'));
    const [one, other] = [await copyOf(path, await factsOf(path)), await copyOf(path, await factsOf(path))];
    assert.ok((await readFile(one.path)).equals(await readFile(other.path)));
  });

  it('shows small pictures within the size of the largest, without stretching them', THOROUGH, async () => {
    const white = (size: string) => ['-f', 'lavfi', '-i', `color=white:s=${size}:r=5:d=1`, ...QUICK_H264];
    const path = await joined(white('90x160'), white('320x180'));
    const { path: copy } = await copyOf(path, await factsOf(path));
    // Columns of the first picture: 101 of 320 are white in the middle.
    const folder = clips.fresh('columns');
    await runner.prepareWorkDir(folder);
    const limits = { cpuSeconds: 60, memoryBytes: 2 * 1024 ** 3, outputBytes: 1024 ** 2, wallMs: 60_000 };
    const args = ['-i', inputArg(0), '-frames:v', '1', '-vf', 'scale=320:1,format=gray', '-f', 'rawvideo', 'row.gray'];
    await runner.run('ffmpeg', args, { cwd: folder, inputs: [copy], limits });
    const row = await readFile(`${folder}/row.gray`);
    const white100 = row.filter((level) => level > 128).length;
    assert.ok(Math.abs(white100 - 101) <= 4, `${white100} columns`);
    assert.ok((row[0] ?? 255) < 32 && (row[160] ?? 0) > 220);
  });

  it('shows all pictures of two recordings in one file', THOROUGH, async () => {
    const bytes = await readFile(await clips.make('a.mkv', spoken(['-c:a', 'aac'])));
    const path = await clips.write('twice.mkv', Buffer.concat([bytes, bytes]));
    const copy = await copyOf(path, await factsOf(path));
    assert.ok(Math.abs((copy.facts.durationMs ?? 0) - 2_030) <= 40, `${copy.facts.durationMs} ms`);
    const outDir = clips.fresh('package');
    const { qualities } = await packageVideo(runner, { inputPath: copy.path, outDir, facts: copy.facts });
    assert.equal(Number((await playedBack(outDir, qualities[0]?.path ?? '')).nb_read_packets), 50);
  });

  const late: [name: string, make: () => Promise<string>, pictures: number][] = [
    [
      'a clock that restarts',
      async () => {
        const bytes = await readFile(await clips.make('a.ts', spoken(['-c:a', 'aac'])));
        return clips.write('twice.ts', Buffer.concat([bytes, bytes]));
      },
      51,
    ],
    [
      'a picture that begins late',
      () =>
        clips.make('a.mkv', ['-itsoffset', '1', ...testVideo('160x90', 25, 1), ...tone('stereo', 2), ...QUICK_H264]),
      // The first one is shown from the start on.
      25,
    ],
    [
      'sound that begins late',
      () =>
        clips.make('a.mkv', [...testVideo('160x90', 25, 2), '-itsoffset', '1', ...tone('stereo', 1), ...QUICK_H264]),
      50,
    ],
  ];
  for (const [name, make, pictures] of casesOf(late, 1))
    it(`has ${name} in its time, also as it is encoded without that`, async () => {
      const path = await make();
      const { video, outDir } = await packaged(path);
      const [largest] = video.qualities;
      assert.equal(Number((await playedBack(outDir, largest?.path ?? '')).nb_read_packets), pictures);
      const copy = await copyOf(path, await factsOf(path));
      assert.ok(Math.abs((copy.facts.durationMs ?? 0) - 2_050) <= 60, `${copy.facts.durationMs} ms`);
    });

  it('is none where nothing can be decoded', async () => {
    const path = await clips.make('a.mp4', [...testVideo('160x90', 25, 1), ...QUICK_H264]);
    const facts = await factsOf(path);
    const bytes = await readFile(path);
    const start = bytes.indexOf('mdat') + 4;
    const damaged = await clips.write('damaged.mp4', bytes.fill(0, start, start + bytes.readUInt32BE(start - 8) - 8));
    assert.equal(await uniformCopy(runner, damaged, facts, { workDir: clips.fresh('uniform'), signal }), null);
  });
});
