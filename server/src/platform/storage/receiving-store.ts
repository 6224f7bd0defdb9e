import type { Readable } from 'node:stream';
import { asBuffer } from './bytes.ts';
import type { ByteComparison } from './checksums.ts';

export interface AppendOptions {
  /** Offset of the body; equals `receivedBytes`. */
  readonly offset: number;
  /**
   * Size of the whole object, or while that is not known a bound that stays the same until it is. No more bytes are
   * taken.
   */
  readonly sizeBytes: number;
  /** The checksum that the body must have: otherwise nothing of it is kept, nor if it is interrupted. */
  readonly comparison?: ByteComparison;
  /** Gets each chunk of a body that is not compared, and its offset, once all before it are stored. Must not throw. */
  readonly onBytes?: (bytes: Buffer, offset: number) => void;
}

/** A body does not have the checksum that its sender gave. */
export class ChecksumMismatchError extends Error {}

/** A part that a sender stores by itself. */
export interface SignedPart {
  /** From 1. */
  readonly number: number;
  readonly sizeBytes: number;
  /** PUT exactly these bytes there; the response has the ETag. */
  readonly url: string;
}

export interface WantedParts {
  /** From 1. */
  readonly numbers: readonly number[];
  /** Unix milliseconds: from when the addresses are valid, for `validSeconds`. */
  readonly nowMs: number;
  readonly validSeconds: number;
}

/** Objects whose parts senders store by themselves, without this process. */
export interface DirectReceiving {
  /** Size of every part but the last of an object of `sizeBytes`. */
  partBytes(sizeBytes: number): number;
  /**
   * Addresses of parts of this object, each for one part and its size. The first call discards what `append` received.
   */
  sign(key: string, sizeBytes: number, wanted: WantedParts): Promise<SignedPart[]>;
  /**
   * Creates the object from all its parts, given their ETags in order; idempotent. Nothing is created when it fails.
   * @throws AppError UPLOAD_FAILED when a part is missing, is another one, or has another size.
   */
  assemble(key: string, sizeBytes: number, etags: readonly string[]): Promise<void>;
}

/**
 * Objects that arrive in chunks. Bytes that `append` has acknowledged survive a crash of the process; `complete` turns
 * it into an ordinary object of the ObjectStore that was opened with it. The caller lets only one request at a time
 * work on a key. Every adapter passes the suite in `receiving-store.contract.ts`. A full disk is AppError
 * SERVICE_UNAVAILABLE.
 */
export interface ReceivingStore {
  /** Where senders can store parts by themselves. */
  readonly direct?: DirectReceiving;
  /** Bytes kept for `key`, also after `complete`; 0 when there are none. Parts of `direct` count once assembled. */
  receivedBytes(key: string): Promise<number>;
  /**
   * Appends the body and returns the bytes kept now. An interrupted body is not an error: its received bytes are kept
   * and counted, unless they are compared. Throws when the store itself fails; `receivedBytes` then returns what was
   * kept.
   * @throws ChecksumMismatchError where the comparison fails.
   */
  append(key: string, body: Readable, options: AppendOptions): Promise<number>;
  /**
   * Creates the object from exactly `sizeBytes` received bytes; idempotent. Throws a plain Error when bytes are
   * missing.
   */
  complete(key: string, sizeBytes: number): Promise<void>;
  /** Deletes received bytes that were not completed, and parts that were not assembled. */
  discard(key: string): Promise<void>;
  /**
   * Reads from the bytes kept for `key`, also after `complete`: at most `length` from `position`, none where there are
   * none. Missing in stores whose objects cannot be read before they are complete.
   */
  read?(key: string, position: number, length: number): Promise<Buffer>;
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
