import type { RowScope } from '../../../gql/index.ts';
import { isVisibleContent } from '../../catalog/index.ts';
import { isVisibleComment, seesBody, seesHidden } from './comment-visibility.sql.ts';

type Viewer = Pick<RowScope, 'viewer' | 'credential'>;

/** SQL: the text of a comment; empty where the viewer does not see it. */
export function bodyOf(comment: string, s: Viewer): string {
  return `case when ${seesBody(comment, s)} then ${comment}.body else '' end`;
}

/** SQL: the likes of a comment; those of a deleted one do not count. */
export function likesOf(comment: string): string {
  return `case when ${comment}.deleted_at is null then ${comment}.likes_count else 0 end`;
}

/** SQL: whether the viewer likes a comment. */
export function isCommentLiked(comment: string, s: Viewer): string {
  return (
    `exists (select 1 from comment_likes l where l.comment_id = ${comment}.id and ` +
    `l.account_id = ${s.viewer}.account_id)`
  );
}

/** SQL: the id of the first comment of the thread of a comment. */
export function threadOf(comment: string): string {
  return `coalesce(${comment}.root_id, ${comment}.id)`;
}

/** SQL: the state of a comment. */
export function statusOf(comment: string): string {
  return `case when ${comment}.deleted_at is not null then 'DELETED' else ${comment}.status end`;
}

/** SQL: why a comment is held; null where it is not, or where the viewer may not know. */
export function heldForOf(comment: string, s: Viewer): string {
  return `case when ${comment}.status = 'HELD' and ${seesHidden(comment, s)} then ${comment}.held_for end`;
}

/** SQL: whether the viewer may see the former texts of the comment of an edit. */
export function isVisibleEdit(edit: string, s: Viewer): string {
  return (
    `exists (select 1 from comments x where x.id = ${edit}.comment_id ` +
    `and ${seesHidden('x', s)} and ${isVisibleComment('x', s)})`
  );
}

/** SQL: the accounts that a comment mentions, as JSON by name; null where the viewer does not see its text. */
export function mentionsOf(comment: string, s: Viewer): string {
  return `case when ${seesBody(comment, s)} then
    (select jsonb_agg(jsonb_build_object('channel', a.primary_channel_id, 'username', a.username) order by a.username)
    from comment_mentions n join accounts a on a.id = n.account_id where n.comment_id = ${comment}.id) end`;
}

/** SQL: whether the viewer has commented on the content with this id. */
export function isCommented(contentId: string, s: Viewer): string {
  return (
    `exists (select 1 from comments x where x.account_id = ${s.viewer}.account_id ` + `and x.content_id = ${contentId})`
  );
}

/** SQL: the content with this id where the viewer may see it: one lookup before its comments are read. */
export function visibleContent(id: string, s: Viewer): string {
  return `(select k.id from contents k where k.id = ${id} and ${isVisibleContent('k', s)})`;
}

/** SQL: comments with each account that they mention, as `mentioned_id`. */
export const MENTIONING_COMMENTS =
  '(select x.*, n.account_id as mentioned_id from comment_mentions n join comments x on x.id = n.comment_id)';
