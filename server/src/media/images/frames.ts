import type { Readable } from 'node:stream';
import { ImageError } from './image-error.ts';

/**
 * Kinds of frames the decoder sends: one byte, then the length of what follows in four (big endian). The other end is
 * decoder-program.mjs.
 */
export const FRAME = { READY: 1, FACTS: 2, OUTPUT: 3, FAILURE: 4 } as const;

const HEADER_BYTES = 5;
const MAX_FAILURE_BYTES = 1024;

/** Reads the output of a decoder, which may be compromised: only one expected frame at a time, up to its limit. */
export class FrameReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #arrived: Buffer[] = [];
  #arrivedBytes = 0;

  constructor(stream: Readable) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  /**
   * The payload of the next frame, which must have this kind and at most `maxBytes`; null when the stream ends before
   * it.
   * @throws ImageError `protocol` for anything else; `pixel-limit`, `timeout` or `damaged` for a failure that the
   *   decoder reports.
   */
  async next(kind: number, maxBytes: number): Promise<Buffer | null> {
    const header = await this.#take(HEADER_BYTES);
    if (!header) return null;
    const [found, length] = [header.readUInt8(0), header.readUInt32BE(1)];
    const isFailure = found === FRAME.FAILURE && kind !== FRAME.READY;
    if (found !== kind && !isFailure) throw new ImageError('protocol', `a frame of kind ${found} in place of ${kind}`);
    const limit = isFailure ? MAX_FAILURE_BYTES : maxBytes;
    if (length > limit) throw new ImageError('protocol', `a frame of ${length} bytes where ${limit} are the most`);
    const payload = await this.#take(length);
    if (payload && isFailure) throw reportedFailure(payload);
    return payload;
  }

  /**
   * Reads this many bytes, buffered as they arrive: announced bytes take no memory. Null when the stream ends before.
   */
  async #take(length: number): Promise<Buffer | null> {
    while (this.#arrivedBytes < length) {
      const { done, value } = await this.#chunks.next().catch(() => ({ done: true, value: undefined }) as const);
      if (done) return null;
      this.#arrived.push(value);
      this.#arrivedBytes += value.length;
    }
    const all = Buffer.concat(this.#arrived);
    this.#arrived = [all.subarray(length)];
    this.#arrivedBytes -= length;
    return all.subarray(0, length);
  }
}

/** The decoder's message: only for detecting known failures, and for the log. */
function reportedFailure(payload: Buffer): ImageError {
  const text = payload.toString('latin1').replace(/[^\x20-\x7e]/g, ' ');
  if (/pixel limit/i.test(text)) return new ImageError('pixel-limit', text);
  return new ImageError(/timeout/i.test(text) ? 'timeout' : 'damaged', text);
}
