import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { Logger } from '../../../platform/log.ts';
import { type Repeated, repeat } from '../../../platform/repeat.ts';
import { clearDeletedChannel } from '../../channels/index.ts';
import { purgeBatch } from './purge-contents.ts';
import { expireTestData } from './trash.store.ts';

const EVERY_MS = 60_000;
const AT_ONCE = 20;
/** Test contents and playlists that one statement takes. */
const TESTS_AT_ONCE = 200;

/**
 * Permanently deletes contents that are due, old test data, and contents of deleted channels. Any number of workers may
 * run it.
 */
export function purgeSchedule(
  { db, clock, log }: { db: Database; clock: Clock; log: Logger },
  everyMs: number = EVERY_MS,
): Repeated {
  return repeat(log, 'the trash could not be emptied, will be retried', everyMs, async () => {
    const moreTests = await expireTestData(db, clock.now(), TESTS_AT_ONCE);
    const purged = await purgeBatch({ db, clock }, { limit: AT_ONCE });
    if (purged === null) return true;
    if (purged.length > 0) log.info({ contents: purged }, 'permanently deleted');
    return (await clearDeletedChannel(db)) || moreTests || purged.length >= AT_ONCE;
  });
}
