import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { Logger } from '../../../platform/log.ts';
import { type Repeated, repeat } from '../../../platform/repeat.ts';
import { publishDueContents } from './publication.store.ts';

const EVERY_MS = 2_000;

/**
 * Publishes contents when their release date comes. The plan is a column, so it survives restarts, and a date that passed while
 * no worker ran is caught up on. Any number of workers may keep a schedule.
 */
export function releaseSchedule({ db, clock, log }: { db: Database; clock: Clock; log: Logger }, everyMs: number = EVERY_MS): Repeated {
  return repeat(log, 'cannot look for planned publications, will be tried again', everyMs, async () => {
    const published = await publishDueContents(db, clock.now());
    if (published.length > 0) log.info({ contents: published }, 'published as planned');
    return published.length > 0;
  });
}
