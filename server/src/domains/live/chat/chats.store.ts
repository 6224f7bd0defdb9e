import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

const OPEN = sql(
  'open_chat',
  `insert into chats as h (id, mode, slow_mode_ms, updated_at)
   select $1, i.chat_mode, i.chat_slow_mode_ms, $3 from live_inputs i where i.id = $2
   on conflict (id) do update set is_open = true, updated_at = excluded.updated_at where not h.is_open`,
);

/** Opens the chat of a stream that is scheduled, or begins: as its live input says, or as it was. */
export async function openChat(tx: Executor, contentId: string, inputId: string, nowIso: string): Promise<void> {
  await tx.run(OPEN, [contentId, inputId, nowIso]);
}

const CLOSE = sql('close_chat', 'update chats set is_open = false, updated_at = $2 where id = $1 and is_open');

/** Closes the chat of a stream whose broadcast has ended, or does not take place. */
export async function closeChat(tx: Executor, contentId: string, nowIso: string): Promise<void> {
  await tx.run(CLOSE, [contentId, nowIso]);
}

const PLACE = sql(
  'place_chat_messages',
  `with recorded as (
     select arrived_at, coalesce(lead(arrived_at) over (order by number), 'infinity') as next_at,
       video_duration / 90.0 as duration_ms,
       (sum(video_duration) over (order by number) - video_duration) / 90.0 as start_ms
     from broadcast_segments where broadcast_id = $2)
   update chat_messages m set position_ms =
     (r.start_ms + least(r.duration_ms, 1000 * extract(epoch from m.created_at - r.arrived_at)))::integer
   from recorded r where m.content_id = $1 and m.status <> 'DELETED'
     and m.created_at >= r.arrived_at and m.created_at < r.next_at`,
);

/** Gives each message its position in the recording, by when it was written and when the segments arrived. */
export async function placeMessages(tx: Executor, contentId: string, broadcastId: string): Promise<void> {
  await tx.run(PLACE, [contentId, broadcastId]);
}
