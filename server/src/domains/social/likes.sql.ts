import type { RowScope } from '../../gql/index.ts';

/** SQL: whether the viewer likes the content with this id. */
export function isLiked(contentId: string, s: Pick<RowScope, 'viewer' | 'credential'>): string {
  return `exists (select 1 from likes l where l.content_id = ${contentId} and l.account_id = ${s.viewer}.account_id)`;
}

/** SQL: contents with each like of theirs, as `liked_by` and `liked_at`. */
export const LIKED_CONTENTS =
  '(select c.*, l.account_id as liked_by, l.created_at as liked_at ' +
  'from likes l join contents c on c.id = l.content_id)';
