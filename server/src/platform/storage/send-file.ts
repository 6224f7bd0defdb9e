import { read } from 'node:fs';
import type { Writable } from 'node:stream';
import type { ByteRange } from './object-store.ts';

/** Bytes per read: larger ones cost less, but each slow client holds as much. */
const CHUNK_BYTES = 256 * 1024;
/** Buffers of finished responses, for the next ones. */
const MAX_FREE = 32;
const free: Buffer[] = [];

/**
 * Writes a part of an open file to `out` and ends it, one chunk at a time: the next is read into the same memory when
 * the previous has left, so `out` must not keep a chunk whose callback it has called; sockets and responses do not.
 * Destroys `out` when the file ends early or cannot be read. Resolves when `descriptor` is not used any more.
 */
export function sendFile(descriptor: number, { start, end }: ByteRange, out: Writable): Promise<void> {
  return new Promise((resolve) => {
    const buffer = free.pop() ?? Buffer.allocUnsafeSlow(CHUNK_BYTES);
    let position = start;
    let reading = false;
    let finished = false;
    const finish = (reusable: boolean) => {
      if (finished) return;
      finished = true;
      out.off('close', closed);
      if (reusable && free.length < MAX_FREE) free.push(buffer);
      resolve();
    };
    // The kernel may still read a buffer whose write did not complete.
    const closed = () => {
      if (!reading) finish(false);
    };
    const written = (error?: Error | null) => {
      if (error || out.destroyed) finish(false);
      else if (position > end) finish(true);
      else next();
    };
    const next = () => {
      reading = true;
      read(descriptor, buffer, 0, Math.min(buffer.length, end + 1 - position), position, (error, bytes) => {
        reading = false;
        if (error || bytes === 0) out.destroy();
        if (out.destroyed) return finish(false);
        position += bytes;
        const chunk = buffer.subarray(0, bytes);
        if (position > end) out.end(chunk, () => written());
        else out.write(chunk, written);
      });
    };
    out.on('close', closed);
    next();
  });
}
