import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, StorageFullError } from '../../kernel/errors.ts';
import { t } from '../../kernel/languages/message.ts';
import type { StorageSpace } from '../../platform/storage/storage-space.ts';

const LOOK_MS = 2_000;

/**
 * Runs `work` with a signal that is aborted when less than half of the reserve is free on the disk: encoders write
 * beside PostgreSQL, and an unusual video may need more than was reserved.
 * @throws StorageFullError in that case; SERVICE_UNAVAILABLE when `work` wrongly reports a full disk; otherwise the
 *   error of `work`.
 */
export async function watchSpace<T>(
  space: StorageSpace,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const full = new AbortController();
  const ended = new AbortController();
  const watching = watch(space, full, ended.signal);
  try {
    return await work(AbortSignal.any([signal, full.signal]));
  } catch (error) {
    if (full.signal.aborted && !signal.aborted)
      throw new StorageFullError(t`There is not enough disk space to convert the file.`, { cause: error });
    // Waiting for free space does not count as an attempt, so it has to be detected here too.
    if (error instanceof StorageFullError && (await hasFreeSpace(space)))
      throw new AppError('SERVICE_UNAVAILABLE', undefined, { cause: error });
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

async function hasFreeSpace(space: StorageSpace): Promise<boolean> {
  const reading = await space.read().catch(() => null);
  return reading?.kind === 'disk' && reading.freeBytes >= reading.reserveBytes;
}
