import type { Platform } from '../../../platform/platform.ts';
import type { ReceivingStore } from '../../../platform/storage/receiving-store.ts';
import { claimObjectPurges, objectPurgeDone, SEGMENTS_START } from './object-purges.store.ts';

export interface SweepObjectsTools {
  readonly platform: Pick<Platform, 'clock' | 'db' | 'log' | 'store'>;
  readonly receiving: ReceivingStore;
}

const AT_ONCE = 20;
const UPLOADS = 'uploads/';

/**
 * Deletes objects from the object store that are due in `object_purges`, at most 20 entries. Any number of workers may
 * sweep at the same time. Deleting a missing object succeeds, so an interrupted entry is simply repeated; a failed one
 * is retried later. Returns whether there may be more.
 */
export async function sweepObjects({ platform, receiving }: SweepObjectsTools): Promise<boolean> {
  const { clock, db, log, store } = platform;
  const orders = await claimObjectPurges(db, clock.now(), AT_ONCE);
  for (const { id, keyPrefix, attempts } of orders) {
    try {
      if (keyPrefix.endsWith('/')) await store.deletePrefix(keyPrefix);
      else if (keyPrefix.endsWith(SEGMENTS_START)) await deleteSegments(store, keyPrefix);
      else {
        // An upload may be incomplete: its bytes are then in the receiving store.
        if (keyPrefix.startsWith(UPLOADS)) await receiving.discard(keyPrefix);
        await store.delete(keyPrefix);
      }
      await objectPurgeDone(db, id);
    } catch (error) {
      log.warn({ error, keyPrefix, attempts }, 'objects could not be deleted, will be retried');
    }
  }
  return orders.length === AT_ONCE;
}

async function deleteSegments(store: Pick<Platform['store'], 'list' | 'delete'>, start: string): Promise<void> {
  const keys: string[] = [];
  for await (const { key } of store.list(start.slice(0, start.lastIndexOf('/') + 1)))
    if (key.startsWith(start)) keys.push(key);
  for (const key of keys) await store.delete(key);
}
