import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { RunError } from '@reelgraph/sandbox';
import { isRunning } from '../../../../../packages/sandbox/src/processes.fixture.ts';
import { casesOf, THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import { AppError } from '../../../kernel/errors.ts';
import { until } from '../../../testing/until.ts';
import { QUICK_H264, testVideo, tone } from '../../clips.fixture.ts';
import { inspectFile } from '../../inspect/inspect-file.ts';
import { ladderOf, rungsOf } from '../../ladder/ladder.ts';
import { clips, LIMITS, runner } from '../../package/packaging.fixture.ts';
import type { Runner } from '../../runner.ts';
import { StageError } from '../../stages/stage-error.ts';
import type { Stage } from '../../stages/stages.ts';
import { encodeChunk } from '../encode-chunk.ts';
import { chunkCostsMs, type EncodeChunk, planEncode, planVersion } from '../encode-plan.ts';
import { type EncodedChunk, joinChunks } from '../encoded.ts';
import { planOnDemand } from '../on-demand.ts';
import { frameCounter, surroundMaker, type ToyFault, unchanged, withStages } from './toy-stages.fixture.ts';

const moving = () => clips.make('moving.mp4', [...testVideo('160x90', 25, 10), ...tone('stereo', 10), ...QUICK_H264]);

async function factsOf(inputPath: string) {
  const inspection = await inspectFile(runner, inputPath);
  assert.ok(inspection.ok, JSON.stringify(inspection));
  return inspection.facts;
}

/** Encodes all chunks of a file, and makes a file of each rendition in a folder. */
async function encodeWith(inputPath: string, stages: readonly Stage[], cuts: readonly number[] | null = null) {
  const plan = planEncode(await factsOf(inputPath), cuts, stages);
  const written = new Map<string, Buffer>();
  const write = async (path: string, bytes: Buffer) => void written.set(path, bytes);
  const outDir = clips.fresh('renditions');
  await runner.prepareWorkDir(outDir);
  const chunks: EncodedChunk[] = [];
  for (const chunk of plan.chunks)
    chunks.push(await encodeChunk(runner, plan, chunk, { inputPath, workDir: clips.fresh('chunk'), write, stages }));
  const renditions = rungsOf(ladderOf(plan)).map(({ folder }) => joinChunks(folder, chunks));
  for (const { folder, init } of renditions) {
    const paths = [...written.keys()].filter((path) => path.startsWith(`${folder}/`)).toSorted();
    const segments = paths.map((path) => written.get(path) ?? Buffer.alloc(0));
    await writeFile(join(outDir, `${folder}.mp4`), Buffer.concat([init, ...segments]));
  }
  const parts = plan.chunks.filter(({ kind }) => kind === 'video').length;
  return { outDir, folders: renditions.map(({ folder }) => folder), parts };
}

const COUNTED_BITS = 12;

/** The numbers that the toy stage wrote into the frames of a rendition. */
async function numbersIn(outDir: string, folder: string): Promise<number[]> {
  const columns = COUNTED_BITS + 1;
  // The squares are as wide as a 13th of the picture; the middle of each is read.
  const crop = `crop=iw:iw/${columns}:0:0,scale=${columns}:1:flags=area,format=gray`;
  const args = ['-i', `${folder}.mp4`, '-vf', crop, '-c:v', 'rawvideo', '-f', 'rawvideo', 'numbers.gray'];
  await runner.run('ffmpeg', ['-y', ...args], { cwd: outDir, limits: LIMITS });
  const bytes = await readFile(join(outDir, 'numbers.gray'));
  return Array.from({ length: bytes.length / columns }, (_, frame) =>
    [...bytes.subarray(frame * columns, (frame + 1) * columns - 1)].reduce(
      (sum, value, bit) => sum + (value > 128 ? 2 ** bit : 0),
      0,
    ),
  );
}

const range = (count: number, step = 1) => Array.from({ length: count }, (_, index) => index * step);

/** Digests of the frames that the encoder of a chunk received, with those around it. */
async function receivedOf(inputPath: string, startFrame: number, endFrame: number | null): Promise<string[]> {
  const stages = withStages(frameCounter());
  const plan = planEncode(await factsOf(inputPath), null, stages);
  const chunk = { kind: 'video' as const, number: 0, startFrame, endFrame, firstSegment: 0 };
  const watching: Runner = {
    ...runner,
    runPiped: (commands, options) =>
      runner.runPiped(
        commands.map((command, index) =>
          index < commands.length - 1
            ? command
            : { ...command, args: [...command.args, '-map', '0:v', '-f', 'framemd5', 'frames.md5'] },
        ),
        options,
      ),
  };
  const workDir = clips.fresh('chunk');
  await encodeChunk(watching, plan, chunk, { inputPath, workDir, write: async () => {}, stages });
  const lines = (await readFile(join(workDir, 'encoded', 'frames.md5'), 'utf8')).split('\n');
  return lines.filter((line) => /^\d/.test(line)).map((line) => line.split(',').at(-1)?.trim() ?? '');
}

describe('stages that are programs', { timeout: 300_000 }, () => {
  it('see each frame of a video once, by its number in the whole video, and change its size', THOROUGH, async () => {
    const { outDir, folders, parts } = await encodeWith(await moving(), withStages(frameCounter()));
    assert.deepEqual([folders, parts], [['v180', 'audio'], 2]);
    assert.deepEqual(await numbersIn(outDir, 'v180'), range(250));
  });

  it('see the frames of the fastest rendition; slower ones have every second of them', THOROUGH, async () => {
    const source = await clips.make('fast.mp4', [...testVideo('480x270', 50, 3.2), ...QUICK_H264]);
    const { outDir, parts } = await encodeWith(source, withStages(frameCounter()), [0, 1, 2]);
    assert.equal(parts, 2);
    assert.deepEqual(await numbersIn(outDir, 'v540'), range(160));
    assert.deepEqual(await numbersIn(outDir, 'v360'), range(80, 2));
  });

  it('write the same frames whatever the chunks, with those around a chunk', THOROUGH, async () => {
    const source = await clips.make('counted.mp4', [...testVideo('160x90', 25, 6), ...QUICK_H264]);
    const whole = await receivedOf(source, 0, null);
    assert.deepEqual([whole.length, new Set(whole).size], [150, 150]);
    // A chunk is decoded, passed on and written with a frame more on each side.
    const bounds: [start: number, end: number | null, before: number, after: number][] = [
      [0, 60, 0, 1],
      [60, 61, 1, 1],
      [61, 149, 1, 1],
      [149, null, 1, 0],
    ];
    for (const [start, end, before, after] of bounds) {
      const received = await receivedOf(source, start, end);
      assert.equal(received.length, (end ?? 150) - start + before + after);
      const own = received.slice(before, received.length - after);
      assert.deepEqual(own, whole.slice(start, end ?? 150), `${start} to ${end}`);
    }
  });

  const HLG = 'format=yuv420p10le,setparams=color_trc=arib-std-b67:color_primaries=bt2020:colorspace=bt2020nc:range=tv';
  const HLG_TAGS = ['-color_trc', 'arib-std-b67', '-color_primaries', 'bt2020', '-colorspace', 'bt2020nc'];
  const sources: [name: string, file: string, args: readonly string[]][] = [
    ['an ordinary video', 'plain.mp4', QUICK_H264],
    ['high dynamic range', 'hlg.mp4', ['-vf', HLG, '-c:v', 'libx264', '-preset', 'ultrafast', ...HLG_TAGS]],
    ['full range', 'full.mp4', ['-vf', 'scale=out_range=pc', '-pix_fmt', 'yuvj420p', '-c:v', 'libx264']],
    ['interlaced video', 'fields.mkv', ['-vf', 'setfield=tff', '-flags', '+ildct+ilme', '-c:v', 'mpeg2video']],
    ['RGB', 'rgb.mkv', ['-pix_fmt', 'gbrp', '-c:v', 'ffv1']],
    ['a late start', 'late.mkv', [...QUICK_H264, '-output_ts_offset', '0.6']],
  ];
  for (const [name, file, args] of casesOf(sources, 1)) {
    it(`that change nothing leave the bytes of segments as they are without them: ${name}`, async () => {
      const source = await clips.make(file, [...testVideo('160x90', 25, 8), ...args]);
      const bytesOf = async (stages: readonly Stage[]) => {
        const { outDir, folders, parts } = await encodeWith(source, stages);
        assert.deepEqual([folders, parts], [['v90'], 2]);
        return readFile(join(outDir, 'v90.mp4'), 'base64');
      };
      assert.equal(await bytesOf(withStages(unchanged)), await bytesOf(withStages()));
    });
  }

  it('may work on pictures with all of their chroma', THOROUGH, async () => {
    const source = await clips.make('chroma.mp4', [...testVideo('160x90', 25, 2), ...QUICK_H264]);
    const { folders } = await encodeWith(source, withStages({ ...unchanged, pixelFormat: 'yuv444p' }));
    assert.deepEqual(folders, ['v90']);
  });

  it('follow each other, each with the frames around those of the next', THOROUGH, async () => {
    const source = await clips.make('twice.mp4', [...testVideo('80x46', 25, 6), ...QUICK_H264]);
    const { outDir } = await encodeWith(source, withStages(unchanged, frameCounter()));
    assert.deepEqual(await numbersIn(outDir, 'v92'), range(150));
  });

  it('add channels to a track, which then has the renditions of its new channels', THOROUGH, async () => {
    const { outDir, folders } = await encodeWith(await moving(), withStages(surroundMaker()));
    assert.deepEqual(folders, ['v90', 'audio', 'audio-5.1', 'audio-5.1-dolby']);
    const measured = ['-af', 'astats=measure_perchannel=RMS_level:measure_overall=none', '-f', 'null', '-'];
    const args = ['-i', 'audio-5.1.mp4', ...measured];
    const { stderrTail } = await runner.run('ffmpeg', args, { cwd: outDir, limits: LIMITS });
    const found = stderrTail.matchAll(/RMS level dB: (-?[\d.]+)/g);
    const surround = [...found].map(([, level]) => Math.round(Number(level)));
    // The n-th channel is n times as quiet as the source (-24 dB); the fourth has low frequencies only, as encoders
    // leave it.
    assert.deepEqual([surround.length, ...surround.slice(0, 3), ...surround.slice(4)], [6, -24, -30, -34, -38, -40]);
  });

  const faults: [name: string, fault: ToyFault, expected: [fault: string, message: RegExp]][] = [
    ['that ends with an error', { fault: 'die', at: 30 }, ['failed', /^The stage frame-counter 1 ended with an error/]],
    ['that ends in the middle', { fault: 'leave', at: 30 }, ['failed', /before it had read all of its input/]],
    ['that ends before its last frame', { fault: 'leave', at: 149 }, ['incomplete', /lost something/]],
    ['that stops working', { fault: 'hang', at: 30 }, ['stalled', /^The stage frame-counter 1 stopped working/]],
    ['that loses a frame', { fault: 'lose', at: 30 }, ['incomplete', /lost something/]],
    ['that writes a frame twice', { fault: 'double', at: 30 }, ['incomplete', /or wrote more than there was/]],
    ['that writes a part of a frame', { fault: 'part' }, ['broken', /./]],
  ];
  for (const [name, fault, [kind, message]] of casesOf(faults, 1)) {
    it(`fail the chunk: one ${name}`, async () => {
      const source = await clips.make('counted.mp4', [...testVideo('160x90', 25, 6), ...QUICK_H264]);
      const stages = withStages(frameCounter(fault));
      const plan = planEncode(await factsOf(source), null, stages);
      const chunk: EncodeChunk = { kind: 'video', number: 0, startFrame: 0, endFrame: null, firstSegment: 0 };
      const written: string[] = [];
      const options = { inputPath: source, workDir: clips.fresh('chunk'), stages, stallMs: 2000 };
      await assert.rejects(
        encodeChunk(runner, plan, chunk, { ...options, write: async (path) => void written.push(path) }),
        (error) => {
          assert.ok(error instanceof StageError, String(error));
          assert.deepEqual([error.fault, message.test(error.message)], [kind, true], error.message);
          return true;
        },
      );
      assert.deepEqual(written, []);
    });
  }

  it('fail the chunk of a track of sound when samples are missing', THOROUGH, async () => {
    const source = await moving();
    for (const [fault, kind] of [['lose', 'incomplete'] as const, ['die', 'failed'] as const]) {
      const stages = withStages(surroundMaker({ fault, at: 3 }));
      const plan = planEncode(await factsOf(source), null, stages);
      const options = { inputPath: source, workDir: clips.fresh('chunk'), stages, write: async () => {} };
      await assert.rejects(
        encodeChunk(runner, plan, { kind: 'audio', number: 0, folder: 'audio-5.1' }, options),
        (error) => error instanceof StageError && error.fault === kind,
      );
    }
  });

  it('of a damaged file fail with the reason of the decoder', async () => {
    const stages = withStages(frameCounter());
    const plan = planEncode(await factsOf(await moving()), null, stages);
    const inputPath = await clips.write('damaged.mp4', 'no movie');
    const [chunk] = plan.chunks;
    assert.ok(chunk);
    await assert.rejects(
      encodeChunk(runner, plan, chunk, { inputPath, workDir: clips.fresh('chunk'), stages, write: async () => {} }),
      (error) => error instanceof AppError && /damaged/.test(error.message),
    );
  });

  it('end with the decoder and the encoder when the work is cancelled', THOROUGH, async () => {
    const marker = `cancelled-${process.pid}`;
    const source = await moving();
    const stages = withStages(frameCounter({ fault: 'hang', at: 30, marker }));
    const plan = planEncode(await factsOf(source), null, stages);
    const [chunk] = plan.chunks;
    assert.ok(chunk);
    const cancel = new AbortController();
    const workDir = clips.fresh('chunk');
    const options = { inputPath: source, workDir, stages, write: async () => {}, signal: cancel.signal };
    const encoding = encodeChunk(runner, plan, chunk, options);
    encoding.catch(() => {});
    const running = () => Promise.all([marker, `${workDir}/decoded`, `${workDir}/encoded`].map((m) => isRunning(m)));
    await until(async () => (await running()).every(Boolean));
    const startedAt = performance.now();
    cancel.abort();
    await assert.rejects(encoding, (error) => error instanceof RunError && error.reason === 'aborted');
    assert.ok(performance.now() - startedAt < 20_000);
    assert.deepEqual(await running(), [false, false, false]);
  });
});

describe('a plan with stages that are programs', () => {
  it('has them in their order, with what they make of the source', async () => {
    const stages = withStages(frameCounter(), surroundMaker());
    const plan = planEncode(await factsOf(await moving()), null, stages);
    assert.deepEqual(plan.stages, [
      { id: 'scale', version: 1 },
      { id: 'downmix', version: 1 },
      { id: 'frame-counter', version: 1, kind: 'process' },
      { id: 'surround-maker', version: 1, kind: 'process' },
      { id: 'encode', version: 6 },
      { id: 'encode-audio', version: 1 },
    ]);
    assert.deepEqual(plan.staged, { picture: { width: 320, height: 180 }, channels: { 1: 6 } });
    assert.deepEqual([planVersion(plan, stages), planVersion(plan)], ['current', 'newer']);
    const changed = withStages({ ...frameCounter(), version: 2 }, surroundMaker());
    assert.equal(planVersion(plan, changed), 'older');
    const plain = planEncode(plan.facts);
    assert.deepEqual([plain.staged, planVersion(plain, stages)], [undefined, 'older']);
    assert.ok((chunkCostsMs(plan, stages)[0] ?? 0) > (chunkCostsMs(plain)[0] ?? 0));
  });

  it('has one chunk where a program has to see the track from its start', async () => {
    const facts = await factsOf(await moving());
    const chunksOf = (stages: readonly Stage[]) =>
      planEncode(facts, null, stages).chunks.filter(({ kind }) => kind === 'video').length;
    assert.deepEqual(
      [chunksOf(withStages(frameCounter())), chunksOf(withStages({ ...frameCounter(), scope: 'track' }))],
      [2, 1],
    );
  });

  it('has no segments on demand: a program is not as fast as a viewer', async () => {
    const facts = await factsOf(await clips.make('plain.mkv', [...testVideo('160x90', 25, 2), ...QUICK_H264]));
    assert.notEqual(planOnDemand(planEncode(facts)), null);
    assert.equal(planOnDemand(planEncode(facts, null, withStages(frameCounter()))), null);
  });

  it('is refused where a program does not read what another writes', async () => {
    const facts = await factsOf(await moving());
    const stages = withStages(unchanged, { ...frameCounter(), pixelFormat: 'yuv444p' });
    assert.throws(() => planEncode(facts, null, stages), /frame-counter reads yuv444p, not yuv420p/);
  });
});
