import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, StorageFullError } from '../../../kernel/errors.ts';
import type { StorageSpace } from '../../../platform/storage/storage-space.ts';

const LOOK_MS = 2_000;

/**
 * Runs `work` with a signal that is aborted when less than half of the reserve is free on the disk: encoders write beside PostgreSQL, and more than was
 * reserved for them if a film is unusual.
 * @throws StorageFullError when it came to that; SERVICE_UNAVAILABLE when `work` says that the disk is full and it is not; else what `work` throws.
 */
export async function watchSpace<T>(space: StorageSpace, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const full = new AbortController();
  const ended = new AbortController();
  const watching = watch(space, full, ended.signal);
  try {
    return await work(AbortSignal.any([signal, full.signal]));
  } catch (error) {
    if (full.signal.aborted && !signal.aborted)
      throw new StorageFullError('There is not enough disk space to convert the file.', { cause: error });
    // Waiting for room costs no attempt: what may wait has to be seen here too.
    if (error instanceof StorageFullError && (await hasRoom(space))) throw new AppError('SERVICE_UNAVAILABLE', undefined, { cause: error });
    throw error;
  } finally {
    ended.abort();
    await watching;
  }
}

async function watch(space: StorageSpace, full: AbortController, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    const reading = await space.read().catch(() => null);
    if (reading?.kind === 'disk' && reading.freeBytes < reading.reserveBytes / 2) return full.abort();
    await sleep(LOOK_MS, undefined, { signal: ended }).catch(() => {});
  }
}

async function hasRoom(space: StorageSpace): Promise<boolean> {
  const reading = await space.read().catch(() => null);
  return reading?.kind === 'disk' && reading.freeBytes >= reading.reserveBytes;
}
