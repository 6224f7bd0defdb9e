import type { RowScope } from '../../gql/index.ts';

/** Whether the channel with this id belongs to the viewer; null for nobody. */
export function ownsChannel(s: Pick<RowScope, 'viewer'>, channelId: string): string {
  return `exists (select 1 from channels o where o.id = ${channelId} and o.account_id = ${s.viewer}.account_id)`;
}

/** Whether anyone may watch the content with this id: its media has plain addresses. */
export function isOpenContent(contentId: string): string {
  return `exists (select 1 from contents k where k.id = ${contentId} and k.status = 'PUBLISHED' and k.visibility <> 'PRIVATE' and k.deleted_at is null)`;
}

/** Whether the content with this id is not in the trash. */
export function isKeptContent(contentId: string): string {
  return `exists (select 1 from contents k where k.id = ${contentId} and k.deleted_at is null)`;
}
