import type { Socket } from 'node:net';
import { type Amf0Object, Publisher } from '@reelgraph/rtmp';
import { type Text, t } from '../../../kernel/languages/message.ts';
import type { GuardedSockets } from '../../../platform/fetch/guarded-socket.ts';
import { MessageQueue, type SimulcastMessage } from './simulcast-message.ts';
import { socketAddressOf } from './target-address.ts';
import { failureOf, TargetError, TOO_SLOW } from './target-failure.ts';

/** Many servers know encoders by this name. */
const ENCODER = 'FMLE/3.0 (compatible; Reelgraph)';
const CONNECT_MS = 10_000;
/** From the connection to the stream. */
const HANDSHAKE_MS = 10_000;
/** A server that takes nothing for so long is given up. */
const STALL_MS = 10_000;
/** What is on its way when a stream ends is taken within this time. */
const LAST_MS = 2_000;
/** What a server may say in ten seconds: answers and acknowledgements. */
const MOST_ANSWER_BYTES = 1024 ** 2;
const ANSWER_MS = 10_000;

/** What an encoder sends, for a target that begins. */
export interface SimulcastSource {
  /** Decoder configurations, of picture and sound. */
  configs(): readonly Pick<SimulcastMessage, 'track' | 'bytes'>[];
  metadata(): Amf0Object;
}

export interface ConnectionOptions {
  readonly url: string;
  readonly streamKey: string;
  readonly sockets: GuardedSockets;
  readonly source: SimulcastSource;
  /** The first keyframe was sent. */
  readonly onLive: () => void;
  /** What waited is left out, up to the next keyframe. */
  readonly onSlow: () => void;
}

/** One connection to a target. It begins with the decoder configurations and a keyframe; its time begins at 0. */
export class TargetConnection {
  readonly #options: ConnectionOptions;
  readonly #queue = new MessageQueue();
  #publisher: Publisher | null = null;
  #socket: Socket | null = null;
  #waitsForKeyframe = true;
  #stalled: NodeJS.Timeout | null = null;
  /** When the first keyframe was sent; null before. */
  #startMs: number | null = null;
  readonly #lastMs = { video: 0, audio: 0 };
  /** Whether the server has ever taken the stream. */
  #isStarted = false;
  #hasEnded = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** Publishes until it is ended, or cannot go on. Why not; null where it was ended. Never throws. */
  async run(signal: AbortSignal): Promise<Text | null> {
    const { streamKey } = this.#options;
    try {
      await this.#publish(signal);
    } catch (error) {
      if (!this.#hasEnded && !signal.aborted) return failureOf(error, { streamKey, isStarted: this.#isStarted });
    }
    return null;
  }

  /** Takes a message, or leaves it out where the server is too slow. Never waits. */
  push(message: SimulcastMessage): void {
    if (!this.#publisher?.isStarted || this.#hasEnded) return;
    if (this.#waitsForKeyframe) {
      if (!message.isKeyframe) return;
      this.#waitsForKeyframe = false;
      for (const config of this.#options.source.configs())
        this.#queue.push({ ...config, atMs: message.atMs, isKeyframe: false });
    }
    if (!this.#queue.push(message)) {
      this.#waitsForKeyframe = true;
      this.#options.onSlow();
    }
    this.#write();
  }

  /** Says that nothing follows. */
  end(): void {
    this.#hasEnded = true;
    const socket = this.#socket;
    if (!this.#publisher || !socket) return;
    for (let message = this.#queue.shift(); message; message = this.#queue.shift()) this.#send(message);
    this.#publisher.end();
    socket.end();
    setTimeout(() => socket.destroy(), LAST_MS).unref();
  }

  async #publish(signal: AbortSignal): Promise<never> {
    const socket = await this.#connect(signal);
    const tooLate = setTimeout(() => socket.destroy(silent()), HANDSHAKE_MS);
    const stop = (): void => void socket.destroy();
    signal.addEventListener('abort', stop);
    const { url, streamKey } = this.#options;
    const publisher = new Publisher(
      { url, streamKey, encoder: ENCODER },
      {
        send: (bytes) => void socket.write(bytes),
        onStarted: () => {
          clearTimeout(tooLate);
          this.#isStarted = true;
          publisher.metadata(this.#options.source.metadata());
        },
      },
    );
    [this.#socket, this.#publisher] = [socket, publisher];
    try {
      publisher.start();
      const answers = new AnswerLimit();
      for await (const bytes of socket as AsyncIterable<Buffer>) {
        answers.take(bytes.length);
        publisher.push(bytes);
      }
      throw new Error('The server closed the connection.');
    } finally {
      clearTimeout(tooLate);
      this.#flows();
      signal.removeEventListener('abort', stop);
      this.#publisher = null;
      if (!this.#hasEnded) socket.destroy();
    }
  }

  async #connect(signal: AbortSignal): Promise<Socket> {
    const { sockets, url } = this.#options;
    const tooLate = AbortSignal.timeout(CONNECT_MS);
    const socket = await sockets
      .connect(socketAddressOf(url), AbortSignal.any([signal, tooLate]))
      .catch((error: unknown) => {
        throw tooLate.aborted ? silent() : error;
      });
    socket.on('error', () => {}); // who reads it learns of it
    socket.setNoDelay(true);
    socket.on('drain', () => {
      this.#flows();
      this.#write();
    });
    return socket;
  }

  /** Writes what waits, as long as the server takes it. */
  #write(): void {
    const socket = this.#socket;
    if (!socket || !this.#publisher || this.#hasEnded) return;
    while (!socket.writableNeedDrain) {
      const message = this.#queue.shift();
      if (message === null) return;
      this.#send(message);
    }
    this.#stalled ??= setTimeout(() => socket.destroy(new TargetError(TOO_SLOW)), STALL_MS);
  }

  /** The server takes what was written. */
  #flows(): void {
    if (this.#stalled) clearTimeout(this.#stalled);
    this.#stalled = null;
  }

  #send({ track, atMs, isKeyframe, bytes }: SimulcastMessage): void {
    const isFirst = this.#startMs === null && isKeyframe;
    if (isFirst) this.#startMs = atMs;
    const ms = atMs - (this.#startMs ?? atMs);
    if (ms < 0) return; // sound of before the keyframe
    this.#lastMs[track] = Math.max(this.#lastMs[track], ms);
    this.#publisher?.[track](this.#lastMs[track] % 2 ** 32, bytes);
    if (isFirst) this.#options.onLive();
  }
}

/** What a server says is read and thrown away: more than answers is not taken. */
class AnswerLimit {
  #sinceMs = performance.now();
  #bytes = 0;

  /** @throws TargetError where a server sends too much. */
  take(bytes: number): void {
    const nowMs = performance.now();
    if (nowMs - this.#sinceMs > ANSWER_MS) [this.#sinceMs, this.#bytes] = [nowMs, 0];
    this.#bytes += bytes;
    if (this.#bytes > MOST_ANSWER_BYTES) throw new TargetError(t`The server sends too much.`);
  }
}

function silent(): TargetError {
  return new TargetError(t`The server does not answer.`);
}
