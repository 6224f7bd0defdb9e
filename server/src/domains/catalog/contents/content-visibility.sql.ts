import type { RowScope } from '../../../gql/index.ts';
import { isMember, isSharedContent } from '../../channels/index.ts';

/**
 * SQL: contents the viewer may see: own ones in any state, others while they, and what they are part of, are published
 * and not private, or shared with the viewer; none in the trash.
 */
export function isVisibleContent(child: string, s: Pick<RowScope, 'viewer' | 'credential'>): string {
  return (
    `(${child}.deleted_at is null and (${child}.effective_visibility <> 'PRIVATE' or ` +
    `${isMember(s, `${child}.channel_id`)} or ${isSharedContent(child, s)}))`
  );
}
