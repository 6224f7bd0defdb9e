import { type ViewerScope, viewerRow } from '../../../gql/index.ts';
import { permits } from '../../../kernel/policy.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { roleMay, SCOPED } from '../../channels/index.ts';
import { COMMENT_REVIEW, type CommentFacts } from '../comments/comment.policy.ts';
import { isVisibleComment } from '../comments/comment-visibility.sql.ts';

/** Review actions of moderators. */
export type Review = 'approve' | 'hold' | 'reject';

/** A comment that was to be reviewed. */
export interface Reviewed extends CommentFacts {
  readonly id: string;
  /** Whether an operator took it down. */
  readonly removed: boolean;
}

const CHANGES: Readonly<Record<Review, { status: string; held: string; extra: string; eventFields?: string }>> = {
  approve: { status: 'PUBLISHED', held: 'null', extra: 'placeholder = false', eventFields: `, 'approved', true` },
  hold: {
    status: 'HELD',
    held: `'MODERATOR'`,
    extra: 'pin = 0, placeholder = exists (select 1 from comments r where r.parent_id = c.id)',
  },
  reject: {
    status: 'REJECTED',
    held: 'null',
    extra: 'pin = 0, placeholder = exists (select 1 from comments r where r.parent_id = c.id)',
  },
};

function reviewStatement(review: Review) {
  const { status, held, extra, eventFields = '' } = CHANGES[review];
  return sql(
    `comments_${review}`,
    `with target as (
       select x.id, ${isVisibleComment('x', SCOPED)} as visible, x.account_id is not distinct
         from v.account_id as author,
         ${roleMay(SCOPED, 'x.channel_id', 'comment:moderate')} as moderator,
         x.taken_down_at is not null as removed
       from ${viewerRow('$2')}
       join comments x on x.id = any($1::uuid[]) and x.deleted_at is null
       order by x.id for no key update of x),
     permitted as (select * from target where ${permits(COMMENT_REVIEW)}),
     changed as (
       update comments c set status = '${status}', held_for = ${held}, ${extra}
       from permitted t where c.id = t.id and c.status <> '${status}' returning c.*),
     event as (
       insert into events (type, channel_id, subject_id, payload)
       select 'comment.updated', channel_id, id,
         jsonb_build_object('contentId', content_id, 'status', status${eventFields})
         from changed)
     select id, visible, author, moderator, removed from target`,
  );
}

const STATEMENTS: Readonly<Record<Review, ReturnType<typeof reviewStatement>>> = {
  approve: reviewStatement('approve'),
  hold: reviewStatement('hold'),
  reject: reviewStatement('reject'),
};

/** Reviews the comments that the viewer moderates among these, with their events, in one statement. */
export function reviewComments(
  db: Executor,
  review: Review,
  ids: readonly string[],
  viewer: ViewerScope,
): Promise<Reviewed[]> {
  return db.run<Reviewed>(STATEMENTS[review], [ids, viewer]);
}
