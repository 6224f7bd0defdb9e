import type { RowScope } from '../../../gql/index.ts';
import { isVisibleContent } from '../../catalog/index.ts';
import { mayInChannel, tokenAllowsOwn } from '../../channels/index.ts';

type Viewer = Pick<RowScope, 'viewer' | 'credential'>;

/**
 * SQL: whether the viewer sees the text of a held or rejected comment: its author and the moderators do. Nobody sees
 * that of a deleted one, which is kept while the author may still reopen the account.
 */
export function seesHidden(child: string, s: Viewer): string {
  return (
    `(${child}.deleted_at is null and (${child}.account_id = ${s.viewer}.account_id` +
    `${tokenAllowsOwn(s, `${child}.channel_id`)} or ` +
    `${mayInChannel(s, `${child}.channel_id`, 'comment:moderate')}))`
  );
}

/** SQL: whether the viewer sees the text of a comment. */
export function seesBody(child: string, s: Viewer): string {
  return `(${child}.status = 'PUBLISHED' and ${child}.deleted_at is null or ${seesHidden(child, s)})`;
}

/**
 * SQL: comments that the viewer may see: listed ones, own ones and those in moderated channels, on contents the viewer
 * may see.
 */
export function isVisibleComment(child: string, s: Viewer): string {
  return (
    `((${child}.listed or ${seesHidden(child, s)}) and exists (select 1 from contents ` +
    `k where k.id = ${child}.content_id and ${isVisibleContent('k', s)}))`
  );
}
