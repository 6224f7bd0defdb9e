import type { CommandScope } from '../../../gql/index.ts';
import { mayInChannel } from '../../channels/index.ts';
import { isBlocked } from '../moderation/blocks.store.ts';
import { isVisibleComment } from './comment-visibility.ts';

const V = { viewer: 'v' } as const;

type Ctes = Readonly<Record<string, string>>;

/** What every command on one comment knows after reading its arguments. */
export interface CommentTarget {
  readonly id: string;
}

/** `returns` of the commands: all null when there is no such comment for the viewer. */
export const COMMENT_FACTS = {
  author: 'select author from target',
  moderator: 'select moderator from target',
  blocked: 'select blocked from target',
  published: 'select published from target',
} as const;

/** `returns` of deleteComment: also whether it was still there when its lock was had. */
export const DELETION_FACTS = { ...COMMENT_FACTS, removed: 'select removed from changed' } as const;

/** The comment with what the policy wants to know; no row when the viewer may not see it, or when it is an empty place. */
function target(s: CommandScope<CommentTarget>): string {
  return `
    select x.id, x.content_id, x.channel_id, v.account_id, x.account_id is not distinct from v.account_id as author, x.status = 'PUBLISHED' as published,
      ${mayInChannel(V, 'x.channel_id', 'comment:moderate')} as moderator, ${isBlocked('v.account_id', 'x.channel_id')} as blocked
    from ${s.allowed} v
    join comments x on x.id = ${s.value(({ id }) => id, 'uuid')} and x.deleted_at is null and ${isVisibleComment('x', V)}`;
}

/** Writes 'comment.updated' for the rows of `changed`. */
export const UPDATED = `insert into events (type, channel_id, subject_id, payload)
    select 'comment.updated', channel_id, id, jsonb_build_object('contentId', content_id, 'status', status) from changed`;

/** Removes a comment; the function writes the event. */
export function deleteCommentCtes(s: CommandScope<CommentTarget>): Ctes {
  return {
    target: target(s),
    changed: `select comment_remove(t.id, ${s.now}) as removed from target t where t.author or t.moderator`,
  };
}

/** Gives a published comment the channel's heart, or takes it back. */
export function heartCommentCtes(hearted: boolean) {
  return (s: CommandScope<CommentTarget>): Ctes => ({
    target: target(s),
    changed: `
    update comments c set hearted = ${hearted} from target t where c.id = t.id and t.moderator and c.hearted <> ${hearted}
      and (t.published or not ${hearted}) returning c.*`,
    event: UPDATED,
  });
}

/** Takes a pinned comment from the top of its list. */
export function unpinCommentCtes(s: CommandScope<CommentTarget>): Ctes {
  return {
    target: target(s),
    changed: 'update comments c set pin = 0 from target t where c.id = t.id and t.moderator and c.pin = 1 returning c.*',
    event: UPDATED,
  };
}

/** Likes a published comment. No event: likes of comments are counted and not told. */
export function likeCommentCtes(s: CommandScope<CommentTarget>): Ctes {
  return {
    target: target(s),
    changed: `
    insert into comment_likes (comment_id, account_id, created_at)
    select t.id, t.account_id, ${s.now} from target t where t.published and not t.blocked on conflict do nothing`,
  };
}

/** Takes a like of a comment back. */
export function unlikeCommentCtes(s: CommandScope<CommentTarget>): Ctes {
  return {
    target: target(s),
    changed: 'delete from comment_likes l using target t where l.comment_id = t.id and l.account_id = t.account_id',
  };
}
