import type { Executor } from '../db/database.ts';
import { sql } from '../db/statement.ts';

const PRUNE = sql(
  'prune_events',
  `with old as (
     select e.id from events e
     where e.created_at < clock_timestamp() - $1 * interval '1 day'
       and not exists (select 1 from event_cursors c where (c.xact, c.event_id) < (e.xact, e.id))
     order by e.xact, e.id limit $2 for update skip locked
   )
   delete from events e using old where e.id = old.id returning e.id`,
);

/**
 * Removes up to `limit` of the oldest events that are older than `days` and that every consumer has passed; a consumer that lags keeps what it has
 * not read. Answers how many went. Several workers may prune at the same time.
 */
export async function pruneEvents(db: Executor, days: number, limit: number): Promise<number> {
  return (await db.run(PRUNE, [days, limit])).length;
}
