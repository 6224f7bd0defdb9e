import { AppError, StorageFullError } from '../../../kernel/errors.ts';
import type { SpaceReading } from '../../../platform/storage/storage-space.ts';

/** What the tables say about the room of the object store, over all accounts, in bytes. */
export interface SpaceUse {
  /** Promised to open uploads and not received yet. */
  readonly announcedBytes: number;
  /** Promised to fetches and to processing that run. */
  readonly workBytes: number;
  /** Stored, or promised to open uploads: sources, images, open uploads and what was made of videos. */
  readonly storedBytes: number;
}

/** Bytes that can still be promised; negative below the reserve, Infinity where nothing limits the store. Pure. */
export function availableBytes(space: SpaceReading | null, use: SpaceUse): number {
  if (space === null) return Number.POSITIVE_INFINITY;
  if (space.kind === 'bucket') return space.totalBytes - use.storedBytes - use.workBytes;
  return space.freeBytes - space.reserveBytes - use.announcedBytes - use.workBytes;
}

/**
 * Why there is no room for `sizeBytes` more; null when there is. What would not even fit into an empty store is INVALID_INPUT (413), for
 * waiting does not help; everything else StorageFullError (503). How much is free is not told to strangers. Pure.
 */
export function judgeSpace(space: SpaceReading | null, use: SpaceUse, sizeBytes: number, field: string): AppError | null {
  if (space === null || sizeBytes <= availableBytes(space, use)) return null;
  const most = space.totalBytes - (space.kind === 'disk' ? space.reserveBytes : 0);
  if (sizeBytes > most) {
    return new AppError('INVALID_INPUT', `This takes ${sizeBytes} bytes, which is more than this server can store at all.`, {
      field,
      suggestedFix: 'Send a smaller file, for example one with a lower bit rate. The operator of this server can add storage.',
      httpStatus: 413,
    });
  }
  return new StorageFullError(
    `There is no room for ${sizeBytes} bytes: what is free on this server is taken up by its reserve and by uploads and processing under way.`,
    {
      field,
      suggestedFix:
        'Try again later, when uploads under way have ended, or send a smaller file; uploads that are not needed are cancelled with DELETE. The operator of this server can add storage.',
    },
  );
}
