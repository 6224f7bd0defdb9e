import type { CommandScope, CommandTarget } from '../../../gql/index.ts';
import { mayInChannel } from '../../channels/index.ts';
import { isBlocked } from '../blocks/blocks.store.ts';
import { isVisibleComment } from './comment-visibility.sql.ts';

type Writes = Readonly<Record<string, string>>;

/** Input common to all commands on a comment. */
export interface CommentTarget {
  readonly id: string;
}

/** The comment as the viewer sees it; placeholders do not count. */
export const COMMENT_TARGET: CommandTarget<CommentTarget> = {
  field: 'id',
  from: (s) => `join comments x on x.id = ${s.value(({ id }) => id, 'uuid')} and x.deleted_at is null`,
  columns: (s) => ({
    id: 'x.id',
    account_id: `${s.viewer}.account_id`,
    visible: isVisibleComment('x', s),
    author: `x.account_id is not distinct from ${s.viewer}.account_id`,
    moderator: mayInChannel(s, 'x.channel_id', 'comment:moderate'),
    blocked: isBlocked(`${s.viewer}.account_id`, 'x.channel_id'),
    published: `x.status = 'PUBLISHED'`,
  }),
};

/** As `COMMENT_TARGET`, with what the payload of a deletion reads. */
export const DELETED_COMMENT_TARGET: CommandTarget<CommentTarget> = {
  ...COMMENT_TARGET,
  columns: (s) => ({
    ...COMMENT_TARGET.columns(s),
    content_id: 'x.content_id',
    parent_id: `(select p.id from comments p where p.id = x.parent_id and ${isVisibleComment('p', s)})`,
  }),
  payloadColumns: ['content_id', 'parent_id'],
};

/** Writes 'comment.updated' for the rows of `changed`. */
export const UPDATED = `insert into events (type, channel_id, subject_id, payload)
    select 'comment.updated', channel_id, id, jsonb_build_object('contentId', content_id, 'status', status)
    from changed`;

/** Removes a comment; the function writes the event. */
export function deleteCommentWrites(s: CommandScope<CommentTarget>): Writes {
  return {
    changed: `select comment_remove(t.id, ${s.now}) as removed from permitted t`,
  };
}

/** Input of deleteComment: the function reports whether the comment still existed under its lock. */
export const IS_REMOVED = { name: 'removed', that: 'select removed from changed' } as const;

/** Adds or removes the channel's heart on a published comment. */
export function heartCommentWrites(hearted: boolean) {
  return (): Writes => ({
    changed: `
    update comments c set hearted = ${hearted} from permitted t where c.id = t.id and c.hearted <> ${hearted}
      returning c.*`,
    event: `insert into events (type, channel_id, subject_id, payload)
    select 'comment.updated', channel_id, id,
      jsonb_build_object('contentId', content_id, 'status', status, 'hearted', hearted)
    from changed`,
  });
}

/** Unpins a comment. */
export function unpinCommentWrites(): Writes {
  return {
    changed: 'update comments c set pin = 0 from permitted t where c.id = t.id and c.pin = 1 returning c.*',
    event: UPDATED,
  };
}

/** Likes a published comment. Without an event: likes of comments are only counted. */
export function likeCommentWrites(s: CommandScope<CommentTarget>): Writes {
  return {
    changed: `
    insert into comment_likes (comment_id, account_id, created_at)
    select t.id, t.account_id, ${s.now} from permitted t on conflict do nothing`,
  };
}

/** Removes a like of a comment. */
export function unlikeCommentWrites(): Writes {
  return {
    changed: 'delete from comment_likes l using permitted t where l.comment_id = t.id and l.account_id = t.account_id',
  };
}
