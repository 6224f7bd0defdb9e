import { readFile, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { type ProgramRunner, RunError, type RunLimits, type SandboxedChild } from '@reelgraph/sandbox';
import type { GpuFiles, Provider } from './providers.ts';
import { UpscaleError } from './upscale-error.ts';
import { UPSCALER_PROGRAM, upscalerFiles } from './upscaler-files.ts';

/** What the probe found out about a model. */
export interface ModelFacts {
  /** 1: luma. 3: RGB. */
  readonly channels: 1 | 3;
  readonly values: 'uint8' | 'float32';
  /** How much wider and higher the enlarged picture is: 2, 3 or 4. */
  readonly factor: number;
  /** Pixels around a tile without which its seams would show; null: pictures are enlarged as a whole. */
  readonly overlap: number | null;
  /** The only size that it takes; null where it takes all. */
  readonly fixed: { readonly width: number; readonly height: number } | null;
}

/** Pixels, row by row, one plane after the other. */
export interface Planes {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

export interface UpscalerOptions {
  /** Of ONNX Runtime; default 1. */
  readonly threads?: number;
  /** Largest width and height of a tile; default 512. */
  readonly tileSide?: number;
  /** Of ONNX Runtime; default cpu. */
  readonly provider?: Provider;
  /** What a provider for a GPU uses. */
  readonly gpu?: GpuFiles;
  /** Ends the process. */
  readonly signal?: AbortSignal;
  readonly limits?: Partial<UpscalerLimits>;
}

interface UpscalerLimits extends RunLimits {
  /** Of the model's file. */
  readonly maxModelBytes: number;
  /** From the start of the process until the model is probed. */
  readonly probeMs: number;
  /** For each picture. */
  readonly pictureMs: number;
  /** Of a picture that is given. */
  readonly maxPixels: number;
}

/** Replies of upscaler-program.mjs. */
const REPLY = { FACTS: 1, PICTURE: 2, REFUSAL: 3 } as const;
const HEADER_BYTES = 5;
const MOST_FACTS_BYTES = 1024;
const TILE_SIDE = 512;
/** Of the file of a model. */
export const MOST_MODEL_BYTES = 512 * 1024 ** 2;
/** Libraries of GPUs map memory that they hardly use. */
export const GPU_MEMORY_BYTES = 32 * 1024 ** 3;
const LIMITS: UpscalerLimits = {
  maxModelBytes: MOST_MODEL_BYTES,
  maxPixels: 3840 * 2160,
  probeMs: 60_000,
  pictureMs: 120_000,
  cpuSeconds: 24 * 3600,
  memoryBytes: 3 * 1024 ** 3,
  outputBytes: 0,
  wallMs: Number.POSITIVE_INFINITY,
};
/** V8 only interprets: enlarging is native anyway. */
const NODE_FLAGS = ['--jitless', '--max-old-space-size=256', '--disallow-code-generation-from-strings'];

/**
 * Starts the program with the ONNX model at `path`, and probes the model. The process is in the sandbox, without files
 * and network, until `close`.
 * @throws UpscaleError
 */
export async function openUpscaler(
  runner: Pick<ProgramRunner, 'startProgram'>,
  path: string,
  { threads = 1, tileSide = TILE_SIDE, provider = 'cpu', gpu, signal, limits: given = {} }: UpscalerOptions = {},
): Promise<Upscaler> {
  const onGpu = provider === 'cpu' ? null : (gpu ?? { devices: [], readOnly: [] });
  const limits = { ...LIMITS, ...(onGpu ? { memoryBytes: GPU_MEMORY_BYTES } : {}), ...given };
  const readOnly = upscalerFiles(onGpu);
  const { size } = await stat(path);
  if (size > limits.maxModelBytes)
    throw new UpscaleError('too-large', `a model of ${size} bytes where ${limits.maxModelBytes} are the most`);
  const model = await readFile(path);
  const { cpuSeconds, memoryBytes, outputBytes, wallMs } = limits;
  const child = await runner
    .startProgram(process.execPath, [...NODE_FLAGS, UPSCALER_PROGRAM], {
      limits: { cpuSeconds, memoryBytes, outputBytes, wallMs },
      readOnly,
      ...(onGpu ? { devices: onGpu.devices } : {}),
      ...(signal ? { signal } : {}),
    })
    .catch((error: unknown) => {
      throw new UpscaleError('unavailable', error instanceof Error ? error.message : '', { cause: error });
    });
  return Upscaler.probe(child, { modelBytes: model.length, threads, tileSide, provider }, model, limits);
}

/** A model in its process. Pictures are enlarged one at a time; after an error the process is dead. */
export class Upscaler {
  readonly facts: ModelFacts;
  readonly #child: SandboxedChild;
  readonly #replies: Replies;
  readonly #limits: UpscalerLimits;

  private constructor(child: SandboxedChild, replies: Replies, facts: ModelFacts, limits: UpscalerLimits) {
    this.facts = facts;
    this.#child = child;
    this.#replies = replies;
    this.#limits = limits;
  }

  static async probe(
    child: SandboxedChild,
    order: { modelBytes: number; threads: number; tileSide: number; provider: Provider },
    model: Uint8Array,
    limits: UpscalerLimits,
  ): Promise<Upscaler> {
    // A dead process reads no more; its replies have the reason.
    child.stdin.on('error', () => {});
    const replies = new Replies(child);
    const facts = await within(child, limits.probeMs, async () => {
      sendMessage(child, order);
      child.stdin.write(model);
      return readFacts(await replies.next(REPLY.FACTS, MOST_FACTS_BYTES));
    });
    return new Upscaler(child, replies, facts, limits);
  }

  /**
   * Enlarges a picture of as many planes as the model has channels.
   * @throws UpscaleError
   */
  async enlarge({ width, height, pixels }: Planes): Promise<Planes> {
    const { channels, factor } = this.facts;
    if (width * height > this.#limits.maxPixels)
      throw new UpscaleError('too-large', `a picture of ${width} by ${height} pixels`);
    if (pixels.length !== channels * width * height)
      throw new Error(`${pixels.length} bytes for ${channels} planes of ${width} by ${height} pixels.`);
    return within(this.#child, this.#limits.pictureMs, async () => {
      sendMessage(this.#child, { width, height });
      this.#child.stdin.write(pixels);
      const bytes = pixels.length * factor ** 2;
      const enlarged = await this.#replies.next(REPLY.PICTURE, bytes);
      if (enlarged.length !== bytes) throw new UpscaleError('protocol', `a picture of ${enlarged.length} bytes`);
      return { width: width * factor, height: height * factor, pixels: enlarged };
    });
  }

  /** Ends the process; resolves when it has ended. */
  async close(): Promise<void> {
    this.#child.kill();
    await this.#child.ended.catch(() => {});
  }
}

/** Reads the replies of the process, which may be compromised: only what is expected, up to its limit. */
class Replies {
  readonly #child: SandboxedChild;
  readonly #chunks: AsyncIterator<Buffer>;
  #arrived: Buffer[] = [];
  #arrivedBytes = 0;

  constructor(child: SandboxedChild) {
    this.#child = child;
    this.#chunks = (child.stdout as Readable)[Symbol.asyncIterator]();
  }

  /** @throws UpscaleError: the refusal that was sent in place of the reply, or why the process ended. */
  async next(kind: number, maxBytes: number): Promise<Buffer> {
    const header = await this.#take(HEADER_BYTES);
    const [found, length] = [header.readUInt8(0), header.readUInt32BE(1)];
    if (found !== kind && found !== REPLY.REFUSAL)
      throw new UpscaleError('protocol', `a reply of kind ${found} in place of ${kind}`);
    const limit = found === REPLY.REFUSAL ? MOST_FACTS_BYTES : maxBytes;
    if (length > limit) throw new UpscaleError('protocol', `a reply of ${length} bytes where ${limit} are the most`);
    const payload = await this.#take(length);
    if (found === REPLY.REFUSAL) throw new UpscaleError('refused', payload.toString().replace(/[^\x20-\x7e]/g, ' '));
    return payload;
  }

  /** Buffered as it arrives: announced bytes take no memory. */
  async #take(length: number): Promise<Buffer> {
    while (this.#arrivedBytes < length) {
      const { done, value } = await this.#chunks.next().catch(() => ({ done: true, value: undefined }) as const);
      if (done) throw await this.#end();
      this.#arrived.push(value);
      this.#arrivedBytes += value.length;
    }
    const all = Buffer.concat(this.#arrived);
    this.#arrived = [all.subarray(length)];
    this.#arrivedBytes -= length;
    return all.subarray(0, length);
  }

  async #end(): Promise<UpscaleError> {
    return this.#child.ended.then(
      () => new UpscaleError('crashed', 'it ended without a reply'),
      (error: unknown) => {
        if (!(error instanceof RunError)) throw error;
        const detail = `${error.message} ${error.stderrTail.trim().slice(-300)}`.trim();
        const isStart = error.reason === 'missing-binary' || error.reason === 'busy' || error.reason === 'sandbox';
        return new UpscaleError(isStart ? 'unavailable' : 'crashed', detail, { cause: error });
      },
    );
  }
}

function sendMessage({ stdin }: SandboxedChild, message: object): void {
  const text = Buffer.from(JSON.stringify(message));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  stdin.write(Buffer.concat([length, text]));
}

/** Kills the process when `work` fails or takes longer. */
async function within<T>(child: SandboxedChild, limitMs: number, work: () => Promise<T>): Promise<T> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill();
  }, limitMs);
  try {
    return await work();
  } catch (error) {
    child.kill();
    await child.ended.catch(() => {});
    throw isLate ? new UpscaleError('timeout', `more than ${limitMs} ms`, { cause: error }) : error;
  } finally {
    clearTimeout(timer);
  }
}

function readFacts(reply: Buffer): ModelFacts {
  const isOne = (value: unknown, of: readonly unknown[]) => of.includes(value);
  let found: Partial<Record<keyof ModelFacts, unknown>>;
  try {
    found = JSON.parse(reply.toString()) as typeof found;
  } catch (error) {
    throw new UpscaleError('protocol', 'facts that are not JSON', { cause: error });
  }
  const { channels, values, factor, overlap, fixed } = found;
  const isSize = (value: unknown): value is NonNullable<ModelFacts['fixed']> =>
    value !== null &&
    typeof value === 'object' &&
    ['width', 'height'].every((side) => side in value && Number.isInteger(value[side as keyof typeof value]));
  const isRight =
    isOne(channels, [1, 3]) &&
    isOne(values, ['uint8', 'float32']) &&
    isOne(factor, [2, 3, 4]) &&
    isOne(overlap, [8, 16, 32, null]) &&
    (fixed === null || isSize(fixed));
  if (!isRight) throw new UpscaleError('protocol', 'facts of another shape');
  return { channels, values, factor, overlap, fixed } as ModelFacts;
}
