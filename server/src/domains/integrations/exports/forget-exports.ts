import type { Platform } from '../../../platform/platform.ts';
import { type Repeated, repeat } from '../../../platform/repeat.ts';
import { expireExports, forgetExports } from './data-exports.store.ts';
import { DAY_MS, EXPORT_DAYS } from './export-limits.ts';

const EVERY_MS = 60_000;
const AT_ONCE = 100;

/** Expires files after a week and forgets exports after a month, every minute; any number of workers may run it. */
export function forgettingExports(platform: Pick<Platform, 'db' | 'clock' | 'log'>): Repeated {
  return repeat(platform.log, 'cannot expire exports, will be retried', EVERY_MS, () => forgetSome(platform));
}

/** Returns whether there may be more. */
export async function forgetSome({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<boolean> {
  const nowMs = clock.now();
  const expired = await expireExports(db, new Date(nowMs).toISOString(), AT_ONCE);
  const forgotten = await forgetExports(db, new Date(nowMs - EXPORT_DAYS * DAY_MS).toISOString(), AT_ONCE);
  return expired === AT_ONCE || forgotten === AT_ONCE;
}
