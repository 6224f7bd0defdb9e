import type { Readable } from 'node:stream';
import { asBuffer } from './bytes.ts';

export interface AppendOptions {
  /** Offset of the body; equals `receivedBytes`. */
  readonly offset: number;
  /** Size of the whole object. The body never exceeds what is missing. */
  readonly sizeBytes: number;
}

/**
 * Objects that arrive in chunks. Bytes that `append` has acknowledged survive a crash of the process; `complete` turns
 * it into an ordinary object of the ObjectStore that was opened with it. The caller lets only one request at a time
 * work on a key. Every adapter passes the suite in `receiving-store.contract.ts`. A full disk is AppError
 * SERVICE_UNAVAILABLE.
 */
export interface ReceivingStore {
  /** Bytes kept for `key`, also after `complete`; 0 when there are none. */
  receivedBytes(key: string): Promise<number>;
  /**
   * Appends the body and returns the bytes kept now. An interrupted body is not an error: its received bytes are kept
   * and counted. Throws when the store itself fails; `receivedBytes` then returns what was kept.
   */
  append(key: string, body: Readable, options: AppendOptions): Promise<number>;
  /**
   * Creates the object from exactly `sizeBytes` received bytes; idempotent. Throws a plain Error when bytes are
   * missing.
   */
  complete(key: string, sizeBytes: number): Promise<void>;
  /** Deletes received bytes that were not completed. */
  discard(key: string): Promise<void>;
}

/**
 * The chunks of a body until it ends or is interrupted, at most `limit` bytes. The body stays open: the caller responds
 * to its sender.
 */
export async function* untilBroken(body: Readable, limit: number): AsyncIterable<Buffer> {
  let left = limit;
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      const bytes = asBuffer(chunk);
      yield bytes.length > left ? bytes.subarray(0, left) : bytes;
      left -= Math.min(left, bytes.length);
      if (left === 0) return;
    }
  } catch {
    // The sender disconnected; it asks for the offset before it resumes.
  }
}
