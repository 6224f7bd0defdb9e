import assert from 'node:assert/strict';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { testRunner } from '../testing.ts';
import { UPSCALE_MODELS } from './models.ts';
import { type OnnxNode, type OnnxTensor, type OnnxType, writeOnnx } from './onnx-file.fixture.ts';
import { referenceModel } from './reference-model.fixture.ts';
import { UpscaleError, type UpscaleErrorReason } from './upscale-error.ts';
import { openUpscaler, type Planes, type Upscaler, type UpscalerOptions } from './upscaler.ts';
import { isUpscalerInstalled } from './upscaler-files.ts';

const skip = isUpscalerInstalled() ? false : 'onnxruntime-node is not installed: npm install --include=optional';

const DOUBLE: OnnxNode = { operator: 'Resize', inputs: ['given', '', 'scales'], output: 'made' };

interface Change {
  readonly type: OnnxType;
  readonly channels: number;
  readonly side: number;
  readonly nodes: readonly OnnxNode[];
  readonly constants: Readonly<Record<string, OnnxTensor>>;
}

/** A graph that repeats pixels, [n, channels, height, width] to twice the size; `change` is what differs. */
function doubling(change: Partial<Change> = {}): Buffer {
  const { type = 'float32', channels = 1, side, constants = {}, nodes = [DOUBLE] } = change;
  const size = side === undefined ? ['height', 'width'] : [side, side];
  return writeOnnx({
    nodes,
    constants: { scales: { type: 'float32', dims: [4], values: [1, 1, 2, 2] }, ...constants },
    inputs: [{ name: 'given', type, dims: ['n', channels, ...size] }],
    outputs: [{ name: 'made', type, dims: ['n', 'c', 'h', 'w'] }],
  });
}

/** The mean of the whole picture, which no overlap of tiles can know. */
const GLOBAL: OnnxNode[] = [
  { operator: 'Resize', inputs: ['given', '', 'scales'], output: 'large' },
  { operator: 'GlobalAveragePool', inputs: ['large'], output: 'mean' },
  { operator: 'Max', inputs: ['large', 'mean'], output: 'made' },
];

const NEGATIVE: OnnxNode[] = [
  { operator: 'Resize', inputs: ['given', '', 'scales'], output: 'large' },
  { operator: 'Neg', inputs: ['large'], output: 'made' },
];

/** A picture with edges, text-like detail and a gradient. */
function picture(width: number, height: number): Planes {
  const pixels = Uint8Array.from({ length: width * height }, (_, at) => {
    const [x, y] = [at % width, Math.floor(at / width)];
    return (x * 2 + ((x >> 2) ^ (y >> 3)) * 37 + (y > x ? 90 : 0)) % 256;
  });
  return { width, height, pixels };
}

