import type { RowScope } from '../../../gql/index.ts';
import { isVisibleContent } from '../../catalog/index.ts';
import { isMember, isOpenInvitation, tokenAllows } from '../../channels/index.ts';
import { isVisibleComment } from '../comments/comment-visibility.sql.ts';

/** Maximum count of notifications: more are counted as this many. */
export const MOST_COUNTED = 1_000;

type Viewer = Pick<RowScope, 'viewer' | 'credential'>;

/**
 * SQL: whether the account may still see what the notification is about, or has reported it. Processing is the concern
 * of members, and of tokens for their channel.
 */
export function isReachable(row: string, s: Viewer, now = 'now()'): string {
  return (
    `case when ${row}.invitation_id is not null then exists (select 1 from channel_invitations i ` +
    `where i.id = ${row}.invitation_id and ${isOpenInvitation('i', now)}${tokenAllows(s, null, 'i')}) ` +
    `when ${row}.kind = 'REPORT_REVIEWED' then true else ` +
    `exists (select 1 from contents k where k.id = ${row}.content_id and ${isVisibleContent('k', s)}` +
    `${tokenAllows(s, null, 'k')} and ` +
    `(${row}.kind not in ('PROCESSING_DONE', 'PROCESSING_FAILED') or ${isMember(s, 'k.channel_id')})) and ` +
    `(${row}.comment_id is null or exists (select 1 from comments x where x.id = ${row}.comment_id ` +
    `and x.deleted_at is null and ${isVisibleComment('x', s)})) end`
  );
}

/** SQL: whether a broadcast of the content with this id is live, or waits for its encoder. */
export function isLive(contentId: string): string {
  const isOpen = `b.state in ('LIVE', 'RECONNECTING')`;
  return `exists (select 1 from broadcasts b where b.content_id = ${contentId} and ${isOpen})`;
}

/** SQL: notifications that the viewer sees in the application. */
export function isOwnNotification(row: string, s: Viewer & Pick<RowScope, 'param'>): string {
  const now = s.param((env) => env.nowIso, 'timestamptz');
  return `${row}.account_id = ${s.viewer}.account_id and ${row}.in_page and ${isReachable(row, s, now)}`;
}

/** SQL: the settings of all kinds for an account, as JSON. */
export function settingsOf(accountId: string, kinds: readonly string[]): string {
  const list = kinds.map((kind) => `'${kind}'`).join(', ');
  return (
    `(select jsonb_agg(jsonb_build_object('kind', k.kind, 'inPage', not k.kind = any(n.notifications_off), ` +
    `'byMail', k.kind = any(n.notifications_mailed)) order by k.place) from account_settings n, ` +
    `unnest(array[${list}]) with ordinality k(kind, place) where n.account_id = ${accountId})`
  );
}
