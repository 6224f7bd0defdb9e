import type { Database } from '../../../platform/db/database.ts';
import type { StorageSpace } from '../../../platform/storage/storage-space.ts';
import { requireSpace } from '../../assets/index.ts';
import { type Ingestion, lockIngestion, renewReservation } from './ingestions.store.ts';

/**
 * Reserves space for the missing bytes of a resumed upload, unless it still has its reservation: an upload without
 * progress for an hour loses it.
 * @throws StorageFullError when the space is now reserved by others.
 */
export async function requirePromise(
  { db, space }: { readonly db: Database; readonly space: StorageSpace },
  { id, promised }: Pick<Ingestion, 'id' | 'promised'>,
): Promise<void> {
  if (promised) return;
  await db.transaction(async (tx) => {
    const upload = await lockIngestion(tx, id);
    if (upload?.state !== 'OPEN' || upload.promised) return;
    await requireSpace(space, tx, upload.reservedBytes - upload.receivedBytes, 'Upload-Length');
    await renewReservation(tx, id);
  });
}
