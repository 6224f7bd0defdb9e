import type { Platform } from '../../../platform/platform.ts';
import { type Repeated, repeat } from '../../../platform/repeat.ts';
import { forgetSomeLikes, noteSomeFaded, refreshRenamed, refreshStats, refreshTiers } from './refresh.store.ts';

const EVERY_MS = 120_000;

type Needs = Pick<Platform, 'db' | 'clock' | 'log'>;

/**
 * Refreshes the values that lists and search are sorted by: channel names, views, likes, trends and search tiers.
 * Idempotent.
 */
export async function refreshLists(needs: Pick<Needs, 'db' | 'clock'>): Promise<void> {
  while (await refreshSome(needs));
}

/** Refreshes the lists every two minutes; any number of workers may run it. */
export function refreshSchedule(needs: Needs, everyMs: number = EVERY_MS): Repeated {
  return repeat(needs.log, 'lists could not be refreshed, will be retried', everyMs, () => refreshSome(needs));
}

/**
 * Renamed channels and changed statistics in batches, including decayed trends, then the tiers; returns whether there
 * may be more.
 */
async function refreshSome({ db, clock }: Pick<Needs, 'db' | 'clock'>): Promise<boolean> {
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  if (await refreshRenamed(db)) return true;
  if (await refreshStats(db, day)) return true;
  if (await noteSomeFaded(db, day)) return true;
  // The like sums of decayed days are no longer needed.
  if (await forgetSomeLikes(db, day)) return true;
  await refreshTiers(db);
  return false;
}
