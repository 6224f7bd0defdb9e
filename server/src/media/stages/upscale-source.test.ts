import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { inputArg } from '@reelgraph/sandbox';
import { isUpscalerInstalled } from '@reelgraph/upscale';
import { THOROUGH } from '../../../../scripts/test-runner/cases.ts';
import { testVideo } from '../clips.fixture.ts';
import { encodeChunk } from '../encode/encode-chunk.ts';
import { type EncodePlan, planEncode, planVersion } from '../encode/encode-plan.ts';
import { type EncodedChunk, joinChunks } from '../encode/encoded.ts';
import { gateSource } from '../enhance/gate-source.ts';
import { planUpscale, upscaleTargets } from '../enhance/plan-upscale.ts';
import { inspectFile } from '../inspect/inspect-file.ts';
import { ladderOf } from '../ladder/ladder.ts';
import { finishUpscale } from '../package/finish-upscale.ts';
import { clips, LIMITS, runner } from '../package/packaging.fixture.ts';
import type { Runner } from '../runner.ts';

const skip = isUpscalerInstalled() ? false : 'onnxruntime-node is not installed: npm install --include=optional';

/** Five seconds with details, then a scene that is soft and darker. */
const SCENES = 'split[a][b];[b]gblur=24,eq=brightness=-0.4[soft];[a][soft]overlay=enable=gte(n\\,50)';
const LARGE = [...testVideo('640x360', 10, 6.4), '-filter_complex', SCENES];
const TAGS = ['-color_primaries', 'bt709', '-color_trc', 'bt709', '-colorspace', 'bt709', '-color_range', 'tv'];
const H264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-crf', '12', ...TAGS];
/** Of 4 s and 2.4 s at 10 frames per second. */
const BESIDE = { timescale: 10_240, durations: [40_960, 24_576] };
const WHOLE = { kind: 'video', number: 0, startFrame: 0, endFrame: null, firstSegment: 0 } as const;

