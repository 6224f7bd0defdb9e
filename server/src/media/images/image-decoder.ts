import type { SandboxedChild } from '@reelgraph/sandbox';
import { ImageError } from './image-error.ts';
import {
  type DecodedFormat,
  DecoderProcess,
  type ImageFacts,
  type ImageLimits,
  type RenderPlan,
  type SourceImage,
} from './image-process.ts';

export interface ImageDecoderOptions {
  /** Starts decoder-program.mjs in the sandbox. */
  readonly start: () => Promise<SandboxedChild>;
  /** Converts a HEIC image and removes the JPEG after `use`. */
  readonly withHeicAsJpeg: <T>(path: string, use: (jpegPath: string) => Promise<T>) => Promise<T>;
  readonly limits: ImageLimits;
  /** Called for decoders that violated the protocol, which may be compromised, or that could not be started. */
  readonly onError: (error: ImageError) => void;
}

/** An unused spare is ended after this time. */
const IDLE_MS = 10 * 60_000;

/**
 * Decodes images in the sandbox, one at a time, each in a new process. From the first image on, the process for the
 * next one is started in advance.
 */
export class ImageDecoder {
  readonly #options: ImageDecoderOptions;
  readonly #processes = new Set<DecoderProcess>();
  #turn: Promise<unknown> = Promise.resolve();
  #spare: Promise<DecoderProcess> | null = null;
  #idle: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: ImageDecoderOptions) {
    this.#options = options;
  }

  /**
   * Renders the outputs of `plan` from the image, in that order. `plan` gets the metadata from the decoder, and may
   * throw.
   * @throws ImageError; the errors of `plan`.
   */
  convert(file: SourceImage, plan: (facts: ImageFacts) => RenderPlan): Promise<Buffer[]> {
    const mine = this.#turn.then(() => this.#convert(file, plan));
    const isOver = () => Promise.all([...this.#processes].filter((process) => process.isUsed).map(({ gone }) => gone));
    this.#turn = mine.then(isOver, isOver);
    return mine;
  }

  /** Ends all decoders; running ones fail as `unavailable`. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle);
    await this.#spare?.catch(() => {});
    for (const process of this.#processes) process.kill();
    await Promise.all([...this.#processes].map(({ gone }) => gone));
  }

  async #convert(file: SourceImage, plan: (facts: ImageFacts) => RenderPlan): Promise<Buffer[]> {
    try {
      const { path, format } = file;
      if (format !== 'heic') return await this.#attempt({ ...file, format }, plan);
      // In HEIF, the orientation is a property of the image, which libheif applies; EXIF only repeats it.
      return await this.#options.withHeicAsJpeg(path, (jpegPath) =>
        this.#attempt({ path: jpegPath, format: 'jpeg', isUpright: true }, plan),
      );
    } catch (error) {
      if (
        error instanceof ImageError &&
        (error.reason === 'protocol' || error.reason === 'crashed' || error.reason === 'unavailable')
      )
        this.#options.onError(error);
      throw error;
    }
  }

  /** An image whose decoder is killed is retried once; if that one is killed too, the image is the cause. */
  async #attempt(
    file: SourceImage<DecodedFormat>,
    plan: (facts: ImageFacts) => RenderPlan,
    isSecond = false,
  ): Promise<Buffer[]> {
    const process = await this.#take();
    try {
      return await process.convert(file, plan);
    } catch (error) {
      if (!process.wasKilledOver) throw error;
      if (isSecond) throw new ImageError('crashed', 'the decoder was killed twice', { cause: error });
    }
    await process.gone;
    return this.#attempt(file, plan, true);
  }

  /** The spare, or a new one; the next spare is started at once. */
  async #take(): Promise<DecoderProcess> {
    const spare = await this.#spare?.catch(() => null);
    this.#spare = null;
    const process = spare?.isAlive ? spare : await this.#start();
    this.#spare = this.#start();
    this.#spare.catch(() => {}); // retried and reported with the next image
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#endSpare(), IDLE_MS).unref();
    return process;
  }

  #endSpare(): void {
    const spare = this.#spare;
    this.#spare = null;
    spare?.then(
      (process) => process.kill(),
      () => {},
    );
  }

  async #start(): Promise<DecoderProcess> {
    if (this.#closed) throw new ImageError('unavailable', 'the platform is stopping');
    const child = await this.#options.start().catch((error: unknown) => {
      throw new ImageError('unavailable', error instanceof Error ? error.message : '', { cause: error });
    });
    const process = new DecoderProcess(child, this.#options.limits);
    this.#processes.add(process);
    void process.gone.then(() => this.#processes.delete(process));
    if (this.#closed) process.kill();
    return process;
  }
}
