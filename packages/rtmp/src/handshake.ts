import { randomBytes } from 'node:crypto';
import { RtmpError } from './rtmp-error.ts';

export const RTMP_VERSION = 3;
/** Of C1, C2, S1 and S2. */
export const HANDSHAKE_PART_BYTES = 1536;

/** The server's side of the handshake (RTMP 1.0 section 5.2), without the digests that Flash Player checked. */
export class Handshake {
  #arrived: Buffer = Buffer.alloc(0);
  #isAnswered = false;

  /**
   * Takes bytes until the handshake is complete. Returns what is to be sent, and what follows the handshake; null while
   * it is incomplete.
   * @throws RtmpError for another protocol or version.
   */
  push(bytes: Buffer): { readonly send: Buffer | null; readonly rest: Buffer | null } {
    const all = Buffer.concat([this.#arrived, bytes]);
    this.#arrived = all;
    if (all.length > 0 && all[0] !== RTMP_VERSION) throw new RtmpError('The handshake is not that of RTMP version 3.');
    const send =
      this.#isAnswered || all.length < 1 + HANDSHAKE_PART_BYTES
        ? null
        : answer(all.subarray(1, 1 + HANDSHAKE_PART_BYTES));
    if (send) this.#isAnswered = true;
    const bytesOfHandshake = 1 + 2 * HANDSHAKE_PART_BYTES;
    return { send, rest: all.length < bytesOfHandshake ? null : all.subarray(bytesOfHandshake) };
  }
}

/** S0, S1 and S2: a time of 0 and a version of 0, which says that there are no digests, and C1 as it came. */
function answer(c1: Buffer): Buffer {
  return Buffer.concat([Buffer.from([RTMP_VERSION]), Buffer.alloc(8), randomBytes(HANDSHAKE_PART_BYTES - 8), c1]);
}
