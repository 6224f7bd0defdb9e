import { AppError, StorageFullError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { SpaceReading } from '../../../platform/storage/storage-space.ts';

/** The usage of the object store according to the tables, over all accounts, in bytes. */
export interface SpaceUse {
  /** Reserved by open uploads and not received yet. */
  readonly announcedBytes: number;
  /** Reserved by running fetches and processing. */
  readonly workBytes: number;
  /** Stored, or reserved by open uploads: sources, images, open uploads and derived files. */
  readonly storedBytes: number;
}

/** Bytes that can still be reserved; negative below the reserve, Infinity for an unlimited store. Pure. */
export function availableBytes(space: SpaceReading | null, use: SpaceUse): number {
  if (space === null) return Number.POSITIVE_INFINITY;
  if (space.kind === 'bucket') return space.totalBytes - use.storedBytes - use.workBytes;
  return space.freeBytes - space.reserveBytes - use.announcedBytes - use.workBytes;
}

/**
 * The error when `sizeBytes` more do not fit; null when they do. A file larger than the empty store is INVALID_INPUT
 * (413), because waiting does not help; otherwise the error is StorageFullError (503). The amount of free space is not
 * disclosed. Pure.
 */
export function checkFreeSpace(
  space: SpaceReading | null,
  use: SpaceUse,
  sizeBytes: number,
  field: string,
): AppError | null {
  if (space === null || sizeBytes <= availableBytes(space, use)) return null;
  const most = space.totalBytes - (space.kind === 'disk' ? space.reserveBytes : 0);
  if (sizeBytes > most) {
    return new AppError('INVALID_INPUT', t`This needs ${sizeBytes} bytes, more than this server can store.`, {
      field,
      suggestedFix: t`Send a smaller file, for example one with a lower bit rate. The operator of this server can add
        storage.`,
      httpStatus: 413,
    });
  }
  return new StorageFullError(
    t`There is no space for ${sizeBytes} bytes: the free space of this server is reserved or used by uploads and
      processing in progress.`,
    {
      field,
      suggestedFix: t`Try again later, when uploads in progress have ended, or send a smaller file; cancel uploads that
        are not needed with DELETE. The operator of this server can add storage.`,
    },
  );
}
