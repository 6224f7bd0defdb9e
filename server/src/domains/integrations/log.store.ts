import type { Executor } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/statement.ts';

const FORGET = sql(
  'forget_events',
  `delete from events where id in (select id from events order by id limit 5000) and created_at < $1
     and not exists (select 1 from event_cursors c where c.updated_at >= $1 and (c.xact, c.event_id) < (events.xact, events.id))
   returning id`,
);

/**
 * Removes events made before `beforeIso`, the oldest first, at most 5,000 at a time; answers how many. What an internal reader has
 * not read yet stays, unless that reader has not moved since then: it is one that no longer exists.
 */
export async function forgetEvents(db: Executor, beforeIso: string): Promise<number> {
  return (await db.run(FORGET, [beforeIso])).length;
}
