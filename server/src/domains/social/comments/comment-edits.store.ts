import { type ViewerScope, viewerRow } from '../../../gql/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { firstLocked } from '../../../platform/db/first-locked.ts';
import { sql } from '../../../platform/db/statement.ts';
import { roleMay, SCOPED } from '../../channels/index.ts';
import type { CommentFacts } from './comment.policy.ts';
import { isVisibleComment } from './comment-visibility.sql.ts';
import { HOLD_RULES } from './comments.store.ts';
import type { HoldReason, HoldRules } from './hold-rules.ts';

/** A comment that is to be changed. */
export interface EditableComment extends CommentFacts, HoldRules {
  readonly body: string;
  readonly status: 'PUBLISHED' | 'HELD' | 'REJECTED';
  /** Number of edits. */
  readonly edits: number;
}

const LOCK = sql(
  'comment_lock',
  `select x.body, x.status, ${isVisibleComment('x', SCOPED)} as visible, x.account_id is not distinct
    from v.account_id as author,
     ${roleMay(SCOPED, 'x.channel_id', 'comment:moderate')} as moderator, ${HOLD_RULES},
     (select count(*) from comment_edits e where e.comment_id = x.id) as edits
   from ${viewerRow('$2')}
   join comments x on x.id = $1 and x.deleted_at is null
   join contents c on c.id = x.content_id
   left join channel_moderation m on m.channel_id = x.channel_id
   for no key update of x`,
);

/** The locked comment; null when there is none. */
export function lockComment(tx: Executor, id: string, viewer: ViewerScope): Promise<EditableComment | null> {
  return firstLocked<EditableComment>(tx, LOCK, [id, viewer]);
}

/** A new text for a comment. */
export interface CommentEdit {
  readonly id: string;
  /** Identifier of the entry in the history. */
  readonly editId: string;
  readonly body: string;
  /** Why it is now held; null keeps its status. */
  readonly heldFor: HoldReason | null;
  readonly mentions: readonly string[];
  /** ISO 8601. */
  readonly now: string;
}

const EDIT = sql(
  'comment_edit',
  `with kept as (insert into comment_edits (id, comment_id, body, created_at) select $2, id, body, $6 from comments
    where id = $1),
   named as (select id from accounts where username = any($5::citext[])),
   unnamed as (delete from comment_mentions where comment_id = $1 and account_id not in (select id from named)),
   mentioned as (insert into comment_mentions (comment_id, account_id) select $1, id from named on conflict do nothing),
   changed as (
     update comments c set body = $3, edited_at = $6, status = case when $4::text is null then c.status else 'HELD' end,
       held_for = coalesce($4, c.held_for), pin = case when $4::text is null then c.pin else 0 end,
       placeholder = c.placeholder or ($4::text is not null and exists (select 1 from comments r
         where r.parent_id = c.id))
     where c.id = $1 returning c.id, c.channel_id, c.content_id, c.status)
   insert into events (type, channel_id, subject_id, payload)
   select 'comment.updated', channel_id, id, jsonb_build_object('contentId', content_id, 'status', status)
   from changed`,
);

/** Changes the text, keeps the previous one, and writes the event. */
export async function editComment(
  tx: Executor,
  { id, editId, body, heldFor, mentions, now }: CommentEdit,
): Promise<void> {
  await tx.run(EDIT, [id, editId, body, heldFor, mentions, now]);
}
