import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import type { ChatMode } from './chat-fields.ts';
import { isByMember, isListed } from './chat-message.sql.ts';
import type { KeptRange } from './chat-positions.ts';

/** A message as readers see it. */
export interface FeedMessage {
  readonly id: string;
  readonly author: string;
  readonly isByMember: boolean;
  readonly body: string;
  readonly createdAt: string;
}

/** The state of a chat. */
export interface ChatState {
  readonly contentId: string;
  readonly version: number;
  readonly mode: ChatMode;
  readonly slowModeMs: number;
  readonly isOpen: boolean;
  /** The pinned message; null without one. */
  readonly pinned: FeedMessage | null;
}

/** A change of a message: what readers see of it now; null where they do not see it any more, or not yet. */
export interface MessageChange {
  readonly contentId: string;
  readonly id: string;
  readonly version: number;
  readonly message: FeedMessage | null;
}

/** Messages that a reader begins with. */
export const RECENT_MESSAGES = 100;

const messageOf = (m: string) =>
  `jsonb_build_object('id', ${m}.id, 'author', (select a.username from accounts a where a.id = ${m}.account_id),
    'isByMember', ${isByMember(m)}, 'body', ${m}.body, 'createdAt', in_json(${m}.created_at))`;

const STATES = sql(
  'chat_states',
  `select h.id as "contentId", h.version::float8 as version, h.mode, h.slow_mode_ms as "slowModeMs",
     h.is_open as "isOpen",
     (select ${messageOf('p')} from chat_messages p where p.id = h.pinned_id and ${isListed('p')}) as pinned
   from chats h where h.id = any($1::uuid[])`,
);

/** The states of chats; those that do not exist are missing. */
export function chatStates(db: Executor, contentIds: readonly string[]): Promise<ChatState[]> {
  return db.run<ChatState>(STATES, [contentIds]);
}

const CHANGES = sql(
  'chat_changes',
  `select m.content_id as "contentId", m.id, m.version::float8 as version,
     case when ${isListed('m')} then ${messageOf('m')} end as message
   from chat_messages m where m.content_id = $1 and m.version > $2 and m.version <= $3
   order by m.version, m.id limit ${RECENT_MESSAGES + 1}`,
);

/** Changes of a chat after a version up to another, in their order; one more than the recent ones if there are more. */
export function chatChanges(db: Executor, contentId: string, after: number, upTo: number): Promise<MessageChange[]> {
  return db.run<MessageChange>(CHANGES, [contentId, after, upTo]);
}

const RECENT = sql(
  'recent_chat_messages',
  `select x.message from (
     select m.created_at, m.id, ${messageOf('m')} as message from chat_messages m
     where m.content_id = $1 and m.version <= $2 and ${isListed('m')}
     order by m.created_at desc, m.id desc limit ${RECENT_MESSAGES}) x
   order by x.created_at, x.id`,
);

/** The newest messages of a chat at a version, oldest first. */
export async function recentMessages(db: Executor, contentId: string, version: number): Promise<FeedMessage[]> {
  return (await db.run<{ message: FeedMessage }>(RECENT, [contentId, version])).map(({ message }) => message);
}

const KEPT = sql(
  'kept_ranges_of_chat',
  `select v.kept_ranges as kept from video_assets v join chats h on h.id = v.content_id
   where v.id = $1 and v.content_id = $2`,
);

/** What is kept of the recording that is this video: null for all of it. Undefined where it has no chat. */
export async function keptRangesOf(
  db: Executor,
  videoAssetId: string,
  contentId: string,
): Promise<readonly KeptRange[] | null | undefined> {
  return (await db.first<{ kept: readonly KeptRange[] | null }>(KEPT, [videoAssetId, contentId]))?.kept;
}

/** A message of a recording. */
export interface ReplayedMessage extends FeedMessage {
  /** In the recording before it was trimmed. */
  readonly positionMs: number;
}

const REPLAYED = sql(
  'replayed_chat_messages',
  `select m.position_ms as "positionMs", ${messageOf('m')} as message from chat_messages m
   where m.content_id = $1 and m.position_ms >= $2 and m.position_ms < $3 and ${isListed('m')}
   order by m.position_ms, m.id limit $4`,
);

/** The messages of a part of the recording, oldest first, at most `limit`. */
export async function replayedMessages(
  db: Executor,
  contentId: string,
  { startMs, endMs }: KeptRange,
  limit: number,
): Promise<ReplayedMessage[]> {
  type Row = { readonly positionMs: number; readonly message: FeedMessage };
  const rows = await db.run<Row>(REPLAYED, [contentId, startMs, endMs, limit]);
  return rows.map(({ positionMs, message }) => ({ ...message, positionMs }));
}
