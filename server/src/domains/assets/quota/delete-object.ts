import type { Platform } from '../../../platform/platform.ts';
import { mayDelete, orderObjectPurge } from './object-purges.store.ts';

/** Deletes an object that no row names any longer: at once, or when deletions are no longer held off. */
export async function deleteObject(
  { db, store, clock }: Pick<Platform, 'db' | 'store' | 'clock'>,
  key: string,
): Promise<void> {
  if (await mayDelete(db)) await store.delete(key);
  else await orderObjectPurge(db, key, clock.now());
}
