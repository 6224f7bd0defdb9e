import { type ViewerScope, viewerRow } from '../../../gql/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { roleMay, SCOPED } from '../../channels/index.ts';
import type { CommentFacts } from './comment.policy.ts';
import { UPDATED } from './comment-commands.store.ts';
import { isVisibleComment } from './comment-visibility.sql.ts';

/** A comment that is to be pinned. */
export interface PinnableComment extends CommentFacts {
  readonly contentId: string;
  readonly published: boolean;
  readonly pinned: boolean;
  /** Whether it is a reply. */
  readonly answers: boolean;
}

const FIND = sql(
  'comment_pinnable',
  `select x.content_id as "contentId", x.status = 'PUBLISHED' as published, x.pin = 1 as pinned,
    x.parent_id is not null as answers,
     ${isVisibleComment('x', SCOPED)} as visible, x.account_id is not distinct from v.account_id as author,
     ${roleMay(SCOPED, 'x.channel_id', 'comment:moderate')} as moderator
   from ${viewerRow('$2')}
   join comments x on x.id = $1 and x.deleted_at is null
   join contents c on c.id = x.content_id
   for no key update of c`,
);

/** The comment, with its content locked against others that pin; likes and comments go on. Null when there is none. */
export function findPinnable(tx: Executor, id: string, viewer: ViewerScope): Promise<PinnableComment | null> {
  return tx.first<PinnableComment>(FIND, [id, viewer]);
}

const UNPIN = sql(
  'comment_unpin',
  `with changed as (update comments set pin = 0 where content_id = $1 and pin = 1 returning *) ${UPDATED}`,
);
const PIN = sql(
  'comment_pin',
  `with changed as (update comments set pin = 1 where id = $1 and status = 'PUBLISHED' and deleted_at is null ` +
    `returning *) ${UPDATED}`,
);

/** Pins the comment and unpins what was pinned on its content, with their events. */
export async function pinOnly(tx: Executor, contentId: string, id: string): Promise<void> {
  await tx.run(UNPIN, [contentId]);
  await tx.run(PIN, [id]);
}
