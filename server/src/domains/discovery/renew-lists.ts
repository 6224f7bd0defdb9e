import type { Platform } from '../../platform/platform.ts';
import { type Repeated, repeat } from '../../platform/repeat.ts';
import { renewFigures, renewTrends } from './renewal.store.ts';

const EVERY_MS = 120_000;

type Needs = Pick<Platform, 'db' | 'clock' | 'log'>;

/** Brings what lists are sorted by up to date: views, likes and trends. Repeating it changes nothing. */
export async function renewLists({ db, clock }: Pick<Needs, 'db' | 'clock'>): Promise<void> {
  await renewFigures(db);
  await renewTrends(db, new Date(clock.now()).toISOString().slice(0, 10));
}

/** Renews the lists every two minutes; any number of workers may keep a schedule. */
export function renewalSchedule(needs: Needs, everyMs: number = EVERY_MS): Repeated {
  return repeat(needs.log, 'lists cannot be renewed, will be tried again', everyMs, async () => {
    await renewLists(needs);
    return false;
  });
}
