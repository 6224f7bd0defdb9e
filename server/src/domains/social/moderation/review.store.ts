import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { accountMay } from '../../channels/index.ts';
import { isVisibleComment } from '../comments/comment-visibility.ts';

/** What moderators do with comments. */
export type Review = 'approve' | 'hold' | 'reject';

/** What became of one comment. Comments that the account cannot see have no row. */
export interface Reviewed {
  readonly id: string;
  readonly moderator: boolean;
}

const CHANGES: Readonly<Record<Review, { status: string; held: string; extra: string; tells?: string }>> = {
  approve: { status: 'PUBLISHED', held: 'null', extra: 'placeholder = false', tells: `, 'approved', true` },
  hold: { status: 'HELD', held: `'MODERATOR'`, extra: 'pin = 0, placeholder = exists (select 1 from comments r where r.parent_id = c.id)' },
  reject: { status: 'REJECTED', held: 'null', extra: 'pin = 0, placeholder = exists (select 1 from comments r where r.parent_id = c.id)' },
};

function reviewStatement(review: Review) {
  const { status, held, extra, tells = '' } = CHANGES[review];
  return sql(
    `comments_${review}`,
    `with target as (
       select x.id, ${accountMay('v.account_id', 'x.channel_id', 'comment:moderate')} as moderator
       from (select $2::uuid as account_id) v
       join comments x on x.id = any($1::uuid[]) and x.deleted_at is null and ${isVisibleComment('x', { viewer: 'v' })}
       order by x.id for no key update of x),
     changed as (
       update comments c set status = '${status}', held_for = ${held}, ${extra}
       from target t where c.id = t.id and t.moderator and c.status <> '${status}' returning c.*),
     event as (
       insert into events (type, channel_id, subject_id, payload)
       select 'comment.updated', channel_id, id, jsonb_build_object('contentId', content_id, 'status', status${tells}) from changed)
     select id, moderator from target`,
  );
}

const STATEMENTS: Readonly<Record<Review, ReturnType<typeof reviewStatement>>> = {
  approve: reviewStatement('approve'),
  hold: reviewStatement('hold'),
  reject: reviewStatement('reject'),
};

/** Reviews the comments that the account moderates among those it sees, with their events, in one statement. */
export function reviewComments(db: Executor, review: Review, ids: readonly string[], accountId: string): Promise<Reviewed[]> {
  return db.run<Reviewed>(STATEMENTS[review], [ids, accountId]);
}
