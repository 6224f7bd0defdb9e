import type { RowScope } from '../../../gql/index.ts';
import { CHANNEL_ROLES, type ChannelRole, PERMISSIONS, type Permission } from '../../../kernel/permissions.ts';

/** Permissions that require a role in a channel. */
export type ChannelPermission = {
  [P in Permission]: (typeof PERMISSIONS)[P]['role'] extends ChannelRole ? P : never;
}[Permission];

/** The roles that may use `permission` in a channel, as an SQL list of literals: `'MANAGER', 'OWNER'`. */
export function rolesFor(permission: ChannelPermission): string {
  const least = CHANNEL_ROLES.indexOf(PERMISSIONS[permission].role);
  return CHANNEL_ROLES.slice(least)
    .map((role) => `'${role}'`)
    .join(', ');
}

/**
 * SQL: whether the viewer's role in the channel with this id allows `permission`; false for non-members and anonymous
 * viewers.
 */
export function mayInChannel(s: Pick<RowScope, 'viewer'>, channelId: string, permission: ChannelPermission): string {
  return accountMay(`${s.viewer}.account_id`, channelId, permission);
}

/** As {@link mayInChannel}, for an account given as SQL. */
export function accountMay(accountId: string, channelId: string, permission: ChannelPermission): string {
  return (
    `exists (select 1 from channel_members m where m.channel_id = ${channelId} and ` +
    `m.account_id = ${accountId} and m.role in (${rolesFor(permission)}))`
  );
}

/** SQL: whether the viewer is a member of the channel with this id, in any role: members see what is not public. */
export function isMember(s: Pick<RowScope, 'viewer'>, channelId: string): string {
  return (
    'exists (select 1 from channel_members m where m.channel_id ' +
    `= ${channelId} and m.account_id = ${s.viewer}.account_id)`
  );
}

/** SQL: the viewer's role in the channel with this id; null for non-members. */
export function roleOfViewer(s: Pick<RowScope, 'viewer'>, channelId: string): string {
  return (
    '(select m.role from channel_members m where m.channel_id ' +
    `= ${channelId} and m.account_id = ${s.viewer}.account_id)`
  );
}

/**
 * SQL of the facts about the viewer's role in a channel for a policy: `member` in any role, `may` in one that allows
 * `permission`.
 */
export function channelFacts(
  s: Pick<RowScope, 'viewer'>,
  channelId: string,
  permission: ChannelPermission,
): { member: string; may: string } {
  return { member: isMember(s, channelId), may: mayInChannel(s, channelId, permission) };
}
