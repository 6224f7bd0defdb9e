import { readFile, stat } from 'node:fs/promises';
import { RunError, type RunErrorReason, type SandboxedChild } from '@reelgraph/sandbox';
import { FRAME, FrameReader } from './frames.ts';
import { ImageError, type ImageErrorReason } from './image-error.ts';
import { IMAGE_SNIFF_BYTES, sniffImage } from './sniff-image.ts';

/** Formats of libvips; HEIC is converted before. */
export type DecodedFormat = 'jpeg' | 'png' | 'gif' | 'webp' | 'avif';
export type ImageFormat = DecodedFormat | 'heic';

/** An image file. Only this format is enabled in the decoder. */
export interface SourceImage<Format extends ImageFormat = ImageFormat> {
  readonly path: string;
  readonly format: Format;
  /** Whether an orientation in its EXIF data was applied already. */
  readonly isUpright?: boolean;
}

/** Size as displayed, in pixels: after the orientation was applied. */
export interface ImageFacts {
  readonly width: number;
  readonly height: number;
  readonly hasAlpha: boolean;
}

/**
 * An output of an image: a file, or with `RGB` its pixels row by row, three bytes each. In JPEG and RGB, transparency
 * is blended with white.
 */
export interface ImageOutput {
  readonly format: 'JPEG' | 'PNG' | 'WEBP' | 'AVIF' | 'RGB';
  readonly width: number;
  readonly height: number;
}

/** The size that the image is decoded to, upright and sRGB, as the source of all outputs. */
export interface RenderPlan {
  readonly width: number;
  readonly height: number;
  readonly outputs: readonly ImageOutput[];
}

export interface ImageLimits {
  /** Of the file. */
  readonly maxBytes: number;
  /** Of the image, by its header. */
  readonly maxPixels: number;
  /** For decoding the image, and for each output. The decoder enforces and reports it. */
  readonly operationMs: number;
  /** From the first byte sent to the decoder until its last response. */
  readonly wallMs: number;
  /** Until a started decoder must be ready. */
  readonly startMs: number;
}

const FACTS_BYTES = 9;
/** Of an encoded file: the uncompressed pixels in the worst case, plus headers. */
const ENCODED_BYTES_PER_PIXEL = 4;
const HEADERS_BYTES = 64 * 1024;
const RGB_BYTES = 3;
const SNIFFED_AS = { JPEG: 'jpeg', PNG: 'png', WEBP: 'webp', AVIF: 'avif' } as const;

/** Ends of a decoder that are caused by its image. */
const REASONS: Partial<Record<RunErrorReason, ImageErrorReason>> = {
  exit: 'crashed',
  memory: 'crashed',
  'output-limit': 'crashed',
  'cpu-limit': 'timeout',
};

/** One decoder process. It is killed after one image, so that it cannot affect another. */
export class DecoderProcess {
  readonly #decoder: SandboxedChild;
  readonly #frames: FrameReader;
  readonly #limits: ImageLimits;
  /** Resolves when the decoder has loaded and waits for an image. Rejects with ImageError `unavailable`. */
  readonly ready: Promise<void>;
  /** Resolves once it has ended. */
  readonly gone: Promise<void>;
  #isAlive = true;
  #isUsed = false;
  #wasKilledOver = false;

