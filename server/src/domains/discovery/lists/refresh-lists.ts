import type { Platform } from '../../../platform/platform.ts';
import { type Repeated, repeat } from '../../../platform/repeat.ts';
import { forgetSomeLikes, noteSomeFaded, renewSomeFigures, renewSomeRenamed, renewTiers } from './refresh.store.ts';

const EVERY_MS = 120_000;

type Needs = Pick<Platform, 'db' | 'clock' | 'log'>;

/** Brings what lists and hits are found and sorted by up to date: names of channels, views, likes, trends and tiers of search. Repeating it changes nothing. */
export async function renewLists(needs: Pick<Needs, 'db' | 'clock'>): Promise<void> {
  while (await renewSome(needs));
}

/** Renews the lists every two minutes; any number of workers may keep a schedule. */
export function renewalSchedule(needs: Needs, everyMs: number = EVERY_MS): Repeated {
  return repeat(needs.log, 'lists cannot be renewed, will be tried again', everyMs, () => renewSome(needs));
}

/** New names and figures in pieces, what faded among the others, then the tiers; answers whether something is left. */
async function renewSome({ db, clock }: Pick<Needs, 'db' | 'clock'>): Promise<boolean> {
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  if (await renewSomeRenamed(db)) return true;
  if (await renewSomeFigures(db, day)) return true;
  if (await noteSomeFaded(db, day)) return true;
  // Here no sum of likes is needed any more for the days that faded.
  if (await forgetSomeLikes(db, day)) return true;
  await renewTiers(db);
  return false;
}
