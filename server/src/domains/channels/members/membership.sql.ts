import { type RowScope, tokenHas } from '../../../gql/index.ts';
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

/** Whose row is asked about: the viewer's, with the kind of its credential. */
export type Caller = Pick<RowScope, 'viewer' | 'credential'>;

/**
 * The viewer of a statement outside a request's own, as the row `v` of `viewerRow`: with the limits of a token, which
 * other credentials do not have there.
 */
export const SCOPED: Caller = { viewer: 'v', credential: 'token' };

/**
 * SQL: what a scoped token allows of a membership `m`, as a further condition: the channels that it is limited to, and
 * `permission` (null: any). This is where tokens limit what an account may do in a channel and sees of it; the
 * statements of other credentials have no such condition.
 */
export function tokenAllows({ viewer, credential }: Caller, permission: Permission | null, m = 'm'): string {
  if (credential !== 'token') return '';
  const channels = ` and (${viewer}.token_channels is null or ${m}.channel_id = any(${viewer}.token_channels))`;
  return permission === null ? channels : `${channels} and ${tokenHas(viewer, permission)}`;
}

/**
 * SQL: what a scoped token allows of what its account wrote itself, as a further condition: it lies in a channel of
 * other people, or in one that the token is not limited from.
 */
export function tokenAllowsOwn({ viewer, credential }: Caller, channelId: string): string {
  if (credential !== 'token') return '';
  return (
    ` and (${viewer}.token_channels is null or ${channelId} = any(${viewer}.token_channels) or not exists ` +
    `(select 1 from channel_members own where own.channel_id = ${channelId} ` +
    `and own.account_id = ${viewer}.account_id))`
  );
}

/**
 * SQL: whether the viewer's role in the channel with this id allows `permission`; false for non-members and anonymous
 * viewers.
 */
export function mayInChannel(s: Caller, channelId: string, permission: ChannelPermission): string {
  return roleAllows(`${s.viewer}.account_id`, channelId, permission, tokenAllows(s, permission));
}

/** As {@link mayInChannel}, where the permission of the credential has been checked before. */
export function roleMay(s: Caller, channelId: string, permission: ChannelPermission): string {
  return roleAllows(`${s.viewer}.account_id`, channelId, permission, tokenAllows(s, null));
}

function roleAllows(accountId: string, channelId: string, permission: ChannelPermission, further = ''): string {
  return (
    `exists (select 1 from channel_members m where m.channel_id = ${channelId} and ` +
    `m.account_id = ${accountId} and m.role in (${rolesFor(permission)})${further})`
  );
}

/**
 * SQL: whether the viewer is a member of the channel with this id, in any role: members see what is not public. A token
 * must have the permission to read it.
 */
export function isMember(s: Caller, channelId: string, reading: Permission | null = 'content:read'): string {
  return (
    'exists (select 1 from channel_members m where m.channel_id ' +
    `= ${channelId} and m.account_id = ${s.viewer}.account_id${tokenAllows(s, reading)})`
  );
}

/** SQL: the viewer's role in the channel with this id; null for non-members. */
export function roleOfViewer(s: Caller, channelId: string): string {
  return (
    '(select m.role from channel_members m where m.channel_id ' +
    `= ${channelId} and m.account_id = ${s.viewer}.account_id${tokenAllows(s, null)})`
  );
}

/**
 * SQL of the facts about the viewer's role in a channel for a policy: `member` in any role, `may` in one that allows
 * `permission`.
 */
export function channelFacts(
  s: Caller,
  channelId: string,
  permission: ChannelPermission,
): { member: string; may: string } {
  return { member: isMember(s, channelId, null), may: mayInChannel(s, channelId, permission) };
}

/** SQL: how many channels the account of the row `t` is a member of, as far as the viewer's credential sees them. */
export function channelCount(s: Pick<RowScope, 't' | 'viewer' | 'credential'>): string {
  const limits = tokenAllows(s, null);
  if (limits === '') return `counter_value('account:channels', ${s.t}.account_id)`;
  return `(select count(*) from channel_members m where m.account_id = ${s.t}.account_id${limits})`;
}