  constructor(decoder: SandboxedChild, limits: ImageLimits) {
    this.#decoder = decoder;
    this.#frames = new FrameReader(decoder.stdout);
    this.#limits = limits;
    const note = () => {
      this.#isAlive = false;
    };
    this.gone = decoder.ended.then(note, note);
    // A dead decoder reads no more; its response has the reason.
    decoder.stdin.on('error', () => {});
    this.ready = this.#within(limits.startMs, 'unavailable', () => this.#awaitReady());
    this.ready.catch(() => {});
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Whether it has received its image. */
  get isUsed(): boolean {
    return this.#isUsed;
  }

  /** Whether it was killed by something else while decoding, such as the kernel for lack of memory. */
  get wasKilledOver(): boolean {
    return this.#wasKilledOver;
  }

  kill(): void {
    this.#decoder.kill();
  }

  /**
   * Decodes the image and renders the outputs of `plan`, in that order. The decoder is always killed afterwards.
   * @throws ImageError; the errors of `plan`.
   */
  async convert(file: SourceImage<DecodedFormat>, plan: (facts: ImageFacts) => RenderPlan): Promise<Buffer[]> {
    if (this.#isUsed) throw new Error('This decoder had its image.');
    this.#isUsed = true;
    try {
      const [bytes] = await Promise.all([this.#read(file), this.ready]);
      return await this.#within(this.#limits.wallMs, 'timeout', () => this.#converse(file, bytes, plan));
    } finally {
      this.kill();
    }
  }

  async #awaitReady(): Promise<void> {
    const frame = await this.#frames.next(FRAME.READY, 0);
    if (frame) return;
    const failure = await this.#failure();
    throw new ImageError('unavailable', describe(failure), { cause: failure });
  }

  async #read({ path }: SourceImage): Promise<Buffer> {
    const { size } = await stat(path);
    if (size > this.#limits.maxBytes) throw new ImageError('pixel-limit', `${size} bytes`);
    return readFile(path);
  }

  async #converse(
    { format, isUpright = false }: SourceImage<DecodedFormat>,
    bytes: Buffer,
    plan: (facts: ImageFacts) => RenderPlan,
  ): Promise<Buffer[]> {
    const { maxPixels, operationMs } = this.#limits;
    const timeoutSeconds = Math.ceil(operationMs / 1000);
    this.#sendMessage({ format, isUpright, sizeBytes: bytes.length, maxPixels, timeoutSeconds });
    this.#decoder.stdin.write(bytes);
    const order = plan(readFacts(await this.#next(FRAME.FACTS, FACTS_BYTES)));
    this.#sendMessage(order);
    const created: Buffer[] = [];
    for (const output of order.outputs)
      created.push(requireOutput(output, await this.#next(FRAME.OUTPUT, mostBytes(output))));
    return created;
  }

  #sendMessage(message: object): void {
    const text = Buffer.from(JSON.stringify(message));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(text.length);
    this.#decoder.stdin.write(Buffer.concat([length, text]));
  }

  /** The next frame. A decoder that ends before it has crashed, unless it was killed. */
  async #next(kind: number, maxBytes: number): Promise<Buffer> {
    const frame = await this.#frames.next(kind, maxBytes);
    if (frame) return frame;
    const failure = await this.#failure();
    this.#wasKilledOver = failure?.reason === 'signal';
    throw new ImageError(failure ? (REASONS[failure.reason] ?? 'unavailable') : 'crashed', describe(failure));
  }

  /** How the unresponsive decoder ended; null for a normal exit. */
  async #failure(): Promise<RunError | null> {
    return this.#decoder.ended.then(
      () => null,
      (error: unknown) => {
        if (error instanceof RunError) return error;
        throw error;
      },
    );
  }

  /** Kills the decoder when `work` takes longer. */
  async #within<T>(limitMs: number, reason: 'timeout' | 'unavailable', work: () => Promise<T>): Promise<T> {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      this.kill();
    }, limitMs);
    try {
      return await work();
    } catch (error) {
      throw late ? new ImageError(reason, `more than ${limitMs} ms`, { cause: error }) : error;
    } finally {
      clearTimeout(timer);
    }
  }
}

function readFacts(frame: Buffer): ImageFacts {
  if (frame.length !== FACTS_BYTES) throw new ImageError('protocol', `facts of ${frame.length} bytes`);
  const facts = { width: frame.readUInt32BE(0), height: frame.readUInt32BE(4), hasAlpha: frame.readUInt8(8) === 1 };
  if (facts.width < 1 || facts.height < 1)
    throw new ImageError('protocol', `an image of ${facts.width} by ${facts.height} pixels`);
  return facts;
}

function mostBytes({ format, width, height }: ImageOutput): number {
  return format === 'RGB' ? width * height * RGB_BYTES : width * height * ENCODED_BYTES_PER_PIXEL + HEADERS_BYTES;
}

/** The bytes of an output, checked by its length and its first bytes. */
function requireOutput(output: ImageOutput, bytes: Buffer): Buffer {
  const { format } = output;
  const isRight =
    format === 'RGB'
      ? bytes.length === mostBytes(output)
      : sniffImage(bytes.subarray(0, IMAGE_SNIFF_BYTES)) === SNIFFED_AS[format];
  if (!isRight) throw new ImageError('protocol', `an output of ${bytes.length} bytes that is not ${format}`);
  return bytes;
}

function describe(failure: RunError | null): string {
  return failure ? `${failure.message} ${failure.stderrTail.trim().slice(-300)}`.trim() : 'it ended without an answer';
}
