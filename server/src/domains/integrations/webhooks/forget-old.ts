import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { Logger } from '../../../platform/log.ts';
import { type Repeated, repeat } from '../../../platform/repeat.ts';
import { RETENTION_DAYS } from '../events/event-cursor.ts';
import { forgetDeliveries } from './deliveries.store.ts';

const EVERY_MS = 10 * 60_000;
const DAY_MS = 86_400_000;

/** Prunes deliveries after thirty days, every ten minutes and in small batches; any number of workers may run it. */
export function forgetting({ db, clock, log }: { db: Database; clock: Clock; log: Logger }): Repeated {
  const forgetSome = async () =>
    (await forgetDeliveries(db, new Date(clock.now() - RETENTION_DAYS * DAY_MS).toISOString())) > 0;
  return repeat(log, 'cannot delete old webhook deliveries, will be retried', EVERY_MS, forgetSome);
}
