import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { StorageFullError } from '../../kernel/errors.ts';
import { systemCode } from './storage-errors.ts';

/** The capacity of an object store in bytes, if known. */
export type SpaceReading =
  /** A file system: its free space now, and the part of it that uploads leave free (STORAGE_RESERVE). */
  | { readonly kind: 'disk'; readonly totalBytes: number; readonly freeBytes: number; readonly reserveBytes: number }
  /** A bucket with a capacity (STORAGE_CAPACITY); its usage is known only from the tables. */
  | { readonly kind: 'bucket'; readonly totalBytes: number };

/** The free space of the object store. Opened together with the store; see `openStorage`. */
export interface StorageSpace {
  /** Null for a store without a known limit. */
  read(): Promise<SpaceReading | null>;
  /** Bytes of an upload that are already in the store, including those of a request that is still being received. */
  receivedBytes(key: string): Promise<number>;
}

/** For stores without a known limit, and for tests that are about something else. */
export const UNLIMITED_SPACE: StorageSpace = { read: async () => null, receivedBytes: async () => 0 };

/** STORAGE_RESERVE: a share of the disk, or bytes. */
export type StorageReserve = { readonly share: number } | { readonly bytes: number };

const DEFAULT_SHARE = 0.05;
const DEFAULT_BYTES = 2 * 1024 ** 3;

/**
 * Bytes of a disk of `totalBytes` that stay free; without a setting 5 % of the disk or 2 GiB, whichever is more. Pure.
 */
export function reservedBytes(reserve: StorageReserve | undefined, totalBytes: number): number {
  if (reserve === undefined) return Math.max(Math.floor(DEFAULT_SHARE * totalBytes), DEFAULT_BYTES);
  return 'bytes' in reserve ? reserve.bytes : Math.floor(reserve.share * totalBytes);
}

/** Bytes that arrive between two checks of the disk. */
const LOOK_EVERY_BYTES = 32 * 1024 ** 2;

/** The file system below a folder. Blocks reserved for root do not count as free. */
export class DiskSpace {
  readonly #root: string;
  readonly #reserve: StorageReserve | undefined;

  constructor(root: string, reserve?: StorageReserve) {
    this.#root = resolve(root);
    this.#reserve = reserve;
  }

  async read(): Promise<SpaceReading & { kind: 'disk' }> {
    const { bsize, blocks, bavail } = await statfsOf(this.#root);
    const totalBytes = blocks * bsize;
    return {
      kind: 'disk',
      totalBytes,
      freeBytes: bavail * bsize,
      reserveBytes: reservedBytes(this.#reserve, totalBytes),
    };
  }

  /**
   * @throws StorageFullError when less than the reserve is free: the rest is left to PostgreSQL, so that sign-in and
   * reading keep working.
   */
  async requireFreeSpace(): Promise<void> {
    const { freeBytes, reserveBytes } = await this.read();
    if (freeBytes < reserveBytes) throw new StorageFullError();
  }

  /** The chunks of a body; throws StorageFullError once the disk is fuller than the reserve allows. */
  async *untilFull(body: AsyncIterable<unknown>): AsyncIterable<unknown> {
    let bytes = 0;
    for await (const chunk of body) {
      yield chunk;
      bytes += chunk instanceof Uint8Array ? chunk.length : 0;
      if (bytes < LOOK_EVERY_BYTES) continue;
      await this.requireFreeSpace();
      bytes = 0;
    }
  }
}

/** Of the nearest existing folder: the folder itself is created with the first object. */
async function statfsOf(folder: string): Promise<{ bsize: number; blocks: number; bavail: number }> {
  try {
    return await statfs(folder);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT' || dirname(folder) === folder) throw error;
    return statfsOf(dirname(folder));
  }
}
