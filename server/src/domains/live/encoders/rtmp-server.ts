import { createServer, type Socket } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';
import { Mp4Error } from '@reelgraph/mp4';
import { PublishSession, type Refusal, RtmpError } from '@reelgraph/rtmp';
import { type Text, t } from '../../../kernel/languages/message.ts';
import { type Listening, listenOn } from '../../../platform/listen.ts';
import type { Platform } from '../../../platform/platform.ts';
import { EncoderError } from '../ingest/encoder-input.ts';
import type { LiveBroadcasts, ReceivedEncoder } from '../ingest/live-broadcasts.ts';
import { RateLimit } from '../ingest/rate-limit.ts';

/** An encoder names its stream within this time. */
const HANDSHAKE_MS = 10_000;
/** A connection over which nothing comes for so long is lost. */
const SILENCE_MS = 15_000;
/** What may wait to be written: acknowledgements and answers only. */
const MOST_UNSENT_BYTES = 256 * 1024;
const MOST_CONNECTIONS = 1_000;
/** Connections of one address that have not named a stream. */
const MOST_STRANGERS = 20;

export interface RtmpServerOptions {
  readonly platform: Pick<Platform, 'clock' | 'log'>;
  readonly broadcasts: LiveBroadcasts;
  /** Of TLS, for RTMPS; connections are not encrypted without it. */
  readonly secureContext?: () => SecureContext;
}

/** Receives encoders by RTMP or RTMPS. Each sends the stream key of its live input. */
export class RtmpServer {
  readonly #options: RtmpServerOptions;
  readonly #server = createServer((socket) => this.#take(socket));
  #listening: Listening | null = null;
  readonly #sockets = new Set<Socket>();
  readonly #working = new Set<Promise<void>>();
  readonly #strangers = new Map<string, number>();

  constructor(options: RtmpServerOptions) {
    this.#options = options;
  }

  /** Listens on the addresses; with port 0 on a free one. Returns the port. */
  async listen(port: number, hosts: readonly [string, ...string[]]): Promise<number> {
    this.#server.maxConnections = MOST_CONNECTIONS;
    this.#listening = await listenOn(this.#server, port, hosts);
    return this.#listening.port;
  }

