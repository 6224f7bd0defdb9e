import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { FlvReader, RtmpError } from '@reelgraph/rtmp';
import { type Text, t } from '../../../kernel/languages/message.ts';
import { RunError, type Runner, type SandboxedChild } from '../../../media/index.ts';
import { EncoderError } from './encoder-input.ts';
import type { LiveSession } from './live-session.ts';

/** ffmpeg describes the streams after so much of them: more than the keyframe interval that encoders are asked for. */
const DESCRIBED_MS = 2_500;
/** More than comes in that time. */
const DESCRIBED_BYTES = 32_000_000;
/** Pictures wait so long for sound that was announced and does not come. */
const SOUND_GAP_MS = 1_000;
/** What is left in the program when its input has ended is written within this time. */
const LAST_MS = 5_000;
const LIMITS = {
  cpuSeconds: 7 * 86_400,
  memoryBytes: 512 * 1024 ** 2,
  outputBytes: 0,
  wallMs: Number.POSITIVE_INFINITY,
};

const ARGUMENTS = [
  ...['-hide_banner', '-loglevel', 'level+error', '-nostdin', '-nostats'],
  ...['-analyzeduration', `${DESCRIBED_MS * 1_000}`, '-probesize', `${DESCRIBED_BYTES}`],
  ...['-protocol_whitelist', 'pipe', '-f', 'mpegts', '-i', 'pipe:0', '-map', '0:v:0?', '-map', '0:a:0?', '-c', 'copy'],
  ...['-max_interleave_delta', `${SOUND_GAP_MS * 1_000}`, '-flush_packets', '1'],
  ...['-f', 'flv', '-flvflags', 'no_duration_filesize', 'pipe:1'],
];

/** Turns the MPEG-TS of an encoder into the frames of its session, by ffmpeg in the sandbox, without encoding. */
export class FlvProgram {
  readonly #child: SandboxedChild;
  /** Null once all frames were read; why that failed. */
  readonly #read: Promise<unknown>;
  #failure: unknown = null;

  private constructor(child: SandboxedChild, session: LiveSession) {
    this.#child = child;
    child.stdin.on('error', () => {}); // it has ended, and says why
    this.#read = this.#readFrames(session).catch((error: unknown) => {
      this.#failure = error;
      child.kill();
      return error;
    });
  }

  static async start(runner: Pick<Runner, 'startProgram'>, ffmpeg: string, session: LiveSession): Promise<FlvProgram> {
    return new FlvProgram(await runner.startProgram(ffmpeg, ARGUMENTS, { limits: LIMITS, interactive: true }), session);
  }

  /**
   * Takes bytes, not faster than they are read.
   * @throws what is wrong with what was sent before: EncoderError, RtmpError or Mp4Error; RunError where it failed.
   */
  async push(bytes: Buffer): Promise<void> {
    if (this.#failure !== null) throw this.#failure;
    if (!this.#child.stdin.write(bytes)) await Promise.race([drained(this.#child.stdin), this.#read]);
  }

  /** Nothing follows: waits until all frames were read. @throws as `push`. */
  async end(): Promise<void> {
    this.#child.stdin.end();
    const tooLate = setTimeout(() => this.#child.kill(), LAST_MS);
    await this.#read;
    clearTimeout(tooLate);
    if (this.#failure !== null) throw this.#failure;
  }

  /** Ends it at once. */
  async kill(): Promise<void> {
    this.#child.kill();
    await this.#read;
  }

  async #readFrames(session: LiveSession): Promise<null> {
    const reader = new FlvReader({
      onVideo: (timestamp, tag) => session.video(timestamp, tag),
      // Before ffmpeg has seen a frame of AAC, it writes a configuration without content.
      onAudio: (timestamp, tag) => {
        if (tag.kind !== 'config' || tag.data.length > 0) session.audio(timestamp, tag);
      },
    });
    for await (const bytes of this.#child.stdout as AsyncIterable<Buffer>) reader.push(bytes);
    await this.#child.ended.catch((error: unknown) => {
      throw (error instanceof RunError && faultIn(error)) || error;
    });
    return null;
  }
}

async function drained(stream: Writable): Promise<void> {
  await once(stream, 'drain').catch(() => {});
}

/** What an encoder sends that ffmpeg cannot write as FLV, or cannot read; null where the program itself failed. */
function faultIn({ reason, stderrTail }: RunError): EncoderError | null {
  if (reason !== 'exit') return null;
  const [, track, codec = ''] = /(Video|Audio) codec (\S+) not compatible with flv/.exec(stderrTail) ?? [];
  return new EncoderError(textOf(track, codec, stderrTail));
}

function textOf(track: string | undefined, codec: string, stderr: string): Text {
  if (track === 'Video')
    return t`Pictures in ${codec} cannot be received by SRT. Set the video encoder to H.264, or publish by RTMP.`;
  if (track === 'Audio') return t`Sound in ${codec} cannot be broadcast. Set the audio encoder to AAC.`;
  if (/incompatible with output codec id/.test(stderr))
    return t`The encoder sends a codec that cannot be received by SRT. Set it to H.264 and AAC.`;
  if (/dimensions not set/.test(stderr))
    return t`The encoder begins without a keyframe. Set its keyframe interval to 2 seconds.`;
  return t`The encoder does not send MPEG-TS with H.264 and AAC.`;
}

/** What is wrong with an encoder that sends by SRT, for its channel; null where the error is not of the encoder. */
export function faultOfFlv(error: unknown): Text | null {
  if (error instanceof EncoderError) return error.text;
  return error instanceof RtmpError ? t`What the encoder sends cannot be received by SRT: ${error.message}` : null;
}
