import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { OPEN_STATES } from '../broadcasts/broadcast-states.ts';

const REQUEST = sql(
  'request_broadcast_start',
  `with open as (select b.id, b.state from broadcasts b where b.input_id = $1 and b.state in ${OPEN_STATES}),
   started as (
     update broadcasts b set start_requested_at = $2 from open
     where b.id = open.id and b.state = 'CONNECTED' and b.start_mode = 'MANUAL' and b.start_requested_at is null)
   select state from open`,
);

/** Starts the broadcast of an input, also again; `LIVE` where it has begun, null where there is no encoder. */
export async function requestStart(db: Executor, inputId: string, nowIso: string): Promise<'STARTED' | 'LIVE' | null> {
  const open = await db.first<{ state: string }>(REQUEST, [inputId, nowIso]);
  if (!open) return null;
  return open.state === 'CONNECTED' ? 'STARTED' : 'LIVE';
}