  /** Ends connections. */
  async close(): Promise<void> {
    this.#server.close();
    const further = this.#listening?.closeFurther();
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all([further, ...this.#working]);
  }

  #take(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    const strangers = this.#strangers.get(address) ?? 0;
    if (strangers >= MOST_STRANGERS) return void socket.destroy();
    this.#strangers.set(address, strangers + 1);
    this.#sockets.add(socket);
    const forget = onceOnly(() => {
      const left = (this.#strangers.get(address) ?? 1) - 1;
      if (left > 0) this.#strangers.set(address, left);
      else this.#strangers.delete(address);
    });
    const { secureContext } = this.#options;
    // The handshake of TLS counts towards the time in which an encoder names its stream.
    const opened = secureContext ? secured(socket, secureContext()) : socket;
    const connection = new RtmpConnection(this.#options, opened, forget);
    const work = connection
      .serve()
      // What the database does not learn here, it learns from the missing signs of life.
      .catch((error: unknown) => this.#options.platform.log.warn({ error }, 'the end of an encoder is not noted'))
      .finally(() => {
        forget();
        opened.destroy();
        socket.destroy();
        this.#sockets.delete(socket);
        this.#working.delete(work);
      });
    this.#working.add(work);
  }
}

/** One connection, from the handshake to its end. */
class RtmpConnection {
  readonly #platform: RtmpServerOptions['platform'];
  readonly #broadcasts: LiveBroadcasts;
  readonly #socket: Socket;
  readonly #onAccepted: () => void;
  readonly #session: PublishSession;
  readonly #rate: RateLimit;
  #encoder: ReceivedEncoder | null = null;

  constructor({ platform, broadcasts }: RtmpServerOptions, socket: Socket, onAccepted: () => void) {
    [this.#platform, this.#broadcasts, this.#socket] = [platform, broadcasts, socket];
    this.#onAccepted = onAccepted;
    this.#rate = new RateLimit(platform.clock.now());
    this.#session = new PublishSession({
      send: (bytes) => this.#send(bytes),
      onPublish: ({ app, streamKey }) => this.#accept(app, streamKey),
      onVideo: (timestamp, tag) => this.#encoder?.session.video(timestamp, tag),
      onAudio: (timestamp, tag) => this.#encoder?.session.audio(timestamp, tag),
    });
  }

  /** Reads until the encoder ends, is refused or is gone. */
  async serve(): Promise<void> {
    const tooLate = setTimeout(() => this.#socket.destroy(), HANDSHAKE_MS);
    let hasEnded = false;
    try {
      this.#socket.setNoDelay(true);
      this.#socket.setTimeout(SILENCE_MS, () => this.#socket.destroy());
      for await (const bytes of this.#socket as AsyncIterable<Buffer>) {
        if (!(await this.#push(bytes))) {
          hasEnded = this.#encoder !== null;
          break;
        }
        if (this.#encoder) clearTimeout(tooLate);
      }
      this.#socket.end();
    } catch (error) {
      await this.#explain(error);
      // Not only once everything that has arrived is stored.
      this.#socket.destroy();
    } finally {
      clearTimeout(tooLate);
      if (this.#encoder) await this.#broadcasts.release(this.#encoder, hasEnded);
    }
  }

  async #explain(error: unknown): Promise<void> {
    const { log } = this.#platform;
    const fault = faultOf(error);
    if (fault === null) {
      if (!isReset(error)) log.warn({ error }, 'an RTMP connection failed');
      return;
    }
    log.info({ reason: String(error), inputId: this.#encoder?.broadcast.inputId }, 'encoder refused');
    if (this.#encoder) await this.#broadcasts.refuse(this.#encoder, fault);
  }

  #push(bytes: Buffer): Promise<boolean> {
    this.#encoder?.session.encoder?.health.bytes(bytes.length);
    this.#rate.take(bytes.length, this.#platform.clock.now());
    return this.#session.push(bytes);
  }

  #send(bytes: Buffer): void {
    if (this.#socket.destroyed) return;
    this.#socket.write(bytes);
    if (this.#socket.writableLength > MOST_UNSENT_BYTES) throw new RtmpError('The encoder does not read.');
  }

  /** The key is the name of the stream; some encoders take it as a part of the address. */
  async #accept(app: string, streamKey: string): Promise<Refusal | null> {
    const key = streamKey === '' ? (app.split('/')[1] ?? '') : (streamKey.split('?')[0] ?? '');
    const accepted = await this.#broadcasts.accept({ streamKey: key }, () => this.#socket.destroy());
    if ('refusal' in accepted) return { description: String(accepted.refusal) };
    this.#encoder = accepted;
    this.#rate.follow(accepted.limits);
    this.#onAccepted();
    return null;
  }
}

/** The encrypted stream over a connection. */
function secured(socket: Socket, secureContext: SecureContext): TLSSocket {
  const opened = new TLSSocket(socket, { isServer: true, secureContext });
  socket.on('error', (error) => opened.destroy(error));
  return opened;
}

/** What is wrong with an encoder, for its channel; null where the error is not of the encoder. */
function faultOf(error: unknown): Text | null {
  if (error instanceof EncoderError) return error.text;
  if (error instanceof RtmpError) return t`The encoder does not follow RTMP: ${error.message}`;
  return error instanceof Mp4Error ? t`The encoder describes its streams wrongly: ${error.message}` : null;
}

/** Whether the connection broke, is not one of TLS, or was closed here. */
function isReset(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code.startsWith('ERR_SSL_')) return true;
  return ['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR'].includes(code);
}

function onceOnly(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}
