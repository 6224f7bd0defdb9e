import type { Executor } from '../db/database.ts';
import { sql } from '../db/statement.ts';

// Only the start of the log is read: after a thousand kept events there are none to remove. The array stops the
// planner, which cannot know how few they are, from reading the whole log.
const PRUNE = sql(
  'prune_events',
  `delete from events where id = any(array(
     select e.id from (select id, xact, created_at from events order by xact, id limit $2) e
     where e.created_at < clock_timestamp() - $1 * interval '1 day'
       and not exists (select 1 from event_cursors c where (c.xact, c.event_id) < (e.xact, e.id))
   )) returning id`,
);

/**
 * Removes up to `limit` of the oldest events that are older than `days` and that every consumer has processed; unread
 * events are kept. Returns how many were removed: fewer than `limit` when there are no more. Several workers may prune
 * at the same time.
 */
export async function pruneEvents(db: Executor, days: number, limit: number): Promise<number> {
  return (await db.run(PRUNE, [days, limit])).length;
}
