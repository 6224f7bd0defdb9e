import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Logger } from '../../platform/log.ts';
import { type Repeated, repeat } from '../../platform/repeat.ts';
import { clearDueContents, purgeDueContents } from './trash.store.ts';

const EVERY_MS = 60_000;
const AT_ONCE = 20;
/** Comments, likes and figures of them that one statement deletes. */
const ROWS_AT_ONCE = 2_000;

/** Deletes for good what has been in the trash for its time. Any number of workers may keep this schedule. */
export function purgeSchedule({ db, clock, log }: { db: Database; clock: Clock; log: Logger }, everyMs: number = EVERY_MS): Repeated {
  return repeat(log, 'the trash could not be emptied, will be tried again', everyMs, async () => {
    if (await clearDueContents(db, clock.now(), { limit: AT_ONCE, rows: ROWS_AT_ONCE })) return true;
    const purged = await purgeDueContents(db, clock.now(), AT_ONCE);
    if (purged.length > 0) log.info({ contents: purged }, 'deleted for good');
    return purged.length >= AT_ONCE;
  });
}