describe('a video that is upscaled', { skip, timeout: 180_000 }, () => {
  let inputPath: string;
  let original: string;
  let plan: EncodePlan;
  const planned = async (figures = true): Promise<EncodePlan> => {
    const inspection = await inspectFile(runner, inputPath);
    assert.ok(inspection.ok, JSON.stringify(inspection));
    const upscale = { target: 360, model: 'compressed', factor: 2, scenes: [] } as const;
    const first = planUpscale(planEncode(inspection.facts), upscale, BESIDE);
    assert.ok(first);
    if (!figures) return first;
    const { signal } = new AbortController();
    const gated = await gateSource(runner, first, { inputPath, workDir: clips.fresh('gate'), signal });
    return planUpscale(first, { ...upscale, ...gated }, BESIDE) ?? assert.fail('not planned');
  };
  before(async () => {
    inputPath = await clips.make('small.mp4', [...LARGE, '-s', '320x180', '-sws_flags', 'bicubic', ...H264]);
    original = await clips.make('large.mp4', [...LARGE, ...H264, '-crf', '1']);
    plan = await planned();
  });

  it('is planned with its scenes, and no more than what gains', () => {
    const { scenes, figures } = plan.upscale ?? assert.fail('no plan');
    assert.deepEqual(
      scenes.map(({ startFrame, weight, filter }) => [startFrame, weight > 0, filter]),
      [
        [0, true, 'bicubic'],
        [50, false, 'bicubic'],
      ],
    );
    assert.equal(figures?.scenes, 2);
    assert.equal(Math.round(figures?.enhancedPercent ?? 0), 78);
    assert.ok((figures?.gainDb ?? 0) > 1, JSON.stringify(figures));
    const [rung, ...others] = ladderOf(plan).video;
    assert.deepEqual(
      [rung?.label, rung?.width, rung?.height, rung?.folder, others.length],
      [...['360p', 640, 360, 'v360', 0]],
    );
    assert.deepEqual(plan.staged, { picture: { width: 640, height: 360 }, channels: {} });
    assert.deepEqual(
      plan.chunks.map((chunk) => 'startFrame' in chunk && [chunk.startFrame, chunk.endFrame, chunk.firstSegment]),
      [
        [0, 40, 0],
        [40, null, 1],
      ],
    );
    assert.equal(planVersion(plan), 'current');
  });

  it('comes closer to the original than bicubic enlargement, with its times and colors', THOROUGH, async () => {
    const outDir = clips.fresh('upscaled');
    await runner.prepareWorkDir(outDir);
    const written: Buffer[] = [];
    const write = async (_: string, bytes: Buffer) => void written.push(bytes);
    const chunks: EncodedChunk[] = [];
    for (const chunk of plan.chunks)
      chunks.push(await encodeChunk(runner, plan, chunk, { inputPath, workDir: clips.fresh('chunk'), write }));
    const { init } = joinChunks('v360', chunks);
    await writeFile(join(outDir, 'v360.mp4'), Buffer.concat([init, ...written]));
    const psnrOf = async (path: string) => {
      // Of the first scene, whose middle is where chunks meet.
      const graph = '[0:v]trim=end_frame=50,scale=640:360:flags=bicubic[a];[1:v]trim=end_frame=50[b];[a][b]psnr';
      const args = ['-i', inputArg(0), '-i', inputArg(1), '-lavfi', graph, '-f', 'null', '-'];
      const { stderrTail } = await runner.run('ffmpeg', args, {
        cwd: outDir,
        limits: LIMITS,
        inputs: [path, original],
      });
      return Number(/PSNR y:([\d.]+)/.exec(stderrTail)?.[1]);
    };
    const [upscaled, bicubic] = [await psnrOf(join(outDir, 'v360.mp4')), await psnrOf(inputPath)];
    assert.ok(upscaled > bicubic + 1, `${upscaled} dB, bicubic ${bicubic} dB`);

    const entries = 'stream=width,height,r_frame_rate,nb_read_frames,color_range,color_space,pix_fmt';
    const shown = ['-v', 'error', '-count_frames', '-show_entries', entries, '-of', 'csv=p=0', 'v360.mp4'];
    const { stdout } = await runner.run('ffprobe', shown, { cwd: outDir, limits: LIMITS });
    assert.equal(stdout.trim(), '640,360,yuv420p,tv,bt709,10/1,64');

    const { renditions } = finishUpscale(plan, chunks, BESIDE);
    assert.deepEqual(
      renditions.map((each) => each.kind === 'VIDEO' && [each.label, each.enhanced, each.durations, each.iframes]),
      [['360p enhanced', true, BESIDE.durations, null]],
    );
    assert.throws(() => finishUpscale(plan, chunks, { ...BESIDE, durations: [40_960] }), /could not be/);
  });

  it('has the same frames whatever the chunks', THOROUGH, async () => {
    const whole = await framesOf(plan, 0, null);
    assert.deepEqual([whole.length, new Set(whole).size], [64, 64]);
    // A chunk is decoded and enlarged with two frames more on each side, which are dropped. The second scene is at 50.
    const bounds: [start: number, end: number | null, before: number, after: number][] = [
      [0, 1, 0, 2],
      [1, 45, 1, 2],
      [45, 50, 2, 2],
      [50, 55, 2, 2],
      [55, null, 2, 0],
    ];
    for (const [start, end, before, after] of bounds) {
      const read = await framesOf(plan, start, end);
      assert.equal(read.length, before + (end ?? 64) - start + after);
      assert.deepEqual(read.slice(before, read.length - after), whole.slice(start, end ?? 64), `${start} to ${end}`);
    }
    // A frame is smoothed with those around it: the same one is another where they are missing.
    assert.notEqual((await framesOf(plan, 45, 50))[0], whole[43]);
  });

  it('is scaled to the target, by a second pass where twice the size is not enough', THOROUGH, async () => {
    const tall = { ...plan, upscale: { ...plan.upscale!, target: 480, factor: 4 as const } };
    const larger = planUpscale(tall, tall.upscale, BESIDE) ?? assert.fail('not planned');
    assert.deepEqual(larger.staged?.picture, { width: 1280, height: 720 });
    const [rung] = ladderOf(larger).video;
    assert.deepEqual([rung?.width, rung?.height], [854, 480]);
    const options = { inputPath, workDir: clips.fresh('chunk'), write: async () => {} };
    const { parts } = await encodeChunk(runner, larger, { ...WHOLE, startFrame: 60, firstSegment: 0 }, options);
    assert.deepEqual(
      parts.map(({ folder, segments }) => [folder, segments.length]),
      [['v480', 1]],
    );
  });

  async function framesOf(of: EncodePlan, startFrame: number, endFrame: number | null): Promise<string[]> {
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
    const chunk = { ...WHOLE, startFrame, endFrame };
    await encodeChunk(watching, of, chunk, { inputPath, workDir, write: async () => {} });
    const lines = (await readFile(join(workDir, 'encoded', 'frames.md5'), 'utf8')).split('\n');
    return lines.filter((line) => /^\d/.test(line)).map((line) => line.split(',').at(-1)?.trim() ?? '');
  }
});

describe('the targets of an upscaled video', () => {
  const sizes: [width: number, height: number, targets: [target: number, factor: number][]][] = [
    [
      1920,
      1080,
      [
        [1440, 2],
        [2160, 2],
        [4320, 4],
      ],
    ],
    [
      1920,
      1088,
      [
        [1440, 2],
        [2160, 2],
        [4320, 4],
      ],
    ],
    [
      1080,
      1920,
      [
        [1440, 2],
        [2160, 2],
        [4320, 4],
      ],
    ],
    [
      1920,
      800,
      [
        [1440, 2],
        [2160, 2],
        [4320, 4],
      ],
    ],
    [
      854,
      480,
      [
        [720, 2],
        [1080, 4],
        [1440, 4],
      ],
    ],
    [
      640,
      360,
      [
        [480, 2],
        [720, 2],
        [1080, 4],
        [1440, 4],
      ],
    ],
    [
      320,
      240,
      [
        [360, 2],
        [480, 2],
        [720, 4],
      ],
    ],
    [3840, 2160, [[4320, 2]]],
    [7680, 4320, []],
    [1, 1, []],
    [160, 60, [[360, 4]]],
  ];
  for (const [displayWidth, displayHeight, targets] of sizes)
    it(`of ${displayWidth} x ${displayHeight}`, () => {
      assert.deepEqual(
        upscaleTargets({ displayWidth, displayHeight }).map(({ target, factor }) => [target, factor]),
        targets,
      );
    });
});
