import { randomBytes } from 'node:crypto';
import { type Amf0Object, type Amf0Value, isAmf0Object, readAmf0, textOf, writeAmf0 } from './amf0.ts';
import { WRITTEN_CHUNK_BYTES } from './chunk-writer.ts';
import { CONTROL_CHUNK_STREAM, Connection } from './connection.ts';
import { HANDSHAKE_PART_BYTES, RTMP_VERSION } from './handshake.ts';
import { AUDIO_FOUR_CC, MESSAGE, type Message, VIDEO_FOUR_CC } from './messages.ts';
import { PublishRefusedError, RtmpError } from './rtmp-error.ts';

/** Where a stream is published. */
export interface PublishTarget {
  /** `rtmp://host/app`, without the stream key. What follows `?` belongs to the app, as librtmp sends it. */
  readonly url: string;
  readonly streamKey: string;
  /** Name and version of the encoder, as the server gets them (`flashVer`). */
  readonly encoder: string;
}

export interface PublisherHandlers {
  /** Bytes for the server. */
  readonly send: (bytes: Buffer) => void;
  /** The server takes sound and picture from now on. */
  readonly onStarted: () => void;
}

/** Of what a server sends. */
const LIMITS = { messageBytes: 64 * 1024, chunkStreams: 32 } as const;
const CHUNK_STREAM = { commands: 3, audio: 4, video: 6 } as const;
/** Until the server asks for acknowledgements. */
const WINDOW = { initial: Number.POSITIVE_INFINITY, least: 1 } as const;
/** Numbers of commands whose results matter. */
const TRANSACTION = { connect: 1, createStream: 4, publish: 5 } as const;
/** RTMP 1.0 section 7.1.7. */
const PING = { request: 6, response: 7 } as const;

/**
 * The client's side of a connection that publishes: it forwards messages of sound and picture as they are. It has no
 * socket and no clock: the caller passes the bytes that arrive, and closes the connection when `push` throws, when
 * nothing happens for too long, or when too much waits to be written.
 */
export class Publisher {
  readonly #target: PublishTarget;
  readonly #handlers: PublisherHandlers;
  readonly #connection: Connection;
  #handshake: Buffer | null = Buffer.alloc(0);
  #streamId: number | null = null;
  #isStarted = false;

  constructor(target: PublishTarget, handlers: PublisherHandlers) {
    this.#target = target;
    this.#handlers = handlers;
    this.#connection = new Connection(handlers.send, LIMITS, WINDOW);
  }

  get isStarted(): boolean {
    return this.#isStarted;
  }

  /** Begins: call it once the connection is there. */
  start(): void {
    const c1 = Buffer.concat([Buffer.alloc(8), randomBytes(HANDSHAKE_PART_BYTES - 8)]);
    this.#handlers.send(Buffer.concat([Buffer.from([RTMP_VERSION]), c1]));
  }

  /**
   * Takes bytes of the server.
   * @throws PublishRefusedError where it refuses; RtmpError where it does not follow the protocol.
   */
  push(bytes: Buffer): void {
    const rest = this.#handshake === null ? bytes : this.#shake(Buffer.concat([this.#handshake, bytes]));
    if (rest === null) return;
    for (const message of this.#connection.read(rest)) this.#take(message);
  }

  /** A message of picture or sound, as `PublishSession` passes it on. Before the server takes it, it is dropped. */
  video(timestamp: number, message: Buffer): void {
    this.#media(CHUNK_STREAM.video, MESSAGE.video, timestamp, message);
  }

  audio(timestamp: number, message: Buffer): void {
    this.#media(CHUNK_STREAM.audio, MESSAGE.audio, timestamp, message);
  }

  metadata(metadata: Amf0Object): void {
    this.#media(CHUNK_STREAM.audio, MESSAGE.dataAmf0, 0, writeAmf0('@setDataFrame', 'onMetaData', metadata));
  }

  /** Tells the server that nothing follows. */
  end(): void {
    if (this.#streamId === null) return;
    this.#command('FCUnpublish', 6, null, this.#target.streamKey);
    this.#command('deleteStream', 7, null, this.#streamId);
    [this.#streamId, this.#isStarted] = [null, false];
  }

  /** What follows the handshake; null while it is incomplete. */
  #shake(arrived: Buffer): Buffer | null {
    if (arrived.length > 0 && arrived[0] !== RTMP_VERSION) throw new RtmpError('The server does not answer with RTMP.');
    this.#handshake = arrived;
    const end = 1 + 2 * HANDSHAKE_PART_BYTES;
    if (arrived.length < end) return null;
    this.#handshake = null;
    this.#handlers.send(arrived.subarray(1, 1 + HANDSHAKE_PART_BYTES));
    this.#connect();
    return arrived.subarray(end);
  }

  #connect(): void {
    const { url, encoder } = this.#target;
    this.#connection.control(MESSAGE.setChunkSize, WRITTEN_CHUNK_BYTES);
    const { pathname, search } = new URL(url);
    const about = {
      app: pathname.replace(/^\//, '') + search,
      type: 'nonprivate',
      flashVer: encoder,
      tcUrl: url,
      fourCcList: [...VIDEO_FOUR_CC, ...AUDIO_FOUR_CC],
    };
    this.#command('connect', TRANSACTION.connect, about);
  }

  #take({ type, payload }: Message): void {
    if (type === MESSAGE.commandAmf0) this.#answer(readAmf0(payload));
    else if (type === MESSAGE.commandAmf3) this.#answer(readAmf0(payload.subarray(1)));
    else if (type === MESSAGE.userControl) this.#pong(payload);
  }

  #answer([name, transaction, , information]: readonly Amf0Value[]): void {
    const { level, code, description } = informationOf(information);
    if (name === '_error' || (name === 'onStatus' && level === 'error'))
      throw new PublishRefusedError(description || code);
    if (name === 'onStatus' && code === 'NetStream.Publish.Start' && !this.#isStarted) {
      this.#isStarted = true;
      this.#handlers.onStarted();
    }
    if (name !== '_result') return;
    if (transaction === TRANSACTION.connect) {
      const { streamKey } = this.#target;
      this.#command('releaseStream', 2, null, streamKey);
      this.#command('FCPublish', 3, null, streamKey);
      this.#command('createStream', TRANSACTION.createStream, null);
    } else if (transaction === TRANSACTION.createStream) {
      this.#streamId = typeof information === 'number' ? information : 1;
      this.#connection.command(
        CHUNK_STREAM.audio,
        this.#streamId,
        'publish',
        TRANSACTION.publish,
        null,
        this.#target.streamKey,
        'live',
      );
    }
  }

  #pong(payload: Buffer): void {
    if (payload.length < 6 || payload.readUInt16BE(0) !== PING.request) return;
    const answer = Buffer.from(payload.subarray(0, 6));
    answer.writeUInt16BE(PING.response, 0);
    const pong = { type: MESSAGE.userControl, timestamp: 0, streamId: 0, payload: answer };
    this.#connection.send(CONTROL_CHUNK_STREAM, pong);
  }

  #media(chunkStream: number, type: number, timestamp: number, payload: Buffer): void {
    const streamId = this.#streamId;
    if (this.#isStarted && streamId !== null)
      this.#connection.send(chunkStream, { type, timestamp, streamId, payload });
  }

  #command(...values: readonly Amf0Value[]): void {
    this.#connection.command(CHUNK_STREAM.commands, 0, ...values);
  }
}

function informationOf(value: Amf0Value): { level: string; code: string; description: string } {
  const { level, code, description } = isAmf0Object(value) ? value : {};
  return { level: textOf(level), code: textOf(code), description: textOf(description) };
}
