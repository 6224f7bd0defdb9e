import { type ViewerScope, viewerRow } from '../../../gql/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { isVisibleContent } from '../../catalog/index.ts';
import { isMember, roleMay, SCOPED } from '../../channels/index.ts';
import { isBlocked, isFollowed } from '../../social/index.ts';
import { type ChatPlace, MESSAGES_A_MINUTE, type MessageHoldReason } from './chat.policy.ts';

const PLACE = sql(
  'chat_place',
  `select c.channel_id as "channelId", ${isVisibleContent('c', SCOPED)} as visible,
    ${isMember(SCOPED, 'c.channel_id')} as member, ${roleMay(SCOPED, 'c.channel_id', 'comment:moderate')} as moderator,
    ${isFollowed('c.channel_id', SCOPED)} as follows, ${isBlocked('v.account_id', 'c.channel_id')} as blocked,
    o.ends_at as "timedOutUntil", coalesce(o.ends_at > $3, false) as "timedOut",
    h.is_open as "isOpen", h.mode, h.slow_mode_ms as "slowModeMs",
    coalesce(m.blocked_words, '{}') as "blockedWords", coalesce(m.hold_links, false) as "holdLinks"
   from ${viewerRow('$2')}
   join contents c on c.id = $1 and c.deleted_at is null
   join chats h on h.id = c.id
   left join channel_moderation m on m.channel_id = c.channel_id
   left join chat_timeouts o on o.channel_id = c.channel_id and o.account_id = v.account_id
   for key share of c`,
);

/** The chat to write in, whose stream is locked until the transaction ends; null when there is none. */
export function findChatPlace(
  tx: Executor,
  contentId: string,
  viewer: ViewerScope,
  nowIso: string,
): Promise<ChatPlace | null> {
  return tx.first<ChatPlace>(PLACE, [contentId, viewer, nowIso]);
}

/** A message that an account wants to write. */
export interface ChatTurn {
  readonly contentId: string;
  readonly accountId: string;
  readonly slowModeMs: number;
  readonly nowIso: string;
}

const MINUTE_IS_OVER = `r.window_at <= excluded.window_at - interval '1 minute'`;
const TURN = sql(
  'chat_turn',
  `insert into chat_rate_limits as r (content_id, account_id, window_at, used, last_at) values ($1, $2, $3, 1, $3)
   on conflict (content_id, account_id) do update set
     window_at = case when ${MINUTE_IS_OVER} then excluded.window_at else r.window_at end,
     used = case when ${MINUTE_IS_OVER} then 1 else r.used + 1 end, last_at = excluded.last_at
   where (${MINUTE_IS_OVER} or r.used < ${MESSAGES_A_MINUTE})
     and r.last_at <= excluded.last_at - $4::integer * interval '1 millisecond'
   returning used`,
);
const WAIT = sql(
  'chat_wait',
  `select ceil(1000 * extract(epoch from greatest(last_at + $4::integer * interval '1 millisecond',
     case when used >= ${MESSAGES_A_MINUTE} then window_at + interval '1 minute' else last_at end) - $3::timestamptz)
     )::integer as ms
   from chat_rate_limits where content_id = $1 and account_id = $2`,
);

/** Counts a message of the account; returns how many milliseconds it has to wait first, 0 if it need not. */
export async function takeChatTurn(tx: Executor, turn: ChatTurn): Promise<number> {
  const values = [turn.contentId, turn.accountId, turn.nowIso, turn.slowModeMs];
  if (await tx.first(TURN, values)) return 0;
  return Math.max(1, (await tx.first<{ ms: number }>(WAIT, values))?.ms ?? 1);
}

/** A message to be written. */
export interface NewChatMessage {
  readonly id: string;
  readonly contentId: string;
  readonly channelId: string;
  readonly accountId: string;
  readonly body: string;
  readonly heldFor: MessageHoldReason | null;
  readonly nowIso: string;
}

/** SQL: the next version of the chat `t.content_id` of the row `from`; its row is locked from here on. */
export function nextVersion(from: string, when = 'true'): string {
  return `update chats h set version = h.version + 1 from ${from} where h.id = t.content_id and ${when}
    returning h.id as content_id, h.version`;
}

const INSERT = sql(
  'insert_chat_message',
  `with t as (select $2::uuid as content_id), room as (${nextVersion('t')}),
   created as (
     insert into chat_messages (id, content_id, channel_id, account_id, body, status, held_for, version, created_at)
     select $1, content_id, $3, $4, $5, case when $6::text is null then 'PUBLISHED' else 'HELD' end, $6, version, $7
     from room returning id, channel_id, content_id, status)
   insert into events (type, channel_id, subject_id, payload)
   select 'chat_message.created', channel_id, id, jsonb_build_object('contentId', content_id, 'status', status)
   from created`,
);

/** Writes a message and its event. */
export async function insertChatMessage(tx: Executor, message: NewChatMessage): Promise<void> {
  const { id, contentId, channelId, accountId, body, heldFor, nowIso } = message;
  await tx.run(INSERT, [id, contentId, channelId, accountId, body, heldFor, nowIso]);
}

const DELETE = sql(
  'delete_chat_message',
  `with t as (select m.id, m.content_id from chat_messages m where m.id = $1 and m.status <> 'DELETED'),
   room as (update chats h set version = h.version + 1, pinned_id = nullif(h.pinned_id, t.id) from t
     where h.id = t.content_id returning h.id as content_id, h.version),
   changed as (
     update chat_messages m set status = 'DELETED', held_for = null, body = '', version = room.version
     from t join room on room.content_id = t.content_id where m.id = t.id and m.status <> 'DELETED'
     returning m.id, m.channel_id, m.content_id)
   insert into events (type, channel_id, subject_id, payload)
   select 'chat_message.deleted', channel_id, id, jsonb_build_object('contentId', content_id) from changed`,
);

/** Deletes a message, whoever has written it. Nothing changes where it is deleted. */
export async function deleteMessage(tx: Executor, id: string): Promise<void> {
  await tx.run(DELETE, [id]);
}
