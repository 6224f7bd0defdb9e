import type { Readable } from 'node:stream';
import { asBuffer } from './bytes.ts';

export interface AppendOptions {
  /** Where the body begins; equals what `receivedBytes` tells. */
  readonly offset: number;
  /** Size of the whole object. The body never exceeds what is missing. */
  readonly sizeBytes: number;
}

/**
 * Objects that arrive in chunks. What `append` has returned is kept through a crash of the process; `complete` turns it
 * into an ordinary object of the ObjectStore that was opened with it. The caller lets only one request at a time work
 * on a key. Every adapter passes the suite in `receiving-store.contract.ts`. A full disk is AppError
 * SERVICE_UNAVAILABLE.
 */
export interface ReceivingStore {
  /** Bytes kept for `key`, also after `complete`; 0 when there are none. */
  receivedBytes(key: string): Promise<number>;
  /**
   * Appends the body and returns the bytes kept now. A body that breaks off is no error: what arrived before is kept
   * and counted. Throws when the store itself fails; `receivedBytes` then tells what was kept.
   */
  append(key: string, body: Readable, options: AppendOptions): Promise<number>;
  /**
   * Makes the object out of exactly `sizeBytes` received bytes; does nothing when that has happened. Throws a plain
   * Error when bytes are missing.
   */
  complete(key: string, sizeBytes: number): Promise<void>;
  /** Forgets what was received but not completed. */
  discard(key: string): Promise<void>;
}

/**
 * The chunks of a body until it ends or breaks off, at most `limit` bytes. The body itself is left open: the caller
 * answers its sender.
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
    // The sender went away; it resumes at the offset it is told.
  }
}
