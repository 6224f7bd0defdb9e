import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { type AudioTag, FlvReader, type VideoTag } from '@reelgraph/rtmp';
import type { Text } from '../../../kernel/languages/message.ts';
import { RunError, type Runner, type SandboxedChild } from '../../../media/index.ts';
import { EncoderError } from './encoder-input.ts';

/** Pictures wait so long for sound that was announced and does not come. */
const SOUND_GAP_MS = 1_000;
/** What is left in the program of an encoder when its input has ended is written within this time. */
const LAST_MS = 5_000;
const LIMITS = {
  cpuSeconds: 7 * 86_400,
  memoryBytes: 512 * 1024 ** 2,
  outputBytes: 0,
  wallMs: Number.POSITIVE_INFINITY,
};

export interface FlvTools {
  readonly runner: Pick<Runner, 'startProgram'>;
  readonly ffmpeg: string;
}

/** What ffmpeg reads on its standard input and makes of it. */
export interface FlvSource {
  /** Of the input and what is made of its streams, before those of the output. */
  readonly arguments: readonly string[];
  /** What is wrong with an input that ffmpeg cannot read, or not write as FLV, by what it says. */
  readonly faultIn: (stderr: string) => Text;
  /** CPU time that the program may take; default that of a broadcast of a week. */
  readonly cpuSeconds?: number;
}

const BEFORE = ['-hide_banner', '-loglevel', 'level+error', '-nostdin', '-nostats', '-protocol_whitelist', 'pipe'];
const AFTER = [
  ...['-max_interleave_delta', `${SOUND_GAP_MS * 1_000}`, '-flush_packets', '1'],
  ...['-f', 'flv', '-flvflags', 'no_duration_filesize', 'pipe:1'],
];

/** Gets the frames. */
export interface FrameSink {
  video(timestamp: number, tag: VideoTag): void;
  audio(timestamp: number, tag: AudioTag): void;
  /** No more are read until then; default at once. */
  settled?(): Promise<void>;
}

/** Turns what an encoder sends into the frames of its session, by ffmpeg in the sandbox. */
export class FlvProgram {
  readonly #child: SandboxedChild;
  readonly #source: FlvSource;
  /** Null once all frames were read; why that failed. */
  readonly #read: Promise<unknown>;
  #failure: unknown = null;

  private constructor(child: SandboxedChild, source: FlvSource, sink: FrameSink) {
    [this.#child, this.#source] = [child, source];
    child.stdin.on('error', () => {}); // it has ended, and says why
    this.#read = this.#readFrames(sink).catch((error: unknown) => {
      this.#failure = error;
      child.kill();
      return error;
    });
  }

  static async start({ runner, ffmpeg }: FlvTools, source: FlvSource, sink: FrameSink): Promise<FlvProgram> {
    const args = [...BEFORE, ...source.arguments, ...AFTER];
    const limits = { ...LIMITS, ...(source.cpuSeconds ? { cpuSeconds: source.cpuSeconds } : {}) };
    const child = await runner.startProgram(ffmpeg, args, { limits, interactive: true });
    return new FlvProgram(child, source, sink);
  }

  /** What was taken, and is not read yet. */
  get waitingBytes(): number {
    return this.#child.stdin.writableLength;
  }

  /**
   * Takes bytes, not faster than they are read.
   * @throws what is wrong with what was sent before: EncoderError, RtmpError or Mp4Error; RunError where it failed.
   */
  async push(bytes: Buffer): Promise<void> {
    if (this.#failure !== null) throw this.#failure;
    if (!this.#child.stdin.write(bytes)) await Promise.race([drained(this.#child.stdin), this.#read]);
  }

  /** Nothing follows: waits until all frames were read, at most so long. @throws as `push`. */
  async end(mostMs = LAST_MS): Promise<void> {
    this.#child.stdin.end();
    const tooLate = setTimeout(() => this.#child.kill(), mostMs);
    await this.#read;
    clearTimeout(tooLate);
    if (this.#failure !== null) throw this.#failure;
  }

  /** Ends it at once. */
  async kill(): Promise<void> {
    this.#child.kill();
    await this.#read;
  }

  async #readFrames(sink: FrameSink): Promise<null> {
    const reader = new FlvReader({
      onVideo: (timestamp, tag) => sink.video(timestamp, tag),
      // Before ffmpeg has seen a frame of AAC, it writes a configuration without content.
      onAudio: (timestamp, tag) => {
        if (tag.kind !== 'config' || tag.data.length > 0) sink.audio(timestamp, tag);
      },
    });
    for await (const bytes of this.#child.stdout as AsyncIterable<Buffer>) {
      reader.push(bytes);
      await sink.settled?.();
    }
    await this.#child.ended.catch((error: unknown) => {
      if (!(error instanceof RunError) || error.reason !== 'exit') throw error;
      throw new EncoderError(this.#source.faultIn(error.stderrTail));
    });
    return null;
  }
}

async function drained(stream: Writable): Promise<void> {
  await once(stream, 'drain').catch(() => {});
}
