import type { Database } from '../../../platform/db/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import { checkDerivedQuota, derivedInUse, requireSpace, writeJobReservation } from '../../assets/index.ts';
import { lockOwnerOf } from '../../channels/index.ts';

/**
 * Reserves space for the derived files of an attempt before it begins, within the owner's quota and the free space of
 * the object store. Released when the attempt ends.
 * @throws AppError TRANSCODE_FAILED above the owner's quota; StorageFullError when the store has no free space.
 */
export async function reserveDerived(
  { db, clock, space }: { readonly db: Database } & Pick<Platform, 'clock' | 'space'>,
  { jobId, attempt, channelId }: { readonly jobId: string; readonly attempt: number; readonly channelId: string },
  bytes: number,
): Promise<void> {
  await db.transaction(async (tx) => {
    const owner = await lockOwnerOf(tx, channelId, clock.now());
    if (!owner) return;
    const refused = checkDerivedQuota(owner.limits, await derivedInUse(tx, owner.accountId), bytes);
    if (refused) throw refused;
    await requireSpace(space, tx, bytes, 'id');
    await writeJobReservation(tx, jobId, attempt, bytes);
  });
}
