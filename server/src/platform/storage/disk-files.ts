import { type FileHandle, mkdir, open, rename, rm, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { asBuffer } from './bytes.ts';

/** Only the platform reads objects, whatever the umask of its process is. */
const FOLDER_MODE = 0o700;
export const FILE_MODE = 0o600;

/** What gets the bytes of a file while they are written. */
export interface ByteSink {
  add(bytes: Uint8Array): void;
}

/** Creates a folder of the store, with missing parents. */
export async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: FOLDER_MODE });
}

/**
 * Writes a body to a new file and flushes it to the disk; removes the file when anything fails. `sum` gets its bytes.
 */
export async function writeDurably(path: string, body: Buffer | AsyncIterable<unknown>, sum?: ByteSink): Promise<void> {
  await inFolder(path, async () => {
    const file = await open(path, 'wx', FILE_MODE);
    try {
      await writeAll(file, body, 0, sum);
      await file.sync();
    } finally {
      await file.close();
    }
  }).catch(async (error: unknown) => {
    await rm(path, { force: true });
    throw error;
  });
}

/** Moves a flushed file to its place, durably: after a power cut there is the old file or the new one. */
export async function moveInto(from: string, to: string): Promise<void> {
  await inFolder(to, () => rename(from, to));
  await flushFolder(dirname(to));
}

/** After a power cut, the files of the folder are those that it has now. */
export async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Bytes that are written until they are flushed, while the next ones are written: flushing at the end is short. */
const FLUSHED_BYTES = 32 * 1024 ** 2;

/** Writes chunks one after the other from `position`; returns the position after the last. `sum` gets the bytes. */
export async function writeAll(
  file: FileHandle,
  body: Buffer | AsyncIterable<unknown>,
  position: number,
  sum?: ByteSink,
): Promise<number> {
  let at = position;
  let flushedTo = position;
  let flushing: Promise<unknown> = Promise.resolve();
  try {
    for await (const chunk of Buffer.isBuffer(body) ? [body] : body) {
      const bytes = asBuffer(chunk);
      sum?.add(bytes);
      let written = 0;
      while (written < bytes.length) {
        const { bytesWritten } = await file.write(bytes, written, bytes.length - written, at + written);
        written += bytesWritten;
      }
      at += bytes.length;
      if (at - flushedTo < FLUSHED_BYTES) continue;
      await flushing;
      flushedTo = at;
      flushing = file.datasync();
      flushing.catch(() => {}); // awaited below
    }
  } finally {
    // The caller closes the file.
    await flushing;
  }
  return at;
}

/** Runs `work` with the folder of `path` in place; a folder removed in between is created again. */
async function inFolder<T>(path: string, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    await makeFolder(dirname(path));
    try {
      return await work();
    } catch (error) {
      const vanished = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      if (!vanished || attempt === 3) throw error;
    }
  }
}

/** Removes folders that have become empty, from `path` upwards, below `root`. */
export async function removeEmptyFolders(path: string, root: string): Promise<void> {
  for (let folder = path; folder.startsWith(`${root}/`); folder = dirname(folder)) {
    try {
      await rmdir(folder);
    } catch {
      return;
    }
  }
}
