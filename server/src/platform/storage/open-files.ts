import { close, closeSync, fstatSync, open, read, type Stats } from 'node:fs';
import { promisify } from 'node:util';
import { WeightedCache } from '../weighted-cache.ts';
import type { ObjectInfo } from './object-store.ts';
import { diskError, isMissing } from './storage-errors.ts';

const KEPT_MS = 10_000;
/** Files up to this are kept as bytes, without a descriptor. */
const SMALL_BYTES = 64 * 1024;
/** What a file counts for beside its bytes; 256 descriptors at most are kept. */
const ENTRY_WEIGHT = 1024;
const DESCRIPTOR_WEIGHT = 64 * 1024;
const CAPACITY = 256 * DESCRIPTOR_WEIGHT;

export interface OpenFilesOptions {
  /** The object in a file. */
  readonly describe: (path: string, stats: Stats) => Promise<ObjectInfo>;
  /** How long a file is kept, counted from its opening; default 10 s. */
  readonly keptMs?: number;
}

/** A file that is open until its last user releases it. */
export interface OpenFile {
  readonly info: ObjectInfo;
  /** All bytes of a small file, whose descriptor is closed; null for others. */
  readonly bytes: Buffer | null;
  readonly descriptor: number;
  release(): void;
}

// On plain descriptors: handles of node:fs/promises cost as much as the system calls.
const openAt = promisify(open);
const readFrom = promisify(read);

interface Opening {
  readonly file: Promise<UsedFile | null>;
  users: number;
}

/**
 * Files that are read again and again, kept open for a few seconds, small ones in memory. `forget` makes a change known
 * at once; a change by another process is seen when the file is opened again. What was acquired before is the old file
 * to its end.
 */
export class OpenFiles {
  readonly #describe: OpenFilesOptions['describe'];
  readonly #keptMs: number;
  readonly #kept = new WeightedCache<UsedFile>(CAPACITY, (file) => file.drop());
  readonly #opening = new Map<string, Opening>();

  constructor({ describe, keptMs = KEPT_MS }: OpenFilesOptions) {
    this.#describe = describe;
    this.#keptMs = keptMs;
  }

  /** How many files are kept, and their weight. */
  get kept(): { readonly files: number; readonly weight: number } {
    return { files: this.#kept.size, weight: this.#kept.weight };
  }

  /** The file, which the caller releases; null when there is none. Throws SERVICE_UNAVAILABLE as the store does. */
  async acquire(path: string): Promise<OpenFile | null> {
    const kept = this.#kept.get(path);
    if (kept) {
      kept.users += 1;
      return kept;
    }
    const opening = this.#opening.get(path) ?? this.#open(path);
    opening.users += 1;
    return opening.file;
  }

  /** The file was replaced or deleted. */
  forget(path: string): void {
    this.#opening.delete(path);
    this.#kept.delete(path);
  }

  /** All files whose path starts with `prefix` were deleted. */
  forgetBelow(prefix: string): void {
    for (const path of [...this.#opening.keys(), ...this.#kept.keys()]) if (path.startsWith(prefix)) this.forget(path);
  }

  #open(path: string): Opening {
    const opening: Opening = {
      users: 0,
      file: openFile(path, this.#describe).then(
        (file) => {
          if (file) file.users = opening.users;
          if (this.#opening.get(path) === opening) {
            this.#opening.delete(path);
            if (file) this.#keep(path, file);
          }
          return file;
        },
        (error: unknown) => {
          if (this.#opening.get(path) === opening) this.#opening.delete(path);
          throw diskError(error);
        },
      ),
    };
    this.#opening.set(path, opening);
    return opening;
  }

  #keep(path: string, file: UsedFile): void {
    file.users += 1;
    file.timer = setTimeout(() => this.#kept.delete(path), this.#keptMs).unref();
    this.#kept.set(path, file, file.bytes ? file.bytes.length + ENTRY_WEIGHT : DESCRIPTOR_WEIGHT);
  }
}

class UsedFile implements OpenFile {
  readonly info: ObjectInfo;
  readonly bytes: Buffer | null;
  /** Those who acquired it, and the cache. */
  users = 0;
  timer: NodeJS.Timeout | undefined;
  readonly descriptor: number;

  constructor(info: ObjectInfo, bytes: Buffer | null, descriptor: number) {
    this.info = info;
    this.bytes = bytes;
    this.descriptor = descriptor;
  }

  /** The cache lets go of it. */
  drop(): void {
    clearTimeout(this.timer);
    this.release();
  }

  release(): void {
    this.users -= 1;
    if (this.users > 0 || this.bytes) return;
    // Nothing was written, so nothing is lost when this fails. The last one to close a deleted file waits for the disk.
    close(this.descriptor, () => {});
  }
}

async function openFile(path: string, describe: OpenFilesOptions['describe']): Promise<UsedFile | null> {
  const descriptor = await openAt(path, 'r').catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
  if (descriptor === null) return null;
  let keep = false;
  try {
    // What opening has read, so this does not wait for the disk.
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return null;
    const info = await describe(path, stats);
    keep = stats.size > SMALL_BYTES;
    return new UsedFile(info, keep ? null : await readSmall(descriptor, stats.size), descriptor);
  } finally {
    if (!keep) closeSync(descriptor);
  }
}

async function readSmall(descriptor: number, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(size);
  for (let at = 0; at < size; ) {
    const { bytesRead } = await readFrom(descriptor, bytes, at, size - at, at);
    if (bytesRead === 0) throw new Error('A stored file became shorter.');
    at += bytesRead;
  }
  return bytes;
}
