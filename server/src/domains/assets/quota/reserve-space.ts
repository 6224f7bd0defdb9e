import { StorageFullError } from '../../../kernel/errors.ts';
import type { Database, Executor, Transaction } from '../../../platform/db/database.ts';
import type { SpaceReading, StorageSpace } from '../../../platform/storage/storage-space.ts';
import { availableBytes, checkFreeSpace, type SpaceUse } from './storage-space.policy.ts';
import {
  lockStorageSpace,
  openUploadBytes,
  storedAndPromisedBytes,
  writeJobReservation,
} from './storage-space.store.ts';

/**
 * Ensures that `sizeBytes` more fit into the object store beside all other reservations, in the transaction that writes
 * the reservation (the row of an upload or a job): other reservations wait until it ends.
 * @throws StorageFullError, or AppError INVALID_INPUT with `field` when it can never fit.
 */
export async function requireSpace(
  space: StorageSpace,
  tx: Transaction,
  sizeBytes: number,
  field: string,
): Promise<void> {
  const first = await space.read();
  if (first === null) return;
  await lockStorageSpace(tx);
  // Measure again: the previous holder of the lock may have filled the disk.
  const now = await space.read();
  const refused = checkFreeSpace(now, await spaceUse(space, tx, now), sizeBytes, field);
  if (refused) throw refused;
}

/** @throws StorageFullError when nothing can be reserved now. */
export async function requireAnySpace(space: StorageSpace, db: Executor): Promise<void> {
  if ((await availableSpace(space, db)) <= 0) throw new StorageFullError();
}

/** Bytes that can be reserved now; negative below the reserve. */
export async function availableSpace(space: StorageSpace, db: Executor): Promise<number> {
  const reading = await space.read();
  return availableBytes(reading, await spaceUse(space, db, reading));
}

/** Reserves what a job may write; always released when the attempt ends. */
export interface JobSpace {
  readonly jobId: string;
  readonly attempt: number;
  readonly bytes: number;
}

/**
 * Reserves space for the attempt of a job.
 * @throws StorageFullError when there is no space now, AppError INVALID_INPUT when it can never fit.
 */
export async function reserveForJob(
  { db, space }: { readonly db: Database; readonly space: StorageSpace },
  { jobId, attempt, bytes }: JobSpace,
  field: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    await requireSpace(space, tx, bytes, field);
    await writeJobReservation(tx, jobId, attempt, bytes);
  });
}

/** The usage of the space; reads only what its kind needs. */
export async function spaceUse(space: StorageSpace, db: Executor, reading: SpaceReading | null): Promise<SpaceUse> {
  const none = { announcedBytes: 0, workBytes: 0, storedBytes: 0 };
  if (reading === null) return none;
  if (reading.kind === 'bucket') return { ...none, ...(await storedAndPromisedBytes(db)) };
  const { announcedBytes, workBytes, arriving } = await openUploadBytes(db);
  let unnoted = 0;
  for (const { key, noted } of arriving) unnoted += (await space.receivedBytes(key)) - noted;
  return { ...none, workBytes, announcedBytes: Math.max(0, announcedBytes - unnoted) };
}
