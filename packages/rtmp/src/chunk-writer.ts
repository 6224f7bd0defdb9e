import { MESSAGE, type Message } from './messages.ts';

/** Bytes of a chunk, once it was announced by a message (RTMP 1.0 section 5.4.1). */
export const WRITTEN_CHUNK_BYTES = 4096;
const FIRST_CHUNK_BYTES = 128;
const EXTENDED = 0xff_ffff;

/** Cuts messages into chunks, each message with a whole header (RTMP 1.0 section 5.3.1). */
export class ChunkWriter {
  #chunkBytes = FIRST_CHUNK_BYTES;

  /** `chunkStream` is 2 for control messages, 3 to 63 for others. */
  write(chunkStream: number, { type, timestamp, streamId, payload }: Message): Buffer {
    const isExtended = timestamp >= EXTENDED;
    const header = Buffer.alloc(isExtended ? 16 : 12);
    header.writeUInt8(chunkStream, 0);
    header.writeUIntBE(isExtended ? EXTENDED : timestamp, 1, 3);
    header.writeUIntBE(payload.length, 4, 3);
    header.writeUInt8(type, 7);
    header.writeUInt32LE(streamId, 8);
    if (isExtended) header.writeUInt32BE(timestamp, 12);
    const between = Buffer.concat([Buffer.from([0xc0 | chunkStream]), header.subarray(12)]);
    const parts: Buffer[] = [header];
    for (let at = 0; at < payload.length; at += this.#chunkBytes) {
      if (at > 0) parts.push(between);
      parts.push(payload.subarray(at, at + this.#chunkBytes));
    }
    if (type === MESSAGE.setChunkSize) this.#chunkBytes = payload.readUInt32BE(0);
    return Buffer.concat(parts);
  }
}
