import assert from 'node:assert/strict';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { createProgramRunner } from '@reelgraph/sandbox';
import { THOROUGH } from '../../../scripts/test-runner/cases.ts';
import { UPSCALE_MODELS } from './models.ts';
import { type OnnxNode, type OnnxTensor, type OnnxType, writeOnnx } from './onnx-file.fixture.ts';
import { referenceModel } from './reference-model.fixture.ts';
import { UpscaleError, type UpscaleErrorReason } from './upscale-error.ts';
import { openUpscaler, type Planes, type Upscaler, type UpscalerOptions } from './upscaler.ts';
import { isUpscalerInstalled } from './upscaler-files.ts';

const testRunner = await createProgramRunner();
const skip = isUpscalerInstalled() ? false : 'onnxruntime-node is not installed: npm install --include=optional';

const DOUBLE: OnnxNode = { operator: 'Resize', inputs: ['given', '', 'scales'], output: 'made' };

interface Change {
  readonly type: OnnxType;
  readonly channels: number;
  readonly size: readonly [height: number, width: number];
  readonly nodes: readonly OnnxNode[];
  readonly constants: Readonly<Record<string, OnnxTensor>>;
}

/** A graph that repeats pixels, [n, channels, height, width] to twice the size; `change` is what differs. */
function doubling(change: Partial<Change> = {}): Buffer {
  const { type = 'float32', channels = 1, size = ['height', 'width'], constants = {}, nodes = [DOUBLE] } = change;
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

/** Pixels further to the left than any overlap, so weakly that the seams of tiles are hardly seen, or strongly. */
function far(weight: number): Partial<Change> {
  const attributes = { kernel_shape: [1, 2], dilations: [1, 33], pads: [0, 33, 0, 0] };
  return {
    nodes: [
      { operator: 'Conv', inputs: ['given', 'kernel'], output: 'seen', attributes },
      { operator: 'Resize', inputs: ['seen', '', 'scales'], output: 'made' },
    ],
    constants: { kernel: { type: 'float32', dims: [1, 1, 1, 2], values: [weight, 1 - weight] } },
  };
}

/** Another picture each time. */
const NOISE: OnnxNode[] = [
  { operator: 'Resize', inputs: ['given', '', 'scales'], output: 'large' },
  { operator: 'RandomUniformLike', inputs: ['large'], output: 'noise' },
  { operator: 'Max', inputs: ['large', 'noise'], output: 'made' },
];

/** Counts further than time lasts before it makes the picture. */
const ENDLESS: OnnxNode[] = [
  {
    operator: 'Loop',
    inputs: ['count', 'true', 'given'],
    output: 'counted',
    attributes: {
      body: {
        nodes: [
          { operator: 'Identity', inputs: ['goes'], output: 'goes on' },
          { operator: 'Identity', inputs: ['picture'], output: 'same picture' },
        ],
        inputs: [
          { name: 'round', type: 'int64', dims: [] },
          { name: 'goes', type: 'bool', dims: [] },
          { name: 'picture', type: 'float32', dims: ['n', 'c', 'h', 'w'] },
        ],
        outputs: [
          { name: 'goes on', type: 'bool', dims: [] },
          { name: 'same picture', type: 'float32', dims: ['n', 'c', 'h', 'w'] },
        ],
      },
    },
  },
  { operator: 'Resize', inputs: ['counted', '', 'scales'], output: 'made' },
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
        assert.deepEqual(upscaler.facts, { channels: 1, values: 'uint8', factor: 2, overlap: 8, fixed: null });
        const one = await upscaler.enlarge({ width: 1, height: 1, pixels: Uint8Array.of(200) });
        assert.deepEqual([one.width, one.height], [2, 2]);
        for (const level of one.pixels) assert.ok(Math.abs(level - 200) <= 2, `${level} for 200`);
        const tall = await upscaler.enlarge(picture(3, 50));
        assert.deepEqual([tall.width, tall.height, tall.pixels.length], [6, 100, 600]);
      });

      it('makes the same picture in tiles as without, within a level', THOROUGH, async (t) => {
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
    assert.deepEqual(rgb.facts, { channels: 3, values: 'float32', factor: 2, overlap: 8, fixed: null });
    const { pixels } = await rgb.enlarge({ width: 1, height: 2, pixels: Uint8Array.of(0, 10, 100, 110, 200, 255) });
    const planes = [...[0, 0, 0, 0, 10, 10, 10, 10], ...[100, 100, 100, 100, 110, 110, 110, 110]];
    assert.deepEqual([...pixels], [...planes, 200, 200, 200, 200, 255, 255, 255, 255]);
  });

  it('does not divide pictures for a model that looks at all of it', THOROUGH, async (t) => {
    const upscaler = await open(t, await fileOf(doubling({ nodes: GLOBAL })), { tileSide: 8 });
    assert.equal(upscaler.facts.overlap, null);
    const pixels = new Uint8Array(16 * 16).fill(0, 128).fill(200, 0, 128);
    const made = await upscaler.enlarge({ width: 16, height: 16, pixels });
    assert.deepEqual([made.pixels[0], made.pixels.at(-1)], [200, 100]);
  });

  it('enlarges pictures of all sizes with a model that takes one only', THOROUGH, async (t) => {
    const upscaler = await open(t, await fileOf(doubling({ size: [48, 64] })));
    const fixed = { width: 64, height: 48 };
    assert.deepEqual(upscaler.facts, { channels: 1, values: 'float32', factor: 2, overlap: 8, fixed });
    for (const [width, height] of [
      [1, 1],
      [64, 48],
      [150, 110],
    ] as const) {
      const given = picture(width, height);
      const made = await upscaler.enlarge(given);
      assert.deepEqual([made.width, made.height], [2 * width, 2 * height]);
      const expected = (x: number, y: number) => given.pixels[(y >> 1) * width + (x >> 1)]!;
      for (const [at, level] of made.pixels.entries())
        assert.equal(level, expected(at % (2 * width), Math.floor(at / (2 * width))), `${width}x${height} at ${at}`);
    }
  });

  it(
    'lets tiles of a model that looks far overlap as much as possible, if their seams are hardly seen',
    THOROUGH,
    async (t) => {
      assert.equal((await open(t, await fileOf(doubling(far(0.01))))).facts.overlap, 32);
      assert.equal((await open(t, await fileOf(doubling(far(0.05))))).facts.overlap, null);
    },
  );

  it('refuses what is not a model', async () => {
    await refuses(Buffer.from('GIF89a'), 'refused', /^ONNX Runtime reports: /);
    await refuses(Buffer.alloc(0), 'refused', /^ONNX Runtime reports: /);
    await refuses(referenceModel().subarray(0, 20_000), 'refused', /^ONNX Runtime reports: /);
  });

  it('refuses models of other shapes, and says which', THOROUGH, async () => {
    await refuses(
      doubling({ channels: 4 }),
      'refused',
      /Its input is \[.*, 4, .*\], not \[1 or n, 1 or 3, height, width\]/,
    );
    await refuses(
      doubling({ size: [16, 16] }),
      'refused',
      /fixed size of 16 x 16 pixels; each side must be 48 to 1024/,
    );
    const globally = doubling({ size: [64, 64], nodes: GLOBAL });
    await refuses(globally, 'refused', /It takes 64 x 64 pixels only, and looks further than tiles overlap/);
    await refuses(
      doubling({ type: 'float16' }),
      'refused',
      /It takes float16 and gives float16; both must be uint8 or/,
    );
    const same: OnnxNode[] = [{ operator: 'Relu', inputs: ['given'], output: 'made' }];
    await refuses(doubling({ nodes: same }), 'refused', /It makes \[1, 1, 32, 32\] of \[1, 1, 32, 32\]/);
    await refuses(doubling({ nodes: NEGATIVE }), 'refused', /It makes grey of 0 of grey of 128/);
    const copy: OnnxNode[] = [{ operator: 'Identity', inputs: ['given'], output: 'made' }];
    await refuses(doubling({ type: 'int64', nodes: copy }), 'refused', /It takes int64 and gives int64/);
  });

  it('refuses a model that makes another picture each time, or has operators of its own', async () => {
    await refuses(doubling({ nodes: NOISE }), 'refused', /^It makes another picture each time\.$/);
    const custom: OnnxNode[] = [{ operator: 'FetchFromServer', inputs: ['given'], output: 'made' }];
    await refuses(doubling({ nodes: custom }), 'refused', /^ONNX Runtime reports: .*FetchFromServer/);
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

  it('ends a model that never ends', THOROUGH, async () => {
    const constants = {
      count: { type: 'int64', dims: [], values: [2 ** 53] },
      true: { type: 'bool', dims: [], values: [1] },
    } as const;
    const endless = doubling({ nodes: ENDLESS, constants });
    await refuses(endless, 'timeout', /more than 2000 ms/, { limits: { probeMs: 2_000 } });
    await refuses(endless, 'crashed', /./, { limits: { cpuSeconds: 1 } });
  });

  it('refuses pictures that are too large or incomplete, and goes on', async (t) => {
    const upscaler = await open(t, UPSCALE_MODELS.clean, { limits: { maxPixels: 100 } });
    await assert.rejects(upscaler.enlarge(picture(11, 10)), { reason: 'too-large' });
    await assert.rejects(upscaler.enlarge({ ...picture(5, 5), height: 6 }), /25 bytes for 1 planes of 5 by 6 pixels/);
    assert.equal((await upscaler.enlarge(picture(10, 10))).pixels.length, 400);
  });
});
