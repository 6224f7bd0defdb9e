import { randomBytes } from 'node:crypto';
import { type Amf0Object, type Amf0Value, readAmf0, writeAmf0 } from './amf0.ts';
import { ChunkReader } from './chunk-reader.ts';
import { ChunkWriter, WRITTEN_CHUNK_BYTES } from './chunk-writer.ts';
import { HANDSHAKE_PART_BYTES, RTMP_VERSION } from './handshake.ts';
import { MESSAGE, type Message } from './messages.ts';
import { RtmpError } from './rtmp-error.ts';

/** Where a stream is published. */
export interface PublishTarget {
  /** `rtmp://host/app`, without the stream key. */
  readonly url: string;
  readonly streamKey: string;
  /** What the server is told about the encoder. */
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
const CHUNK_STREAM = { control: 2, commands: 3, audio: 4, video: 6 } as const;
/** Numbers of commands whose results matter. */
const TRANSACTION = { connect: 1, createStream: 4, publish: 5 } as const;
/** RTMP 1.0 section 7.1.7. */
const PING = { request: 6, response: 7 } as const;
const FOUR_CC = ['avc1', 'hvc1', 'av01', 'vp09', 'mp4a', 'Opus', 'ac-3', 'ec-3', 'fLaC', '.mp3'];

/**
 * The client's side of a connection that publishes: it forwards messages of sound and picture as they are. It has no
 * socket and no clock: the caller passes the bytes that arrive, and closes the connection when `push` throws, when
 * nothing happens for too long, or when too much waits to be written.
 */
export class Publisher {
  readonly #target: PublishTarget;
  readonly #handlers: PublisherHandlers;
  readonly #reader = new ChunkReader(LIMITS);
  readonly #writer = new ChunkWriter();
  #handshake: Buffer | null = Buffer.alloc(0);
  #streamId: number | null = null;
  #isStarted = false;
  #arrivedBytes = 0;
  #acknowledgedBytes = 0;
  #windowBytes = Number.POSITIVE_INFINITY;

  constructor(target: PublishTarget, handlers: PublisherHandlers) {
    this.#target = target;
    this.#handlers = handlers;
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
   * @throws RtmpError where it refuses, with its reason, or does not follow the protocol.
   */
  push(bytes: Buffer): void {
    const rest = this.#handshake === null ? bytes : this.#shake(Buffer.concat([this.#handshake, bytes]));
    if (rest === null) return;
    this.#acknowledge(rest.length);
    for (const message of this.#reader.read(rest)) this.#take(message);
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
    this.#control(MESSAGE.setChunkSize, WRITTEN_CHUNK_BYTES);
    const app = new URL(url).pathname.replace(/^\//, '');
    const about = { app, type: 'nonprivate', flashVer: encoder, tcUrl: url, fourCcList: FOUR_CC };
    this.#command('connect', TRANSACTION.connect, about);
  }

  #take({ type, payload }: Message): void {
    if (type === MESSAGE.commandAmf0) this.#answer(readAmf0(payload));
    else if (type === MESSAGE.commandAmf3) this.#answer(readAmf0(payload.subarray(1)));
    else if (type === MESSAGE.windowSize && payload.length >= 4) this.#windowBytes = payload.readUInt32BE(0);
    else if (type === MESSAGE.userControl) this.#pong(payload);
  }

  #answer([name, transaction, , information]: readonly Amf0Value[]): void {
    const { level, code, description } = informationOf(information);
    if (name === '_error' || (name === 'onStatus' && level === 'error'))
      throw new RtmpError(`The server refuses the stream: ${description || code || 'it gives no reason'}`);
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
      const publish = writeAmf0('publish', TRANSACTION.publish, null, this.#target.streamKey, 'live');
      this.#send(CHUNK_STREAM.audio, MESSAGE.commandAmf0, 0, this.#streamId, publish);
    }
  }

  #pong(payload: Buffer): void {
    if (payload.length < 6 || payload.readUInt16BE(0) !== PING.request) return;
    const answer = Buffer.from(payload.subarray(0, 6));
    answer.writeUInt16BE(PING.response, 0);
    this.#send(CHUNK_STREAM.control, MESSAGE.userControl, 0, 0, answer);
  }

  #acknowledge(bytes: number): void {
    this.#arrivedBytes += bytes;
    if (this.#arrivedBytes - this.#acknowledgedBytes < this.#windowBytes) return;
    this.#acknowledgedBytes = this.#arrivedBytes;
    this.#control(MESSAGE.acknowledgement, this.#arrivedBytes % 2 ** 32);
  }

  #media(chunkStream: number, type: number, timestamp: number, payload: Buffer): void {
    if (this.#isStarted && this.#streamId !== null) this.#send(chunkStream, type, timestamp, this.#streamId, payload);
  }

  #command(...values: readonly Amf0Value[]): void {
    this.#send(CHUNK_STREAM.commands, MESSAGE.commandAmf0, 0, 0, writeAmf0(...values));
  }

  #control(type: number, value: number): void {
    const payload = Buffer.alloc(4);
    payload.writeUInt32BE(value);
    this.#send(CHUNK_STREAM.control, type, 0, 0, payload);
  }

  #send(chunkStream: number, type: number, timestamp: number, streamId: number, payload: Buffer): void {
    this.#handlers.send(this.#writer.write(chunkStream, { type, timestamp, streamId, payload }));
  }
}

function informationOf(value: Amf0Value): { level: string; code: string; description: string } {
  const given = typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Amf0Object) : {};
  const text = (name: string) => (typeof given[name] === 'string' ? given[name] : '');
  return { level: text('level'), code: text('code'), description: text('description') };
}
