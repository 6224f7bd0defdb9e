import { AppError } from '../../../kernel/errors.ts';
import { phrase, t } from '../../../kernel/languages/message.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { StorageSpace } from '../../../platform/storage/storage-space.ts';
import { checkStorageQuota, remainingBytes, requireSpace, type UploadedMedia } from '../../assets/index.ts';
import { lockOwnerOf, type OwnerAccount } from '../../channels/index.ts';
import { endedError } from './find-upload.ts';
import { type Ingestion, lockIngestion, writeReservedBytes, writeSize } from './ingestions.store.ts';
import { fileTooLarge, readUploadSize, uploadLimit } from './upload-input.ts';

/** What an upload of unknown size reserves at a time. */
export const STEP_BYTES = 64 * 1024 ** 2;

const FIELD = 'Upload-Length';

export interface DeferredSizeTools {
  readonly db: Database;
  readonly clock: Clock;
  readonly space: StorageSpace;
}

/**
 * What an upload of unknown size reserves next, beyond `reservedBytes`: a step, or what plan and quota leave. Pure.
 * @throws AppError INVALID_INPUT (413) with `field` when they leave nothing.
 */
export function nextStep(
  owner: Pick<OwnerAccount, 'limits' | 'storedBytes'>,
  { kind, reservedBytes }: { readonly kind: UploadedMedia['kind']; readonly reservedBytes: number },
  field: string,
): number {
  const limit = uploadLimit({ kind }, owner.limits, true);
  if (reservedBytes >= limit.bytes) throw fileTooLarge(phrase`more than ${reservedBytes}`, limit, field);
  const full = checkStorageQuota(without(owner, reservedBytes), reservedBytes + 1, field, { atLeast: true });
  if (full) throw full;
  return Math.min(STEP_BYTES, limit.bytes - reservedBytes, remainingBytes(owner));
}

/**
 * Reserves another step for an upload whose size is not known; returns what is reserved in all.
 * @throws AppError INVALID_INPUT (413) when plan, quota or store take no more; StorageFullError when there is no space
 *   now.
 */
export async function reserveStep({ db, clock, space }: DeferredSizeTools, upload: Ingestion): Promise<number> {
  return db.transaction(async (tx) => {
    const owner = await lockOwnerOf(tx, upload.channelId, clock.now());
    const current = await lockIngestion(tx, upload.id);
    if (!owner || current?.state !== 'OPEN') throw endedError(current ?? upload);
    const reserved =
      current.reservedBytes + nextStep(owner, { kind: current.mediaKind, reservedBytes: current.reservedBytes }, FIELD);
    await requireSpace(space, tx, reserved - promisedBytes(current), FIELD);
    await writeReservedBytes(tx, upload.id, reserved);
    return reserved;
  });
}

/** The size of a file that was opened without one. */
export interface DeclaredSize {
  readonly sizeBytes: number;
  /** What has arrived and is kept. */
  readonly receivedBytes: number;
  /** The header it comes from. */
  readonly field: string;
}

/**
 * Fixes the size of an upload that was opened without one; what was reserved beyond it is free again. The same size
 * again changes nothing. The caller works on the upload alone.
 * @throws AppError INVALID_INPUT for another size than the one it has, for less than has arrived, and (413) for more
 *   than plan, quota or store take; StorageFullError when there is no space now.
 */
export async function declareSize(
  { db, clock, space }: DeferredSizeTools,
  upload: Ingestion,
  { sizeBytes, receivedBytes, field }: DeclaredSize,
): Promise<void> {
  await db.transaction(async (tx) => {
    const owner = await lockOwnerOf(tx, upload.channelId, clock.now());
    const current = await lockIngestion(tx, upload.id);
    if (!owner || current?.state !== 'OPEN') throw endedError(current ?? upload);
    checkDeclaredSize(current, { sizeBytes, receivedBytes, field });
    if (current.sizeBytes !== null) return;
    readUploadSize(sizeBytes, uploadLimit({ kind: current.mediaKind }, owner.limits, true), field);
    const full = checkStorageQuota(without(owner, current.reservedBytes), sizeBytes, field, { atLeast: true });
    // What was reserved is kept on a smaller plan, too, as it is for known sizes.
    if (full && sizeBytes > current.reservedBytes) throw full;
    const missing = sizeBytes - (current.promised ? current.reservedBytes : receivedBytes);
    if (missing > 0) await requireSpace(space, tx, missing, field);
    await writeSize(tx, upload.id, sizeBytes, receivedBytes);
  });
}

/**
 * Throws unless an upload can have this size: tus 1.0.0, "Upload-Defer-Length": once it is set it does not change.
 * Pure.
 */
export function checkDeclaredSize(
  { sizeBytes: known }: Pick<Ingestion, 'sizeBytes'>,
  { sizeBytes, receivedBytes, field }: DeclaredSize,
): void {
  if (known !== null && known !== sizeBytes)
    throw new AppError('INVALID_INPUT', t`The size of this upload is ${known} bytes and cannot change.`, {
      field,
      suggestedFix: t`Leave the header out, or open a new upload for another file.`,
    });
  if (sizeBytes < receivedBytes)
    throw new AppError('INVALID_INPUT', t`${receivedBytes} bytes have arrived, more than this size of ${sizeBytes}.`, {
      field,
      suggestedFix: t`Send the size of the whole file, which includes what has arrived.`,
    });
}

function promisedBytes({ promised, reservedBytes, receivedBytes }: Ingestion): number {
  return promised ? reservedBytes : receivedBytes;
}

/** The owner as if an upload had reserved nothing. */
function without<Owner extends { readonly storedBytes: number }>(owner: Owner, reservedBytes: number): Owner {
  return { ...owner, storedBytes: owner.storedBytes - reservedBytes };
}
