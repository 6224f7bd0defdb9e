import type { Clock } from '../../../platform/clock.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { unlimited } from '../../../platform/db/unlimited.ts';
import type { WatchRow } from '../ingest/watch-row.ts';
import {
  addRollUp,
  advanceWatchCursor,
  forgetSums,
  lockWatchCursor,
  olderContents,
  oldestWatchDay,
  readEarlierState,
  readWatchEvents,
} from './roll-up.store.ts';
import { rollUp } from './roll-up.ts';

const BATCH = 5_000;

interface Needs {
  readonly db: Database;
  readonly clock: Clock;
}

/**
 * Aggregates the next batch of events; the sums and the position in the log are committed together, so a crash counts
 * nothing twice. Returns how many events were read: 0 when there are none or another worker holds the lock.
 */
export async function rollUpNext({ db, clock }: Needs, limit: number = BATCH): Promise<number> {
  return db.transaction(async (tx) => {
    const after = await lockWatchCursor(tx, { wait: false });
    if (after === null) return 0;
    const { events, xact, read } = await readWatchEvents(tx, after, limit);
    if (xact === null) return 0;
    if (events.length > 0)
      await addRollUp(tx, rollUp(events, await readEarlierState(tx, events)), { rebuiltFrom: null });
    await advanceWatchCursor(tx, xact, clock.now());
    return read;
  });
}

/** Aggregates all pending events. */
export async function rollUpAll(needs: Needs): Promise<void> {
  while ((await rollUpNext(needs)) > 0);
}

/**
 * Rebuilds the sums of all days whose raw events are kept, in one transaction however long it takes: readers see the
 * old values until it commits. Sums of older days are kept, as are retention curves of contents older than the oldest
 * event. Returns the first day and the number of events.
 */
export async function rebuildRollUps(
  { db }: Pick<Needs, 'db'>,
  limit: number = BATCH,
): Promise<{ from: string | null; events: number }> {
  return db.transaction(async (tx) => {
    await unlimited(tx);
    const until = await lockWatchCursor(tx, { wait: true });
    const from = await oldestWatchDay(tx);
    if (from === null || until === null) return { from: null, events: 0 };
    await forgetSums(tx, from);
    let events = 0;
    for (let after = '0'; ; ) {
      const batch = await readWatchEvents(tx, after, limit, until);
      if (batch.xact === null) return { from, events };
      if (batch.events.length > 0) await addAgain(tx, batch.events, from);
      events += batch.read;
      after = batch.xact;
    }
  });
}

async function addAgain(tx: Transaction, events: readonly WatchRow[], from: string): Promise<void> {
  const rolled = rollUp(events, await readEarlierState(tx, events));
  const older = new Set(await olderContents(tx, [...new Set(events.map(({ contentId }) => contentId))], from));
  await addRollUp(
    tx,
    { ...rolled, retention: rolled.retention.filter(({ content_id }) => !older.has(content_id)) },
    { rebuiltFrom: from },
  );
}
