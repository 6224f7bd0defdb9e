import type { Platform } from '../../../platform/platform.ts';
import type { ReceivingStore } from '../../../platform/storage/receiving-store.ts';
import { claimObjectPurges, objectPurgeDone } from './object-purges.store.ts';

export interface SweepObjectsTools {
  readonly platform: Pick<Platform, 'clock' | 'db' | 'log' | 'store'>;
  readonly receiving: ReceivingStore;
}

const AT_ONCE = 20;
const UPLOADS = 'uploads/';

/**
 * Deletes from the object store what `object_purges` orders and is due, at most 20 orders. Any number of workers may sweep at the same time. Deleting
 * what is gone already succeeds, so an order that was half carried out when a worker was killed is simply carried out
 * again; one that fails is tried again later. Answers whether there may be more.
 */
export async function sweepObjects({ platform, receiving }: SweepObjectsTools): Promise<boolean> {
  const { clock, db, log, store } = platform;
  const orders = await claimObjectPurges(db, clock.now(), AT_ONCE);
  for (const { id, keyPrefix, attempts } of orders) {
    try {
      if (keyPrefix.endsWith('/')) await store.deletePrefix(keyPrefix);
      else {
        // An upload may not be complete yet: its pieces lie where they are received.
        if (keyPrefix.startsWith(UPLOADS)) await receiving.discard(keyPrefix);
        await store.delete(keyPrefix);
      }
      await objectPurgeDone(db, id);
    } catch (error) {
      log.warn({ error, keyPrefix, attempts }, 'objects could not be deleted, will be tried again');
    }
  }
  return orders.length === AT_ONCE;
}
