import { type Amf0Value, writeAmf0 } from './amf0.ts';
import { type ChunkLimits, ChunkReader } from './chunk-reader.ts';
import { ChunkWriter } from './chunk-writer.ts';
import { MESSAGE, type Message } from './messages.ts';

/** Control messages are in a chunk stream of their own (RTMP 1.0 section 5.4). */
export const CONTROL_CHUNK_STREAM = 2;

/** Bytes after which the peer wants an acknowledgement. */
interface WindowBytes {
  /** Until it says another number. */
  readonly initial: number;
  /** Of what it says: with a smaller window we would write more than we read. */
  readonly least: number;
}

/** What both sides of a connection do after the handshake: chunks, and acknowledgements (RTMP 1.0 section 5.4). */
export class Connection {
  readonly #send: (bytes: Buffer) => void;
  readonly #reader: ChunkReader;
  readonly #writer = new ChunkWriter();
  readonly #leastWindowBytes: number;
  #windowBytes: number;
  #arrivedBytes = 0;
  #acknowledgedBytes = 0;

  constructor(send: (bytes: Buffer) => void, limits: ChunkLimits, { initial, least }: WindowBytes) {
    this.#send = send;
    this.#reader = new ChunkReader(limits);
    [this.#windowBytes, this.#leastWindowBytes] = [initial, least];
  }

  /** Of what arrives from now on. */
  set limits(limits: ChunkLimits) {
    this.#reader.limits = limits;
  }

  /** The messages that these bytes complete. @throws RtmpError */
  *read(bytes: Buffer): Generator<Message> {
    this.#acknowledge(bytes.length);
    for (const message of this.#reader.read(bytes)) {
      const { type, payload } = message;
      if (type === MESSAGE.windowSize && payload.length >= 4)
        this.#windowBytes = Math.max(this.#leastWindowBytes, payload.readUInt32BE(0));
      else yield message;
    }
  }

  send(chunkStream: number, message: Message): void {
    this.#send(this.#writer.write(chunkStream, message));
  }

  /** A control message of one number. */
  control(type: number, value: number): void {
    const payload = Buffer.alloc(4);
    payload.writeUInt32BE(value);
    this.send(CONTROL_CHUNK_STREAM, { type, timestamp: 0, streamId: 0, payload });
  }

  command(chunkStream: number, streamId: number, ...values: readonly Amf0Value[]): void {
    const payload = writeAmf0(...values);
    this.send(chunkStream, { type: MESSAGE.commandAmf0, timestamp: 0, streamId, payload });
  }

  #acknowledge(bytes: number): void {
    this.#arrivedBytes += bytes;
    if (this.#arrivedBytes - this.#acknowledgedBytes < this.#windowBytes) return;
    this.#acknowledgedBytes = this.#arrivedBytes;
    this.control(MESSAGE.acknowledgement, this.#arrivedBytes % 2 ** 32);
  }
}
