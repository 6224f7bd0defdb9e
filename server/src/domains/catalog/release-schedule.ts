import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Logger } from '../../platform/log.ts';
import { publishDueContents } from './publication.store.ts';

const EVERY_MS = 2_000;

export interface ReleaseSchedule {
  start(): void;
  /** Waits for the look in progress. */
  stop(): Promise<void>;
}

/**
 * Publishes contents when their release date comes. The plan is a column, so it survives restarts, and a date that passed while
 * no worker ran is caught up on. Any number of workers may keep a schedule.
 */
export function releaseSchedule(
  { db, clock, log }: { db: Database; clock: Clock; log: Logger },
  everyMs: number = EVERY_MS,
): ReleaseSchedule {
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> = Promise.resolve();
  let stopped = false;

  const look = async (): Promise<void> => {
    try {
      let published: string[];
      do {
        published = await publishDueContents(db, clock.now());
        if (published.length > 0) log.info({ contents: published }, 'published as planned');
      } while (published.length > 0 && !stopped);
    } catch (error) {
      log.warn({ error }, 'cannot look for planned publications, will be tried again');
    }
  };
  const next = (): void => {
    if (stopped) return;
    running = look();
    void running.then(() => {
      if (!stopped) timer = setTimeout(next, everyMs);
    });
  };
  return {
    start: next,
    async stop() {
      stopped = true;
      if (timer) clearTimeout(timer);
      await running;
    },
  };
}
