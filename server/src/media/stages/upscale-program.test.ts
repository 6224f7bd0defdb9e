import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { RunError } from '@reelgraph/sandbox';
import { isUpscalerInstalled, type ModelFacts, NO_GPU } from '@reelgraph/upscale';
import { WEIGHTS } from '../../../../packages/upscale/src/gate.ts';
import { repeatingModel } from '../../../../packages/upscale/src/reference-model.fixture.ts';
import { testRunner } from '../testing.ts';
import { type UpscalePlan, upscaleProgram } from './upscale-stage.ts';

const skip = isUpscalerInstalled() ? false : 'onnxruntime-node is not installed: npm install --include=optional';
const LIMITS = { cpuSeconds: 60, memoryBytes: 3 * 1024 ** 3, outputBytes: 0, wallMs: 60_000 };
/** SHA-256 of `repeatingModel` for RGB by 3, and for luma by 2. */
const RGB = {
  channels: 3,
  factor: 3,
  digest: '1198c6fe0c32ee4b4e68253accad81ea5941ea4e42c585fbcd2014fa4965bfa9',
} as const;
const LUMA = {
  channels: 1,
  factor: 2,
  digest: '63857b351cd0ff476c519323a6339c6534d1377a7f28598afe211e125ba5d9be',
} as const;

describe('the program that upscales with a model of the operator', { skip, timeout: 120_000 }, () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reelgraph-program-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** What it makes of frames of 4x2 pixels. */
  async function enlarged(
    { channels, factor, digest }: typeof RGB | typeof LUMA,
    frames: Buffer,
    fixed: ModelFacts['fixed'] = null,
  ): Promise<Buffer> {
    const path = join(folder, `${channels}-${factor}.onnx`);
    await writeFile(path, repeatingModel({ channels, factor }), { mode: 0o644 });
    const facts: ModelFacts = { channels, values: 'float32', factor, overlap: 8, fixed };
    const plan: UpscalePlan = {
      ...{ target: 360, model: 'theirs', factor, scenes: [{ startFrame: 0, weight: WEIGHTS, filter: 'bicubic' }] },
      ...{ operator: { digest, facts, cost: 1 }, here: { path, provider: 'cpu', gpu: NO_GPU } },
    };
    const input = {
      width: 4,
      height: 2,
      pixelFormat: 'yuv420p',
      frameRate: { num: 25, den: 1 },
      firstFrame: 0,
    } as const;
    const { program, args, readOnly = [] } = upscaleProgram('enlarge', plan, input);
    const child = await testRunner.startProgram(program, args, { limits: LIMITS, readOnly });
    child.stdin.on('error', () => {});
    child.stdin.end(frames);
    const made = await buffer(child.stdout);
    await child.ended;
    return made;
  }

  /** Luma of two rows, then a sample of chroma for four pixels. */
  const frame = (luma: readonly number[]) => Buffer.from([...luma, 90, 90, 200, 200]);
  const DARK = [16, 40, 80, 235, 20, 60, 100, 200];

  it('gives luma as grey to a model for RGB, and enlarges chroma itself', async () => {
    const made = await enlarged(RGB, Buffer.concat([frame(DARK), frame(DARK.toReversed())]));
    const bytes = (3 * 12 * 6) / 2;
    assert.equal(made.length, 2 * bytes);
    const row = (levels: readonly number[]) => levels.flatMap((level) => [level, level, level]);
    const [top, bottom] = [row(DARK.slice(0, 4)), row(DARK.slice(4))];
    assert.deepEqual([...made.subarray(0, 72)], [...top, ...top, ...top, ...bottom, ...bottom, ...bottom]);
    assert.deepEqual([...made.subarray(72, bytes)], [...Array<number>(18).fill(90), ...Array<number>(18).fill(200)]);
    assert.deepEqual([...made.subarray(bytes, bytes + 3)], [200, 200, 200]);
  });

  it('smooths frames where the picture stands still', async () => {
    // In both rows. With the edge repeated, the weights of the other frame are 20, 45 and 70 of 100.
    const near = DARK.map((level, at) => level + [1, -3, 2, 0][at % 4]!);
    const made = await enlarged(LUMA, Buffer.concat([frame(DARK), frame(near), frame(DARK.toReversed())]));
    const row = (from: number) => [...made.subarray(from, from + 8)];
    assert.deepEqual(row(0), [16, 16, 39, 39, 81, 81, 235, 235]);
    assert.deepEqual(row(48), [17, 17, 38, 38, 81, 81, 235, 235]);
    assert.deepEqual(row(96), [200, 200, 100, 100, 60, 60, 20, 20]);
  });

  it('does not run a file with another digest', async () => {
    const other = { ...LUMA, digest: RGB.digest } as unknown as typeof LUMA;
    await assert.rejects(enlarged(other, frame(DARK)), (error) => {
      assert.ok(error instanceof RunError, String(error));
      assert.match(error.stderrTail, /The file of the model was changed/);
      return true;
    });
    const made = await enlarged(LUMA, frame(DARK));
    assert.deepEqual([...made.subarray(0, 8)], [16, 16, 40, 40, 80, 80, 235, 235]);
  });
});
