import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { Logger } from '../../../platform/log.ts';
import { type Repeated, repeat } from '../../../platform/repeat.ts';
import { publishDueContents } from './publication.store.ts';

const EVERY_MS = 2_000;

/**
 * Publishes contents at their release date. The schedule is a column: it survives restarts, and past dates are caught
 * up on. Any number of workers may run it.
 */
export function releaseSchedule(
  { db, clock, log }: { db: Database; clock: Clock; log: Logger },
  everyMs: number = EVERY_MS,
): Repeated {
  return repeat(log, 'cannot read scheduled publications, will be retried', everyMs, async () => {
    const published = await publishDueContents(db, clock.now());
    if (published.length > 0) log.info({ contents: published }, 'published on schedule');
    return published.length > 0;
  });
}
