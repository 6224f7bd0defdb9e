import { type ViewerScope, viewerRow } from '../../../gql/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { type ContentTarget, isVisibleContent } from '../../catalog/index.ts';
import { isMember, roleMay, SCOPED } from '../../channels/index.ts';
import { isBlocked } from '../blocks/blocks.store.ts';
import { COMMENTS_A_MINUTE, type CommentContext } from './comment.policy.ts';
import type { HoldReason } from './hold-rules.ts';

/** The hold rules for comments on the content `c`, as columns. */
export const HOLD_RULES =
  `c.comment_mode as mode, coalesce(m.blocked_words, '{}') as ` +
  '"blockedWords", coalesce(m.hold_links, false) as "holdLinks"';

const CONTEXT = sql(
  'comment_place',
  `select c.channel_id as "channelId", ${HOLD_RULES}, ${isVisibleContent('c', SCOPED)} as visible,
    ${isMember(SCOPED, 'c.channel_id')} as member,
     ${roleMay(SCOPED, 'c.channel_id', 'comment:moderate')} as moderator,
       ${isBlocked('v.account_id', 'c.channel_id')} as blocked
   from ${viewerRow('$3')}
   join contents c on c.id = $1 and c.kind = $2 and c.deleted_at is null
   left join channel_moderation m on m.channel_id = c.channel_id
   for key share of c`,
);

/** The content to comment on, locked until the transaction ends; null when there is none. */
export function findCommentContext(
  tx: Executor,
  { id, kind }: ContentTarget,
  viewer: ViewerScope,
): Promise<CommentContext | null> {
  return tx.first<CommentContext>(CONTEXT, [id, kind, viewer]);
}

/** The parent comment. */
export interface Parent {
  readonly id: string;
  readonly rootId: string;
  readonly depth: number;
}

const PARENT = sql(
  'comment_parent',
  `select id, coalesce(root_id, id) as "rootId", depth from comments
   where id = $1 and content_id = $2 and status = 'PUBLISHED' and deleted_at is null for key share`,
);

/**
 * The parent comment, locked until the transaction ends; null when it is not a comment of this content that accepts
 * replies.
 */
export function findParent(tx: Executor, parentId: string, contentId: string): Promise<Parent | null> {
  return tx.first<Parent>(PARENT, [parentId, contentId]);
}

const TURN = sql(
  'comment_turn',
  `insert into comment_rate_limits as r (account_id, channel_id, window_at, used) values ($1, $2, $3, 1)
   on conflict (account_id, channel_id) do update set
     window_at = case when r.window_at <= excluded.window_at - interval '1 minute' then excluded.window_at
       else r.window_at end,
     used = case when r.window_at <= excluded.window_at - interval '1 minute' then 1 else r.used + 1 end
   where r.window_at <= excluded.window_at - interval '1 minute' or r.used < ${COMMENTS_A_MINUTE} or not $4
   returning used`,
);

/**
 * Serializes comments of the account in the channel, and counts this one. False when it exceeds the limit per minute
 * (never when not `limited`).
 */
export async function takeTurn(
  tx: Executor,
  turn: { accountId: string; channelId: string; limited: boolean; now: string },
): Promise<boolean> {
  return (await tx.first(TURN, [turn.accountId, turn.channelId, turn.now, turn.limited])) !== null;
}

/** A comment to be written. */
export interface NewComment {
  readonly id: string;
  readonly contentId: string;
  readonly channelId: string;
  readonly accountId: string;
  readonly parent: Parent | null;
  readonly body: string;
  readonly heldFor: HoldReason | null;
  /** Names that the text may mention. */
  readonly mentions: readonly string[];
  /** ISO 8601. */
  readonly now: string;
}

const REPEATED = sql(
  'comment_repeated',
  `select id from comments where account_id = $1 and content_id = $2 and parent_id is not distinct from $3 and body = $4
     and deleted_at is null and created_at > $5::timestamptz - interval '1 minute'
   order by created_at limit 1`,
);

/** The same comment by the same account within the last minute: a duplicate request. */
export async function findRepeated(
  tx: Executor,
  comment: Omit<NewComment, 'id' | 'channelId' | 'heldFor' | 'mentions'>,
): Promise<string | null> {
  const { accountId, contentId, parent, body, now } = comment;
  return (await tx.first<{ id: string }>(REPEATED, [accountId, contentId, parent?.id ?? null, body, now]))?.id ?? null;
}

const INSERT = sql(
  'comment_insert',
  `with created as (
     insert into comments (id, content_id, channel_id, account_id, parent_id, root_id, depth, body, status, held_for,
       created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, case when $9::text is null then 'PUBLISHED' else 'HELD' end, $9, $11)
     returning id, channel_id, content_id, parent_id, status),
   mentioned as (
     insert into comment_mentions (comment_id, account_id) select $1, id from accounts
       where username = any($10::citext[]) returning account_id)
   insert into events (type, channel_id, subject_id, payload)
   select 'comment.created', channel_id, id, jsonb_build_object('contentId', content_id, 'parentId', parent_id,
     'status', status,
     'mentions', (select coalesce(jsonb_agg(account_id), '[]') from mentioned)) from created`,
);

/** Writes a comment, whom it mentions, and its event. */
export async function insertComment(tx: Executor, comment: NewComment): Promise<void> {
  const { id, contentId, channelId, accountId, parent, body, heldFor, mentions, now } = comment;
  const position = [parent?.id ?? null, parent?.rootId ?? null, parent === null ? 0 : parent.depth + 1];
  await tx.run(INSERT, [id, contentId, channelId, accountId, ...position, body, heldFor, mentions, now]);
}
