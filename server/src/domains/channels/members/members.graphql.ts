import type { EntityRef, FieldFactory, Graph } from '../../../gql/index.ts';
import { CHANNEL_ROLES, type ChannelRole } from '../../../kernel/permissions.ts';
import { isOwn } from '../../accounts/index.ts';
import { channelCount, isMember, roleOfViewer, tokenAllows } from './membership.sql.ts';
import { ROLE_MEANINGS } from './role-meanings.ts';

export interface MemberTypes {
  readonly ChannelRole: ReturnType<typeof declareRole>;
  readonly ChannelMember: EntityRef;
  readonly MemberAccount: EntityRef;
}

function declareRole(graph: Graph) {
  return graph.builder.enumType('ChannelRole', {
    description: 'Role of an account in a channel; each role includes the ones before it.',
    values: Object.fromEntries(CHANNEL_ROLES.map((role) => [role, { description: ROLE_MEANINGS[role] }])) as Record<
      ChannelRole,
      { description: string }
    >, // fromEntries widens the keys
  });
}

/** Declares the members of a channel, and the memberships of an account. */
export function declareMembers(
  graph: Graph,
  { Node, Channel, Me }: Record<'Node' | 'Channel' | 'Me', EntityRef>,
): MemberTypes {
  const ChannelRole = declareRole(graph);
  const MemberAccount = declareMemberAccount(graph, Channel);
  const ChannelMember = declareMember(graph, ChannelRole, { Node, MemberAccount });
  const newest = (child: string) => [`${child}.created_at`, `${child}.id`];
  graph.extend(Channel, (f) => ({
    members: f.connection({
      type: ChannelMember,
      nullable: true,
      description: 'Members of the channel, newest first; null unless the viewer is a member.',
      where: (child, s) => `${child}.channel_id = ${s.t}.id`,
      order: newest,
      total: (s) => `counter_value('channel:members', ${s.t}.id)`,
      visibleIf: (s) => isMember(s, `${s.t}.id`, 'member:read'),
    }),
    viewerRole: f.column({
      type: ChannelRole,
      nullable: true,
      description: 'Your role in the channel; null if you are not a member.',
      sql: (s) => roleOfViewer(s, `${s.t}.id`),
    }),
  }));
  const ChannelMembership = graph.entity('ChannelMembership', {
    description: 'A channel that an account is a member of.',
    table: 'channel_members',
    interfaces: [Node],
    node: { kinds: ['membership'], where: (child, s) => `${isOwn(child, s)}${tokenAllows(s, null, child)}` },
    fields: (f) => ({
      id: identifier(f, 'membership'),
      role: f.column({
        type: ChannelRole,
        description: 'Role of the account in the channel.',
        sql: (s) => `${s.t}.role`,
      }),
      channel: f.one({
        type: Channel,
        description: 'The channel.',
        on: (child, s) => `${child}.id = ${s.t}.channel_id`,
      }),
      createdAt: f.column({
        type: 'DateTime',
        description: 'When the membership began.',
        sql: (s) => `${s.t}.created_at`,
      }),
    }),
  });
  graph.extend(Me, (f) => ({
    channels: f.connection({
      type: ChannelMembership,
      description: 'All channels that the account is a member of, in any role, newest membership first.',
      where: (child, s) => `${child}.account_id = ${s.t}.account_id${tokenAllows(s, null, child)}`,
      order: newest,
      total: (s) => channelCount(s),
    }),
  }));
  return { ChannelRole, ChannelMember, MemberAccount };
}

function declareMemberAccount(graph: Graph, Channel: EntityRef): EntityRef {
  return graph.entity('MemberAccount', {
    description: 'An account, as other members of a channel see it.',
    table: 'accounts',
    fields: (f) => ({
      username: f.column({ type: 'String', description: 'Unique name of the account.', sql: (s) => `${s.t}.username` }),
      displayName: f.column({ type: 'String', description: 'Display name.', sql: (s) => `${s.t}.name` }),
      channel: f.one({
        type: Channel,
        description: "The account's own channel.",
        on: (child, s) => `${child}.id = ${s.t}.primary_channel_id`,
      }),
    }),
  });
}

function declareMember(
  graph: Graph,
  ChannelRole: MemberTypes['ChannelRole'],
  { Node, MemberAccount }: Record<'Node' | 'MemberAccount', EntityRef>,
): EntityRef {
  return graph.entity('ChannelMember', {
    description: 'A member of a channel.',
    table: 'channel_members',
    interfaces: [Node],
    node: { kinds: ['member'], where: (child, s) => isMember(s, `${child}.channel_id`, 'member:read') },
    fields: (f) => ({
      id: identifier(f, 'member'),
      account: f.one({
        type: MemberAccount,
        description: 'The account.',
        on: (child, s) => `${child}.id = ${s.t}.account_id`,
      }),
      role: f.column({
        type: ChannelRole,
        description: 'Role of the account in the channel.',
        sql: (s) => `${s.t}.role`,
      }),
      createdAt: f.column({
        type: 'DateTime',
        description: 'When the membership began.',
        sql: (s) => `${s.t}.created_at`,
      }),
    }),
  });
}

/**
 * Seen from the channel and from the account, one and the same row has two identifiers: each is a node of its own type.
 */
function identifier(f: FieldFactory, kind: 'member' | 'membership') {
  return f.column({
    type: 'DID',
    description: 'Id of the membership.',
    sql: (s) => `${s.t}.id`,
    read: ([id]: [string], env) => env.did(kind, id),
  });
}
