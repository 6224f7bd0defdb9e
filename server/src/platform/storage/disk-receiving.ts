import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { FILE_MODE, makeFolder, moveInto, writeAll } from './disk-files.ts';
import { checkKey } from './object-keys.ts';
import { type AppendOptions, type ReceivingStore, untilBroken } from './receiving-store.ts';
import { diskError, isMissing } from './storage-errors.ts';
import type { DiskSpace } from './storage-space.ts';

/**
 * Growing files in the folder of a DiskStore, renamed to their place when complete. The length of the file is the
 * number of received bytes.
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
    return (await sizeOf(this.#growing(key))) ?? (await sizeOf(this.#final(key))) ?? 0;
  }

  async append(key: string, body: Readable, { offset, sizeBytes }: AppendOptions): Promise<number> {
    const path = this.#growing(key);
    const chunks = untilBroken(body, sizeBytes - offset);
    try {
      // Before opening the file, so that the bytes of earlier requests are kept when this one cannot start.
      await this.#space?.requireFreeSpace();
      await makeFolder(dirname(path));
      const file = await open(path, offset === 0 ? 'w' : 'r+', FILE_MODE);
      try {
        const end = await writeAll(file, this.#space ? this.#space.untilFull(chunks) : chunks, offset);
        // Acknowledged bytes survive a power cut, not only a restart.
        await file.datasync();
        return end;
      } catch (error) {
        await this.#takeBack(file, path, offset);
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
    else await file.truncate(offset);
  }

  async complete(key: string, sizeBytes: number): Promise<void> {
    const received = await this.receivedBytes(key);
    if (received !== sizeBytes) throw new Error(`Received ${received} of ${sizeBytes} bytes of ${key}.`);
    try {
      await moveInto(this.#growing(key), this.#final(key));
    } catch (error) {
      if (!isMissing(error)) throw diskError(error);
    }
  }

  async discard(key: string): Promise<void> {
    await rm(this.#growing(key), { force: true });
  }

  /** Beside the objects, so that the last step is a rename; no key contains a comma. */
  #growing(key: string): string {
    checkKey(key);
    return join(this.#root, ',receiving', key);
  }

  #final(key: string): string {
    return join(this.#root, key);
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
