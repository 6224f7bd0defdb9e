import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { inputArg } from '@reelgraph/sandbox';
import { casesOf } from '../../../../scripts/test-runner/cases.ts';
import { inspectFile } from '../inspect/inspect-file.ts';
import type { MediaFacts } from '../inspect/media-facts.ts';
import type { Runner } from '../runner.ts';
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
/** Each second picture 10 ms late; from the 30th on, all 3 s later. */
const VARIABLE_TIMES = "settb=1/90000,setpts='PTS+900*mod(N,2)+if(gte(N,30),270000,0)'";
const PLAIN = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '4', '-pix_fmt', 'yuv420p', '-bf', '2'];

const VARIABLE = ['-vf', VARIABLE_TIMES, '-fps_mode', 'passthrough', '-enc_time_base', '1:90000', ...PLAIN];

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

  // In MKV and TS the sound begins 21 ms before the picture: a range begins while the picture before is seen.
  for (const container of casesOf(['a.mp4', 'a.mkv', 'a.ts'] as const, 1))
    for (const [what, ranges, expected, late] of [
      ['near the beginning', TWO, [...count(25, 50), ...count(75, 88)], [...count(24, 50), ...count(74, 87)]],
      ['far from it, where decoding begins later', [{ startMs: 3200, endMs: 3600 }], count(80, 90), count(79, 90)],
    ] as const)
      it(`keeps exactly the frames of the ranges, ${what} (${container})`, async () => {
        const { path, facts } = await cut(
          container,
          [...NUMBERED, ...TONES, ...PLAIN, '-c:a', 'aac', '-g', '50'],
          ranges,
        );
        assert.deepEqual(await frames(path), container === 'a.mp4' ? expected : late);
        assert.deepEqual(
          [facts.demuxer, facts.video?.codec, facts.audio?.codec, facts.randomAccess],
          ['mov', 'h264', 'aac', true],
        );
      });

  /** The numbers of pictures, and when they are shown in ms. */
  async function pictures(path: string): Promise<[number, number][]> {
    const args = ['-vf', 'settb=1/1000,scale=2:2', '-an', '-fps_mode', 'passthrough', '-enc_time_base', '1:1000'];
    const list = (await decoded(path, [...args, '-f', 'framecrc'])).toString();
    const times = [...list.matchAll(/^0,\s*-?\d+,\s*(-?\d+)/gm)].map(([, ms]) => Number(ms));
    return (await frames(path)).map((frame, index) => [frame, times[index] ?? Number.NaN]);
  }

  describe('of a variable rate', () => {
    const placed = (numbers: number[], times: number[]) =>
      numbers.map((number, index): [number, number] => [number, times[index] ?? Number.NaN]);
    const cases: [name: string, ranges: TimeRange[], expected: [number, number][]][] = [
      [
        'the one that is seen when a range begins, and the others at their times',
        [
          { startMs: 2000, endMs: 4280 },
          { startMs: 5030, endMs: 5200 },
        ],
        placed([29, 30, 31, 50, 51, 52, 53, 54], [0, 2200, 2250, 2280, 2300, 2330, 2380, 2410]),
      ],
      [
        'one that is seen before and after a part that is removed, once',
        [
          { startMs: 1200, endMs: 2000 },
          { startMs: 3000, endMs: 4300 },
        ],
        placed([29, 30, 31, 32], [0, 2000, 2050, 2080]),
      ],
      [
        'the last one, until the end',
        [{ startMs: 1000, endMs: 3500 }],
        placed([24, 25, 26, 27, 28, 29], [0, 10, 40, 90, 120, 170]),
      ],
      [
        'far from the beginning, where decoding begins later',
        [{ startMs: 6600, endMs: 6700 }],
        placed([90, 91, 92], [0, 50, 80]),
      ],
    ];
    const all = cases.map((one) => ['v.mp4', NUMBERED, ...one] as const);
    const [[name, ...one] = assert.fail()] = cases;
    const others = [
      ['v.mkv', NUMBERED, `${name} (Matroska)`, ...one],
      ['v.ts', NUMBERED, `${name} (a transport stream)`, ...one],
      ['w.mp4', [...NUMBERED, ...TONES, '-c:a', 'aac'], `${name} (with sound)`, ...one],
    ] as const;
    for (const [container, made, what, ranges, expected] of casesOf([...all, ...others], 2))
      it(`keeps ${what}`, async () => {
        const { path, facts } = await cut(container, [...made, ...VARIABLE], ranges);
        const found = await pictures(path);
        assert.deepEqual(
          found.map(([frame]) => frame),
          expected.map(([frame]) => frame),
        );
        for (const [index, [frame, ms]] of expected.entries())
          assert.ok(Math.abs((found[index]?.[1] ?? Number.NaN) - ms) <= 1, `${frame} at ${found[index]?.[1]} ms`);
        const lengthMs = ranges.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
        assert.ok(Math.abs((facts.durationMs ?? 0) - lengthMs) <= 2, `${facts.durationMs} ms`);
        // A last picture is seen for a usual while at least.
        assert.ok(Math.abs((facts.video?.pictures?.end ?? 0) - 90 * lengthMs) <= 0.03 * 90_000);
      });
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
