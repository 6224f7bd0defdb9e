import { MESSAGE, type Message } from './messages.ts';
import { RtmpError } from './rtmp-error.ts';

export interface ChunkLimits {
  /** Of a message. */
  readonly messageBytes: number;
  /** Of chunk streams that a peer may use. */
  readonly chunkStreams: number;
}

/** Bytes of a chunk until the peer sets another number (RTMP 1.0 section 5.4.1). */
const FIRST_CHUNK_BYTES = 128;
/** Of a timestamp with 24 bits: it follows in 32 bits. */
const EXTENDED = 0xff_ffff;
/** Bytes of the message header by its type. */
const HEADER_BYTES = [11, 7, 3, 0] as const;

/** What is known of a chunk stream, which the next header may leave out. */
interface ChunkStream {
  timestamp: number;
  /** The timestamp or delta that the last header had; `isExtended` where it took 32 bits. */
  field: number;
  isExtended: boolean;
  /** What a header of type 3 adds. */
  delta: number;
  length: number;
  type: number;
  streamId: number;
  /** Of the message that arrives. */
  parts: Buffer[];
  arrived: number;
}

/**
 * Puts messages together from chunks, which may be interleaved (RTMP 1.0 section 5.3). Chunk sizes and aborted messages
 * are handled here. No more is kept than has arrived, whatever a header announces.
 */
export class ChunkReader {
  limits: ChunkLimits;
  readonly #streams = new Map<number, ChunkStream>();
  #chunkBytes = FIRST_CHUNK_BYTES;
  /** Of an incomplete header. */
  #waiting: Buffer = Buffer.alloc(0);
  #current: { readonly stream: ChunkStream; left: number } | null = null;

  constructor(limits: ChunkLimits) {
    this.limits = limits;
  }

  /**
   * The messages that these bytes complete. A new chunk size holds from the message on that sets it, so the caller
   * takes all of them.
   * @throws RtmpError
   */
  *read(bytes: Buffer): Generator<Message> {
    let rest = this.#waiting.length > 0 ? Buffer.concat([this.#waiting, bytes]) : bytes;
    this.#waiting = Buffer.alloc(0);
    while (rest.length > 0 || this.#current?.left === 0) {
      if (this.#current === null) {
        const header = this.#readHeader(rest);
        if (header === null) {
          this.#waiting = Buffer.from(rest); // not a view of a block that would stay in memory
          return;
        }
        this.#current = header.chunk;
        rest = rest.subarray(header.bytes);
      }
      const { stream, left } = this.#current;
      const part = rest.subarray(0, left);
      if (part.length > 0) stream.parts.push(part);
      stream.arrived += part.length;
      this.#current.left -= part.length;
      rest = rest.subarray(part.length);
      if (this.#current.left > 0) return;
      this.#current = null;
      if (stream.arrived < stream.length) continue;
      const message = take(stream);
      if (!this.#control(message)) yield message;
    }
  }

  /** Null while it is incomplete. */
  #readHeader(bytes: Buffer): { readonly bytes: number; readonly chunk: { stream: ChunkStream; left: number } } | null {
    const basic = basicHeader(bytes);
    if (basic === null) return null;
    const fieldBytes = HEADER_BYTES[basic.kind];
    const fields = bytes.subarray(basic.bytes, basic.bytes + fieldBytes);
    if (fields.length < fieldBytes) return null;
    const known = this.#streams.get(basic.id);
    const isNew = known === undefined || known.arrived === 0;
    // librtmp begins the stream of its first answer to a ping with type 1.
    if (known === undefined && basic.kind > 1) throw new RtmpError('A chunk stream begins without a message header.');
    if (known === undefined && this.#streams.size >= this.limits.chunkStreams)
      throw new RtmpError(`More than ${this.limits.chunkStreams} chunk streams are used.`);
    if (!isNew && basic.kind !== 3) throw new RtmpError('A message begins within another one of its chunk stream.');
    const given = basic.kind === 3 ? null : fields.readUIntBE(0, 3);
    const isExtended = given === null ? (known?.isExtended ?? false) : given === EXTENDED;
    const after = bytes.subarray(basic.bytes + fieldBytes);
    if (isExtended && after.length < 4) return null;
    const extended = isExtended ? after.readUInt32BE(0) : null;
    const stream = known ?? newStream();
    // Some encoders repeat the extended timestamp in chunks of type 3, others do not.
    const isRepeated = basic.kind !== 3 || extended === stream.field || extended === stream.timestamp;
    const headerBytes = basic.bytes + fieldBytes + (isExtended && isRepeated ? 4 : 0);
    if (isNew) begin(stream, basic.kind, fields, extended ?? given);
    if (stream.length > this.limits.messageBytes)
      throw new RtmpError(`A message has ${stream.length} bytes, ${this.limits.messageBytes} at most.`);
    stream.isExtended = isExtended;
    this.#streams.set(basic.id, stream);
    return {
      bytes: headerBytes,
      chunk: { stream, left: Math.min(this.#chunkBytes, stream.length - stream.arrived) },
    };
  }

  /** Whether a message is about chunks. */
  #control({ type, payload }: Message): boolean {
    if (type !== MESSAGE.setChunkSize && type !== MESSAGE.abort) return false;
    if (payload.length < 4) throw new RtmpError('A control message is too short.');
    const value = payload.readUInt32BE(0);
    if (type === MESSAGE.abort) {
      const stream = this.#streams.get(value);
      if (stream) [stream.parts, stream.arrived] = [[], 0];
      return true;
    }
    if (value < 1 || value > 0x7fff_ffff) throw new RtmpError(`Chunks cannot have ${value} bytes.`);
    this.#chunkBytes = value;
    return true;
  }
}

function basicHeader(
  bytes: Buffer,
): { readonly kind: 0 | 1 | 2 | 3; readonly id: number; readonly bytes: number } | null {
  const [first, second, third] = bytes;
  if (first === undefined) return null;
  const kind = (first >> 6) as 0 | 1 | 2 | 3;
  const id = first & 0x3f;
  if (id > 1) return { kind, id, bytes: 1 };
  if (second === undefined || (id === 1 && third === undefined)) return null;
  return id === 0 ? { kind, id: 64 + second, bytes: 2 } : { kind, id: 64 + second + 256 * (third ?? 0), bytes: 3 };
}

function newStream(): ChunkStream {
  return {
    ...{ timestamp: 0, field: 0, isExtended: false, delta: 0 },
    ...{ length: 0, type: 0, streamId: 0, parts: [], arrived: 0 },
  };
}

/** `time` is the timestamp of a header of type 0, the difference to that before of types 1 and 2. */
function begin(stream: ChunkStream, kind: 0 | 1 | 2 | 3, fields: Buffer, time: number | null): void {
  if (kind === 0) {
    stream.timestamp = time ?? 0;
    stream.streamId = fields.readUInt32LE(7);
    // By section 5.3.1.2.4 a header of type 3 would add the timestamp itself; librtmp means the same time by it.
    stream.delta = 0;
  } else {
    if (kind !== 3) stream.delta = time ?? 0;
    stream.timestamp = (stream.timestamp + stream.delta) % 2 ** 32;
  }
  if (kind !== 3) stream.field = time ?? 0;
  if (kind > 1) return;
  stream.length = fields.readUIntBE(3, 3);
  stream.type = fields.readUInt8(6);
}

function take(stream: ChunkStream): Message {
  const { timestamp, type, streamId, parts } = stream;
  [stream.parts, stream.arrived] = [[], 0];
  const [only] = parts;
  return { timestamp, type, streamId, payload: parts.length === 1 && only ? only : Buffer.concat(parts) };
}
