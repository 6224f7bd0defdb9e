import { type FileHandle, open, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { asBuffer } from './bytes.ts';
import { Checksum, checksumOfFile, forgetChecksum, readChecksum, writeChecksum } from './checksums.ts';
import { FILE_MODE, flushFolder, makeFolder, moveInto, writeAll, writeDurably } from './disk-files.ts';
import { checkKey } from './object-keys.ts';
import { type AppendOptions, ChecksumMismatchError, type ReceivingStore, untilBroken } from './receiving-store.ts';
import { diskError, isMissing } from './storage-errors.ts';
import type { DiskSpace } from './storage-space.ts';

/** Folder of files that are being received, beside the objects; no key contains a comma. */
export const RECEIVING = ',receiving';

/**
 * Growing files in the folder of a DiskStore, renamed to their place when complete. The length of the file is the
 * number of received bytes. While a body with a checksum is being added, it is the length before that, which a file
 * beside it has.
 */
export class DiskReceivingStore implements ReceivingStore {
  readonly #root: string;
  readonly #space: DiskSpace | null;

  /** With `space`, `append` stops where the disk's reserve begins. */
  constructor(root: string, space: DiskSpace | null = null) {
    this.#root = resolve(root);
    this.#space = space;
  }

  async receivedBytes(key: string): Promise<number> {
    const growing = this.#growing(key);
    return (await readVerifiedLength(growing)) ?? (await sizeOf(growing)) ?? (await sizeOf(this.#final(key))) ?? 0;
  }

  async append(key: string, body: Readable, options: AppendOptions): Promise<number> {
    const { offset, sizeBytes, comparison, onBytes } = options;
    const path = this.#growing(key);
    const chunks = untilBroken(body, sizeBytes - offset);
    try {
      // Before opening the file, so that the bytes of earlier requests are kept when this one cannot start.
      await this.#space?.requireFreeSpace();
      await makeFolder(dirname(path));
      if (offset === 0) await forgetChecksum(path);
      const isInterrupted = (await readVerifiedLength(path)) !== null;
      if (comparison) await writeVerifiedLength(path, offset);
      const file = await open(path, offset === 0 ? 'w' : 'r+', FILE_MODE);
      try {
        if (isInterrupted) await file.truncate(offset);
        if (isInterrupted && !comparison) {
          await file.datasync();
          await forgetVerifiedLength(path);
        }
        const sum = new Checksum(await checksumUntil(path, offset));
        let at = offset;
        const end = await writeAll(file, this.#space ? this.#space.untilFull(chunks) : chunks, offset, {
          add(bytes) {
            if (!comparison) onBytes?.(asBuffer(bytes), at);
            at += bytes.length;
            sum.add(bytes);
            comparison?.add(bytes);
          },
        });
        if (comparison && !comparison.isSame()) throw new ChecksumMismatchError();
        // Acknowledged bytes survive a power cut, not only a restart.
        await file.datasync();
        await writeChecksum(path, { crc32: sum.value, sizeBytes: end });
        if (comparison) await forgetVerifiedLength(path);
        return end;
      } catch (error) {
        await this.#takeBack(file, path, offset);
        if (comparison) await forgetVerifiedLength(path);
        throw error;
      } finally {
        await file.close();
      }
    } catch (error) {
      throw diskError(error);
    }
  }

  /** Bytes of a failed write that were not acknowledged are removed at once, because others may need the space. */
  async #takeBack(file: FileHandle, path: string, offset: number): Promise<void> {
    if (offset === 0) await rm(path, { force: true });
    else {
      await file.truncate(offset);
      await file.datasync();
    }
  }

  async complete(key: string, sizeBytes: number): Promise<void> {
    const received = await this.receivedBytes(key);
    if (received !== sizeBytes) throw new Error(`Received ${received} of ${sizeBytes} bytes of ${key}.`);
    const [growing, final] = [this.#growing(key), this.#final(key)];
    if ((await sizeOf(growing)) === null) return;
    try {
      const crc32 = await checksumUntil(growing, sizeBytes);
      await moveInto(growing, final);
      await writeChecksum(final, { crc32, sizeBytes });
      await forgetChecksum(growing);
      await rm(growing + VERIFIED, { force: true });
    } catch (error) {
      if (!isMissing(error)) throw diskError(error);
    }
  }

  async discard(key: string): Promise<void> {
    const growing = this.#growing(key);
    await rm(growing, { force: true });
    await forgetChecksum(growing);
    await rm(growing + VERIFIED, { force: true });
  }

  async read(key: string, position: number, length: number): Promise<Buffer> {
    for (const path of [this.#growing(key), this.#final(key)]) {
      const bytes = await readAt(path, position, length);
      if (bytes) return bytes;
    }
    return Buffer.alloc(0);
  }

  /** Beside the objects, so that the last step is a rename. */
  #growing(key: string): string {
    checkKey(key);
    return join(this.#root, RECEIVING, key);
  }

  #final(key: string): string {
    return join(this.#root, key);
  }
}

/** The checksum of the first bytes of a file; what came after the last one was stored is read. */
async function checksumUntil(path: string, sizeBytes: number): Promise<number> {
  const stored = sizeBytes > 0 ? await readChecksum(path) : null;
  const { crc32, sizeBytes: known } = stored && stored.sizeBytes <= sizeBytes ? stored : { crc32: 0, sizeBytes: 0 };
  return known === sizeBytes ? crc32 : checksumOfFile(path, { start: known, end: sizeBytes - 1 }, crc32);
}

/** `<name>,verified` beside a file has its length without the body with a checksum that is being added. */
const VERIFIED = ',verified';

async function readVerifiedLength(path: string): Promise<number | null> {
  const text = await readFile(path + VERIFIED, 'latin1').catch((error: unknown) => {
    if (isMissing(error)) return '';
    throw diskError(error);
  });
  // A mark that was not written whole is older than the first byte of its body.
  return /^\d+\n$/.test(text) ? Number(text) : null;
}

/** Bytes of the file after these do not count, also after a power cut. */
async function writeVerifiedLength(path: string, bytes: number): Promise<void> {
  if ((await readVerifiedLength(path)) === bytes) return;
  if (bytes === 0) await rm(path, { force: true });
  await rm(path + VERIFIED, { force: true });
  await writeDurably(path + VERIFIED, Buffer.from(`${bytes}\n`));
  await flushFolder(dirname(path));
}

/** All bytes of the file count again. */
async function forgetVerifiedLength(path: string): Promise<void> {
  await rm(path + VERIFIED, { force: true });
  await flushFolder(dirname(path));
}

/** Null where there is no such file. */
async function readAt(path: string, position: number, length: number): Promise<Buffer | null> {
  try {
    const file = await open(path, 'r');
    try {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, position);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isMissing(error)) return null;
    throw diskError(error);
  }
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    const stats = await stat(path);
    return stats.isFile() ? stats.size : null;
  } catch (error) {
    if (isMissing(error)) return null;
    throw diskError(error);
  }
}
