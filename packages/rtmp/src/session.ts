import { type Amf0Object, type Amf0Value, isAmf0Object, readAmf0, textOf } from './amf0.ts';
import { WRITTEN_CHUNK_BYTES } from './chunk-writer.ts';
import { CONTROL_CHUNK_STREAM, Connection } from './connection.ts';
import { type AudioTag, readAudio } from './flv-audio.ts';
import { readVideo, type VideoTag } from './flv-video.ts';
import { Handshake } from './handshake.ts';
import { AUDIO_FOUR_CC, MESSAGE, type Message, VIDEO_FOUR_CC } from './messages.ts';
import { RtmpError } from './rtmp-error.ts';

/** What an encoder asks for when it wants to publish. */
export interface PublishRequest {
  /** Path of the address, such as `live`; may be empty. */
  readonly app: string;
  /** What encoders call the stream key. */
  readonly streamKey: string;
  /** The address that the encoder was given, as it sends it; may be empty. */
  readonly url: string;
  /** Its name and version, as it sends them; may be empty. */
  readonly encoder: string;
}

/** Why it may not: shown by encoders that show it. */
export interface Refusal {
  readonly description: string;
}

/** Timestamps are milliseconds, modulo 2^32. */
export interface SessionHandlers {
  /** Bytes for the peer. */
  readonly send: (bytes: Buffer) => void;
  /** Null accepts. No sound and no picture arrives before it has resolved. */
  readonly onPublish: (request: PublishRequest) => Promise<Refusal | null>;
  /** `message` is what the tag was read from, for those who forward it; it is valid during the call. */
  readonly onVideo: (timestamp: number, tag: VideoTag, message: Buffer) => void;
  readonly onAudio: (timestamp: number, tag: AudioTag, message: Buffer) => void;
  /** Metadata, as `onMetaData` of FLV has it: width, height, framerate and others, in whatever types it came. */
  readonly onMetadata?: (metadata: Amf0Object) => void;
}

export interface SessionLimits {
  /** Of a message of a publisher; default 16 MiB. */
  readonly messageBytes?: number;
  /** Of chunk streams of a publisher; default 32. */
  readonly chunkStreams?: number;
}

/** What holds until the publisher is accepted. */
const STRANGER = { messageBytes: 16 * 1024, chunkStreams: 8 } as const;
const PUBLISHER = { messageBytes: 16 * 1024 ** 2, chunkStreams: 32 } as const;
/** Bytes after which each side acknowledges what it has received. */
const WINDOW_BYTES = 2_500_000;
/** A smaller window of a peer would have us write more than we read. */
const LEAST_WINDOW_BYTES = 64 * 1024;
/** Chunk streams of ours. */
const CHUNK_STREAM = { commands: 3, stream: 5 } as const;
/** The only stream of a connection. */
const STREAM_ID = 1;
/** Of a codec: it is passed on as it is (Enhanced RTMP v2). */
const CAN_FORWARD = 4;

type State = 'handshake' | 'connecting' | 'asking' | 'publishing' | 'ended';

/**
 * The server's side of a connection that publishes (RTMP 1.0, Enhanced RTMP v2). It has no socket and no clock: the
 * caller passes the bytes that arrive, and closes the connection when `push` returns false or throws, or when nothing
 * has arrived for too long.
 */
export class PublishSession {
  readonly #handlers: SessionHandlers;
  readonly #limits: Required<SessionLimits>;
  readonly #handshake = new Handshake();
  readonly #connection: Connection;
  #state: State = 'handshake';
  #connected: Omit<PublishRequest, 'streamKey'> | null = null;

  constructor(handlers: SessionHandlers, limits: SessionLimits = {}) {
    this.#handlers = handlers;
    this.#limits = { ...PUBLISHER, ...limits };
    const window = { initial: WINDOW_BYTES, least: LEAST_WINDOW_BYTES };
    this.#connection = new Connection(handlers.send, STRANGER, window);
  }

  /** Whether the publisher was accepted, and has not ended. */
  get isPublishing(): boolean {
    return this.#state === 'publishing';
  }

  /**
   * Takes the bytes that arrive, one call after the other. Returns false when the connection is to be closed, because
   * the publisher has ended or was refused.
   * @throws RtmpError where the peer does not follow the protocol; what handlers throw.
   */
  async push(bytes: Buffer): Promise<boolean> {
    let rest: Buffer | null = bytes;
    if (this.#state === 'handshake') {
      const { send, rest: after } = this.#handshake.push(bytes);
      if (send) this.#handlers.send(send);
      if (after === null) return true;
      this.#state = 'connecting';
      rest = after;
    }
    for (const message of this.#connection.read(rest)) {
      await this.#take(message);
      if (this.#state === 'ended') return false;
    }
    return true;
  }

  async #take({ type, timestamp, payload }: Message): Promise<void> {
    switch (type) {
      case MESSAGE.video:
      case MESSAGE.audio:
      case MESSAGE.aggregate:
        return this.#media(type, timestamp, payload);
      case MESSAGE.commandAmf0:
        return this.#command(readAmf0(payload));
      case MESSAGE.commandAmf3:
        // Values in AMF0, after a byte that says so.
        return this.#command(readAmf0(payload.subarray(1)));
      case MESSAGE.dataAmf0:
        return this.#data(readAmf0(payload));
      default:
        return; // acknowledgements, user control, shared objects, and what was never specified
    }
  }