describe('upscaler', { skip, timeout: 180_000 }, () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reelgraph-upscaler-'));
  });
  after(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  async function fileOf(bytes: Uint8Array): Promise<string> {
    const path = join(folder, 'model.onnx');
    await writeFile(path, bytes);
    return path;
  }

  async function open(t: TestContext, path: string, options: UpscalerOptions = {}): Promise<Upscaler> {
    const upscaler = await openUpscaler(testRunner, path, options);
    t.after(() => upscaler.close());
    return upscaler;
  }

  async function refuses(bytes: Uint8Array, reason: UpscaleErrorReason, detail: RegExp, options?: UpscalerOptions) {
    await assert.rejects(openUpscaler(testRunner, await fileOf(bytes), options), (error) => {
      assert.ok(error instanceof UpscaleError, String(error));
      assert.equal(error.reason, reason, error.message);
      assert.match(error.detail, detail);
      return true;
    });
  }

  for (const [name, path] of Object.entries(UPSCALE_MODELS))
    describe(`our model ${name}`, () => {
      it('takes luma of 8 bits and doubles both sides', async (t) => {
        const upscaler = await open(t, path);
        assert.deepEqual(upscaler.facts, { channels: 1, values: 'uint8', factor: 2, overlap: 8 });
        const one = await upscaler.enlarge({ width: 1, height: 1, pixels: Uint8Array.of(200) });
        assert.deepEqual([one.width, one.height], [2, 2]);
        for (const level of one.pixels) assert.ok(Math.abs(level - 200) <= 2, `${level} for 200`);
        const tall = await upscaler.enlarge(picture(3, 50));
        assert.deepEqual([tall.width, tall.height, tall.pixels.length], [6, 100, 600]);
      });

      it('makes the same picture in tiles as without, within a level', async (t) => {
        const given = picture(150, 110);
        const whole = await (await open(t, path, { tileSide: 1000 })).enlarge(given);
        const tiled = await (await open(t, path, { tileSide: 48 })).enlarge(given);
        const differences = tiled.pixels.map((level, at) => Math.abs(level - whole.pixels[at]!));
        assert.equal(tiled.pixels.length, 300 * 220);
        assert.ok(Math.max(...differences) <= 1, `a difference of ${Math.max(...differences)}`);
        // Not merely flat: the tiles show the picture.
        assert.ok(new Set(tiled.pixels).size > 100);
      });
    });

  it('finds out what a model of the operator takes', async (t) => {
    const rgb = await open(t, await fileOf(doubling({ channels: 3 })));
    assert.deepEqual(rgb.facts, { channels: 3, values: 'float32', factor: 2, overlap: 8 });
    const { pixels } = await rgb.enlarge({ width: 1, height: 2, pixels: Uint8Array.of(0, 10, 100, 110, 200, 255) });
    const planes = [...[0, 0, 0, 0, 10, 10, 10, 10], ...[100, 100, 100, 100, 110, 110, 110, 110]];
    assert.deepEqual([...pixels], [...planes, 200, 200, 200, 200, 255, 255, 255, 255]);
  });

  it('does not divide pictures for a model that looks at all of it', async (t) => {
    const upscaler = await open(t, await fileOf(doubling({ nodes: GLOBAL })), { tileSide: 8 });
    assert.equal(upscaler.facts.overlap, null);
    const pixels = new Uint8Array(16 * 16).fill(0, 128).fill(200, 0, 128);
    const made = await upscaler.enlarge({ width: 16, height: 16, pixels });
    assert.deepEqual([made.pixels[0], made.pixels.at(-1)], [200, 100]);
  });

  it('refuses what is not a model', async () => {
    await refuses(Buffer.from('GIF89a'), 'refused', /^ONNX Runtime reports: /);
    await refuses(Buffer.alloc(0), 'refused', /^ONNX Runtime reports: /);
    await refuses(referenceModel().subarray(0, 20_000), 'refused', /^ONNX Runtime reports: /);
  });

  it('refuses models of other shapes, and says which', async () => {
    await refuses(doubling({ channels: 4 }), 'refused', /Its input is \[.*, 4, .*\], not \[n, 1 or 3, height, width\]/);
    await refuses(doubling({ side: 64 }), 'refused', /Its input has a fixed size of 64 x 64 pixels/);
    const same: OnnxNode[] = [{ operator: 'Relu', inputs: ['given'], output: 'made' }];
    await refuses(doubling({ nodes: same }), 'refused', /It makes \[1, 1, 32, 32\] of \[1, 1, 32, 32\]/);
    await refuses(doubling({ nodes: NEGATIVE }), 'refused', /It makes grey of 0 of grey of 128/);
    const copy: OnnxNode[] = [{ operator: 'Identity', inputs: ['given'], output: 'made' }];
    await refuses(doubling({ type: 'int64', nodes: copy }), 'refused', /It takes int64 and gives int64/);
  });

  it('reads no other file for a model', async () => {
    const sum: OnnxNode[] = [
      { operator: 'Resize', inputs: ['given', '', 'scales'], output: 'large' },
      { operator: 'Add', inputs: ['large', 'secret'], output: 'made' },
    ];
    const secret = { type: 'uint8', dims: [4], values: [], file: '/etc/passwd' } as const;
    await refuses(doubling({ nodes: sum, constants: { secret } }), 'refused', /^ONNX Runtime reports: /);
  });

  it('refuses a model that wants more memory than it may have', async () => {
    const scales = { type: 'float32', dims: [4], values: [1, 1, 4000, 4000] } as const;
    await refuses(doubling({ constants: { scales } }), 'refused', /alloc/);
  });

  it('refuses a model of 2 GB unread', async () => {
    const path = await fileOf(Buffer.alloc(0));
    await truncate(path, 2 * 1024 ** 3);
    await assert.rejects(openUpscaler(testRunner, path), { reason: 'too-large' });
  });

  it('ends a model that takes too long', async () => {
    await refuses(referenceModel(), 'timeout', /more than 1 ms/, { limits: { probeMs: 1 } });
  });

  it('refuses pictures that are too large or incomplete, and goes on', async (t) => {
    const upscaler = await open(t, UPSCALE_MODELS.clean, { limits: { maxPixels: 100 } });
    await assert.rejects(upscaler.enlarge(picture(11, 10)), { reason: 'too-large' });
    await assert.rejects(upscaler.enlarge({ ...picture(5, 5), height: 6 }), /25 bytes for 1 planes of 5 by 6 pixels/);
    assert.equal((await upscaler.enlarge(picture(10, 10))).pixels.length, 400);
  });
});
