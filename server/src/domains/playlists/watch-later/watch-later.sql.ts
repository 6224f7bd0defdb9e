import type { RowScope } from '../../../gql/index.ts';

/** Maximum number of entries of an account. */
export const MAX_WATCH_LATER = 5_000;

/** SQL: contents with each entry of theirs, as `wanted_by` and `wanted_at`. */
export const WATCH_LATER_CONTENTS =
  '(select c.*, w.account_id as wanted_by, w.created_at as wanted_at ' +
  'from watch_later w join contents c on c.id = w.content_id)';

/** SQL: whether the content with this id is on the viewer's list. */
export function isInWatchLater(contentId: string, s: Pick<RowScope, 'viewer' | 'credential'>): string {
  return (
    `exists (select 1 from watch_later w where w.content_id = ${contentId} ` +
    `and w.account_id = ${s.viewer}.account_id)`
  );
}
