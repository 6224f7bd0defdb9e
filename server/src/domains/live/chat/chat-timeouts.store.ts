import type { Transaction } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

const START = sql(
  'start_chat_timeout',
  `insert into chat_timeouts (channel_id, account_id, ends_at) values ($1, $2, $3)
   on conflict (channel_id, account_id) do update set ends_at = excluded.ends_at`,
);
const END = sql('end_chat_timeout', 'delete from chat_timeouts where channel_id = $1 and account_id = $2');

/** Keeps an account from writing in the chats of a channel. */
export async function startTimeout(
  tx: Transaction,
  { channelId, accountId, endsAt }: { channelId: string; accountId: string; endsAt: string },
): Promise<void> {
  await tx.run(START, [channelId, accountId, endsAt]);
}

/** Lets an account write again. */
export async function endTimeout(tx: Transaction, channelId: string, accountId: string): Promise<void> {
  await tx.run(END, [channelId, accountId]);
}

// Chats are locked in the order of their ids, as everywhere where several are.
const DELETE = sql(
  'delete_messages_of_chatter',
  `with concerned as (
     select h.id from chats h where h.id in (select m.content_id from chat_messages m
       where m.account_id = $2 and m.channel_id = $1 and m.status <> 'DELETED') order by h.id for update),
   rooms as (
     update chats h set version = h.version + 1, pinned_id = case when exists (
       select 1 from chat_messages p where p.id = h.pinned_id and p.account_id = $2) then null else h.pinned_id end
     from concerned c where h.id = c.id returning h.id, h.version),
   changed as (
     update chat_messages m set status = 'DELETED', held_for = null, body = '', version = rooms.version
     from rooms where m.content_id = rooms.id and m.account_id = $2 and m.status <> 'DELETED'
     returning m.id, m.channel_id, m.content_id),
   recorded as (
     insert into events (type, channel_id, subject_id, payload)
     select 'chat_message.deleted', channel_id, id, jsonb_build_object('contentId', content_id) from changed)
   select count(*)::integer as n from changed`,
);

/** Deletes all messages of an account in the chats of a channel; returns how many. */
export async function deleteMessagesOf(tx: Transaction, channelId: string, accountId: string): Promise<number> {
  return (await tx.first<{ n: number }>(DELETE, [channelId, accountId]))?.n ?? 0;
}