  #media(type: number, timestamp: number, payload: Buffer): void {
    if (this.#state !== 'publishing') throw new RtmpError('Sound or picture came before it was asked for.');
    if (type === MESSAGE.aggregate) {
      for (const part of partsOf(timestamp, payload)) this.#media(part.type, part.timestamp, part.payload);
      return;
    }
    if (type === MESSAGE.video) {
      const tag = readVideo(payload);
      if (tag) this.#handlers.onVideo(timestamp, tag, payload);
    } else if (type === MESSAGE.audio) {
      const tag = readAudio(payload);
      if (tag) this.#handlers.onAudio(timestamp, tag, payload);
    }
  }

  #data([name, ...values]: readonly Amf0Value[]): void {
    if (this.#state !== 'publishing') return;
    const [event, metadata] = name === '@setDataFrame' ? values : [name, values[0]];
    if (event === 'onMetaData' && isAmf0Object(metadata)) this.#handlers.onMetadata?.(metadata);
  }

  /** Commands that servers need not know are ignored: encoders do not wait for their results. */
  async #command([name, transaction, object, ...values]: readonly Amf0Value[]): Promise<void> {
    const id = typeof transaction === 'number' ? transaction : 0;
    switch (name) {
      case 'connect':
        return this.#connect(id, isAmf0Object(object) ? object : {});
      case 'createStream':
        return this.#reply(id, null, STREAM_ID);
      case 'releaseStream':
      case 'FCPublish':
        return this.#reply(id, null, undefined);
      case 'publish':
        return this.#publish(textOf(values[0]));
      case 'play':
        this.#status('error', 'NetStream.Play.Failed', 'This server only receives.');
        this.#state = 'ended';
        return;
      case 'FCUnpublish':
      case 'closeStream':
      case 'deleteStream':
        if (this.#state !== 'publishing') return;
        this.#status('status', 'NetStream.Unpublish.Success', 'The stream has ended.');
        this.#state = 'ended';
        return;
      default:
        return;
    }
  }

  #connect(id: number, { app, tcUrl, flashVer }: Amf0Object): void {
    if (this.#state !== 'connecting' || this.#connected) throw new RtmpError('connect was sent twice.');
    this.#connected = { app: textOf(app), url: textOf(tcUrl), encoder: textOf(flashVer) };
    this.#connection.control(MESSAGE.windowSize, WINDOW_BYTES);
    this.#control(MESSAGE.peerBandwidth, Buffer.concat([unsigned32(WINDOW_BYTES), Buffer.from([2])]));
    this.#connection.control(MESSAGE.setChunkSize, WRITTEN_CHUNK_BYTES);
    this.#reply(
      id,
      { fmsVer: 'FMS/3,0,1,123', capabilities: 31 },
      {
        ...{ level: 'status', code: 'NetConnection.Connect.Success', description: 'Connected.', objectEncoding: 0 },
        fourCcList: [...VIDEO_FOUR_CC, ...AUDIO_FOUR_CC],
        videoFourCcInfoMap: Object.fromEntries(VIDEO_FOUR_CC.map((name) => [name, CAN_FORWARD])),
        audioFourCcInfoMap: Object.fromEntries(AUDIO_FOUR_CC.map((name) => [name, CAN_FORWARD])),
      },
    );
  }

  async #publish(streamKey: string): Promise<void> {
    if (this.#connected === null || this.#state !== 'connecting') throw new RtmpError('publish came out of order.');
    this.#state = 'asking';
    const refusal = await this.#handlers.onPublish({ ...this.#connected, streamKey });
    if (refusal) {
      // Before Publish.Start, after which encoders would connect again and again.
      this.#status('error', 'NetStream.Publish.Denied', refusal.description);
      this.#state = 'ended';
      return;
    }
    this.#connection.limits = this.#limits;
    this.#state = 'publishing';
    this.#control(MESSAGE.userControl, Buffer.concat([Buffer.alloc(2), unsigned32(STREAM_ID)]));
    this.#status('status', 'NetStream.Publish.Start', 'The stream has begun.');
  }

  #control(type: number, payload: Buffer): void {
    this.#connection.send(CONTROL_CHUNK_STREAM, { type, timestamp: 0, streamId: 0, payload });
  }

  #reply(id: number, properties: Amf0Value, information: Amf0Value): void {
    this.#connection.command(CHUNK_STREAM.commands, 0, '_result', id, properties, information);
  }

  #status(level: 'status' | 'error', code: string, description: string): void {
    const information = { level, code, description };
    this.#connection.command(CHUNK_STREAM.stream, STREAM_ID, 'onStatus', 0, null, information);
  }
}

/** The FLV tags of an aggregate message (RTMP 1.0 section 7.1.6): its timestamp is that of the first. */
function* partsOf(timestamp: number, payload: Buffer): Generator<{ type: number; timestamp: number; payload: Buffer }> {
  let first: number | null = null;
  for (let at = 0; at + 11 <= payload.length; ) {
    const type = payload.readUInt8(at);
    const length = payload.readUIntBE(at + 1, 3);
    const time = payload.readUIntBE(at + 4, 3) + payload.readUInt8(at + 7) * 2 ** 24;
    first ??= time;
    const body = payload.subarray(at + 11, at + 11 + length);
    if (body.length < length) throw new RtmpError('An aggregate message ends within a part.');
    if (type === MESSAGE.audio || type === MESSAGE.video)
      yield { type, timestamp: (((timestamp + time - first) % 2 ** 32) + 2 ** 32) % 2 ** 32, payload: body };
    at += 11 + length + 4; // and the size of the tag before
  }
}

function unsigned32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value, 0);
  return bytes;
}
