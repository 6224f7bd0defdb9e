import type { Database } from '../../../platform/db/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import { lockOwnerOf } from '../../channels/index.ts';
import { requireSpace } from '../quota/reserve-space.ts';
import { derivedInUse, writeJobReservation } from '../quota/storage-space.store.ts';
import { judgeDerived } from './derived.policy.ts';

/**
 * Promises room for what an attempt is going to make of a video, before it begins: within what may be made of the videos of the channel's owner, and
 * within the room of the object store. Given back when the attempt ends.
 * @throws AppError TRANSCODE_FAILED above the owner's limit; StorageFullError when the store has no room at present.
 */
export async function reserveDerived(
  { db, clock, space }: { readonly db: Database } & Pick<Platform, 'clock' | 'space'>,
  { jobId, attempt, channelId }: { readonly jobId: string; readonly attempt: number; readonly channelId: string },
  bytes: number,
): Promise<void> {
  await db.transaction(async (tx) => {
    const owner = await lockOwnerOf(tx, channelId, clock.now());
    if (!owner) return;
    const refused = judgeDerived(owner.limits, await derivedInUse(tx, owner.accountId), bytes);
    if (refused) throw refused;
    await requireSpace(space, tx, bytes, 'id');
    await writeJobReservation(tx, jobId, attempt, bytes);
  });
}
