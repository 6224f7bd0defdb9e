import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { Logger } from '../../../platform/log.ts';
import { type Repeated, repeat } from '../../../platform/repeat.ts';
import { clearDeletedChannel } from '../../channels/index.ts';
import { purgePiece } from './purge-contents.ts';

const EVERY_MS = 60_000;
const AT_ONCE = 20;

/** Deletes for good what has been in the trash for its time, and what deleted channels left. Any number of workers may keep this schedule. */
export function purgeSchedule({ db, clock, log }: { db: Database; clock: Clock; log: Logger }, everyMs: number = EVERY_MS): Repeated {
  return repeat(log, 'the trash could not be emptied, will be tried again', everyMs, async () => {
    const purged = await purgePiece({ db, clock }, { limit: AT_ONCE });
    if (purged === null) return true;
    if (purged.length > 0) log.info({ contents: purged }, 'deleted for good');
    return (await clearDeletedChannel(db)) || purged.length >= AT_ONCE;
  });
}
