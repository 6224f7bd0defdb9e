import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Logger } from '../../platform/log.ts';
import { forgetDeliveries } from './deliveries.store.ts';
import { RETENTION_DAYS } from './event-cursor.ts';

const EVERY_MS = 10 * 60_000;
const DAY_MS = 86_400_000;

export interface Forgetting {
  start(): void;
  /** Waits for the pass in progress. */
  stop(): Promise<void>;
}

/** One pass: deletes deliveries that are older than the log reaches back, in small pieces. */
export async function forgetOld({ db, clock }: { db: Database; clock: Clock }, isStopped: () => boolean = () => false): Promise<void> {
  const before = (days: number) => new Date(clock.now() - days * DAY_MS).toISOString();
  while (!isStopped() && (await forgetDeliveries(db, before(RETENTION_DAYS))) > 0);
}

/** Keeps the deliveries to their thirty days, every ten minutes; any number of workers may do it. */
export function forgetting(platform: { db: Database; clock: Clock; log: Logger }): Forgetting {
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> = Promise.resolve();
  let stopped = false;
  const pass = (): void => {
    running = forgetOld(platform, () => stopped).catch((error: unknown) =>
      platform.log.warn({ error }, 'cannot delete old webhook deliveries, will be tried again'),
    );
  };
  return {
    start() {
      pass();
      timer = setInterval(pass, EVERY_MS);
    },
    async stop() {
      stopped = true;
      if (timer) clearInterval(timer);
      await running;
    },
  };
}
