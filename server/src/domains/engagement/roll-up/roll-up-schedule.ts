import type { Platform } from '../../../platform/platform.ts';
import { type Repeated, repeat } from '../../../platform/repeat.ts';
import { dropWatchDays, prepareWatchDays } from '../ingest/watch-events.store.ts';
import { destroySalts } from '../privacy.store.ts';
import { utcDay } from '../viewers/viewer-identity.ts';
import { forgetSessions } from './roll-up.store.ts';
import { rollUpAll } from './roll-up-events.ts';

const EVERY_MS = 2_000;
const UPKEEP_EVERY_MS = 600_000;
const DAY_MS = 86_400_000;
/** Days for which partitions are created ahead. */
const DAYS_AHEAD = 7;
/** State of a playback is deleted after this long without events; events are at most a day old. */
const SESSION_KEPT_MS = 14 * DAY_MS;

type Needs = Pick<Platform, 'db' | 'clock' | 'log' | 'config'>;

/** Creates partitions ahead, drops expired raw events and playbacks, and destroys the salts of past days. */
export async function keepUp({ db, clock, config }: Needs): Promise<void> {
  const nowMs = clock.now();
  await prepareWatchDays(db, utcDay(nowMs - DAY_MS), utcDay(nowMs + DAYS_AHEAD * DAY_MS));
  await destroySalts(db, utcDay(nowMs));
  await dropWatchDays(db, utcDay(nowMs - config.ENGAGEMENT_RETENTION_DAYS * DAY_MS));
  await forgetSessions(db, nowMs - SESSION_KEPT_MS);
}

/** Aggregates playback events every two seconds; any number of workers may run it. */
export function rollUpSchedule(needs: Needs, everyMs: number = EVERY_MS): Repeated {
  let upkeepAtMs = Number.NEGATIVE_INFINITY;
  return repeat(needs.log, 'engagement could not be aggregated, will be retried', everyMs, async () => {
    if (needs.clock.now() >= upkeepAtMs + UPKEEP_EVERY_MS) {
      await keepUp(needs);
      upkeepAtMs = needs.clock.now();
    }
    await rollUpAll(needs);
    return false;
  });
}
