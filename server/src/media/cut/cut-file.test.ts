import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { casesOf } from '../../testing/cases.ts';
import { inspectFile } from '../inspect/inspect-file.ts';
import type { MediaFacts } from '../inspect/media-facts.ts';
import { inputArg, type Runner } from '../runner.ts';
import { openTestRunner, readClip } from '../testing.ts';
import { cutFile } from './cut-file.ts';
import type { TimeRange } from './ranges.ts';

const LIMITS = { cpuSeconds: 60, memoryBytes: 4 * 1024 ** 3, outputBytes: 256 * 1024 ** 2, wallMs: 60_000 };
/** Luma of the n-th frame is 20 + 2n: decoded frames tell their numbers. */
const NUMBERED = ['-f', 'lavfi', '-i', "color=gray:s=64x64:r=25:d=4,format=yuv420p,geq=lum='20+2*N':cb=128:cr=128"];
/** 2 x 2 pixels of 4:2:0. */
const BYTES_OF_FRAME = 6;
/** Silent for a second, then a tone, and so on. */
const TONES = ['-f', 'lavfi', '-i', "aevalsrc='0.5*sin(880*PI*t)*mod(floor(t),2)':d=4:s=48000"];
const PLAIN = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '4', '-pix_fmt', 'yuv420p', '-bf', '2'];

describe('cutting a file', () => {
  let runner: Runner;
  let folder: string;
  before(async () => {
    runner = await openTestRunner();
    folder = await mkdtemp(join(tmpdir(), 'cut-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const signal = new AbortController().signal;

  async function cut(
    name: string,
    args: readonly string[],
    ranges: readonly TimeRange[],
  ): Promise<{ path: string; facts: MediaFacts }> {
    const path = join(folder, name);
    await writeFile(path, await readClip(runner, name, [...args]));
    const source = await inspect(path);
    const result = await cutFile(
      runner,
      path,
      { facts: source, ranges },
      { workDir: await mkdtemp(join(folder, 'work-')), signal },
    );
    assert.equal((await readFile(result.path)).length, result.sizeBytes);
    return { path: result.path, facts: await inspect(result.path) };
  }

  async function inspect(path: string): Promise<MediaFacts> {
    const inspected = await inspectFile(runner, path, { signal });
    assert.ok(inspected.ok);
    return inspected.facts;
  }

  async function decoded(path: string, args: readonly string[]): Promise<Buffer> {
    const workDir = await mkdtemp(join(folder, 'decoded-'));
    await runner.prepareWorkDir(workDir);
    const input = ['-f', 'mov', '-i', inputArg(0)];
    await runner.run('ffmpeg', [...input, ...args, 'out.raw'], { cwd: workDir, inputs: [path], limits: LIMITS });
    return await readFile(join(workDir, 'out.raw'));
  }

  /** Numbers of the frames of the source that a result consists of. */
  async function frames(path: string): Promise<number[]> {
    const raw = ['-pix_fmt', 'yuv420p', '-fps_mode', 'passthrough', '-f', 'rawvideo'];
    const pixels = await decoded(path, ['-an', '-vf', 'scale=2:2', ...raw]);
    return [...pixels].filter((_, index) => index % BYTES_OF_FRAME === 0).map((luma) => Math.round((luma - 20) / 2));
  }

  const count = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
  const TWO = [
    { startMs: 1000, endMs: 2000 },
    { startMs: 3000, endMs: 3500 },
  ];

  // In MKV and TS the sound begins a little before the picture, which is shown from then on: 1000 ms are in frame 24.
  const CONTAINERS = [
    ['a.mp4', 0],
    ['a.mkv', 1],
    ['a.ts', 1],
  ] as const;
  for (const [container, late] of casesOf(CONTAINERS, 1))
    for (const [what, ranges, expected] of [
      ['near the beginning', TWO, [...count(25, 50), ...count(75, 88)]],
      ['far from it, where decoding begins later', [{ startMs: 3200, endMs: 3600 }], count(80, 90)],
    ] as const)
      it(`keeps exactly the frames of the ranges, ${what} (${container})`, async () => {
        const { path, facts } = await cut(
          container,
          [...NUMBERED, ...TONES, ...PLAIN, '-c:a', 'aac', '-g', '50'],
          ranges,
        );
        assert.deepEqual(
          await frames(path),
          expected.map((frame) => frame - late),
        );
        assert.deepEqual(
          [facts.demuxer, facts.video?.codec, facts.audio?.codec, facts.randomAccess],
          ['mov', 'h264', 'aac', true],
        );
      });

  it('keeps the sound of the ranges, in time with the picture', async () => {
    const args = [...NUMBERED, ...TONES, ...PLAIN, '-c:a', 'aac'];
    const { path } = await cut('b.mp4', args, [
      { startMs: 500, endMs: 1250 },
      { startMs: 2500, endMs: 3500 },
    ]);
    const samples = await decoded(path, ['-vn', '-ac', '1', '-ar', '8000', '-f', 'f32le']);
    const loud = (fromMs: number, toMs: number) => {
      let peak = 0;
      for (let at = fromMs * 8; at < toMs * 8; at += 1) peak = Math.max(peak, Math.abs(samples.readFloatLE(4 * at)));
      return peak > 0.2;
    };
    // Silent until 1000 ms of the source, loud to 1250; silent from 2500, loud from 3000 to 3500.
    assert.deepEqual([loud(0, 480), loud(520, 740), loud(770, 1230), loud(1270, 1720)], [false, true, false, true]);
  });

  it('cuts sound without a picture', async () => {
    const { facts } = await cut('c.m4a', [...TONES, '-c:a', 'aac', '-f', 'mp4'], TWO);
    assert.equal(facts.video, null);
    assert.ok(facts.durationMs !== null && Math.abs(facts.durationMs - 1500) <= 40, `${facts.durationMs} ms`);
  });

  it('keeps all tracks of sound, with their languages', async () => {
    const tracks = ['-map', '0:v', '-map', '1:a', '-map', '2:a', '-metadata:s:a:0', 'language=eng'];
    const args = [
      ...NUMBERED,
      ...TONES,
      ...TONES,
      ...tracks,
      '-metadata:s:a:1',
      'language=deu',
      ...PLAIN,
      '-c:a',
      'aac',
    ];
    const { facts } = await cut('d.mp4', args, TWO);
    assert.deepEqual([facts.audio?.language, ...facts.otherAudio.map(({ language }) => language)], ['eng', 'deu']);
  });
});
