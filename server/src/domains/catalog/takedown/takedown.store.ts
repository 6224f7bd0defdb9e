import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

const writing = (name: string, changed: string) =>
  sql(
    name,
    `with changed as (${changed} returning id, channel_id),
     event as (insert into events (type, channel_id, subject_id)
       select 'content.updated', channel_id, id from changed)
     select id from changed`,
  );
const TAKE_DOWN = writing(
  'take_content_down',
  `update contents set taken_down_at = $2, takedown_reason = $3, updated_at = $2
   where id = $1 and deleted_at is null and taken_down_at is null`,
);
const PUT_BACK = writing(
  'put_content_back',
  `update contents set taken_down_at = null, takedown_reason = null, updated_at = $2
   where id = $1 and deleted_at is null and taken_down_at is not null`,
);

/** Hides a content from everyone but the members of its channel; false if it was hidden so, or deleted. */
export async function takeContentDown(tx: Executor, id: string, reason: string, nowIso: string): Promise<boolean> {
  return (await tx.first(TAKE_DOWN, [id, nowIso, reason])) !== null;
}

/** Ends that: it is as visible as its channel wants. False if it was not taken down. */
export async function putContentBack(tx: Executor, id: string, nowIso: string): Promise<boolean> {
  return (await tx.first(PUT_BACK, [id, nowIso])) !== null;
}
