import {
  type ArgBuilder,
  type CommandContext,
  countRows,
  type EntityRef,
  type Graph,
  type RowScope,
} from '../../../gql/index.ts';
import { MAX_MEMBERS } from '../members/change-members.ts';
import { MEMBER_CHANGE } from '../members/member.policy.ts';
import type { MemberTypes } from '../members/members.graphql.ts';
import { mayInChannel } from '../members/membership.sql.ts';
import { acceptInvitation, declineInvitation } from './answer-invitation.ts';
import { INVITATION_ANSWER, INVITATION_WITHDRAWAL } from './invitation.policy.ts';
import { isInvited, isInvitedByLink, isOpenInvitation } from './invitations.sql.ts';
import { INVITATION_DAYS, inviteMember, tokenHashOf } from './invite-member.ts';
import { withdrawInvitation } from './withdraw-invitation.ts';

interface Types extends MemberTypes {
  readonly Node: EntityRef;
  readonly Channel: EntityRef;
  readonly Me: EntityRef;
}

const ANSWER_HELP = 'token: of the link in the message, needed if your account has not confirmed the invited address.';

/** Declares invitations to channels, and the mutations on them. */
export function declareChannelInvitations(graph: Graph, types: Types): EntityRef {
  const ChannelInvitation = declareInvitation(graph, types);
  const { Channel, Me } = types;
  const newest = (child: string) => [`${child}.created_at`, `${child}.id`];
  const isOpen = (child: string, s: RowScope) =>
    isOpenInvitation(
      child,
      s.param((env) => env.nowIso, 'timestamptz'),
    );
  const count = (where: (row: string) => string) => countRows('channel_invitations', where);
  graph.extend(Channel, (f) => ({
    invitations: f.connection({
      type: ChannelInvitation,
      nullable: true,
      description: 'Invitations that wait for an answer, newest first; null unless the viewer may manage members.',
      where: (child, s) => `${child}.channel_id = ${s.t}.id and ${isOpen(child, s)}`,
      order: newest,
      total: (s) => count((row) => `${row}.channel_id = ${s.t}.id and ${isOpen(row, s)}`),
      visibleIf: (s) => mayInChannel(s, `${s.t}.id`, 'member:manage'),
    }),
  }));
  graph.extend(Me, (f) => ({
    channelInvitations: f.connection({
      type: ChannelInvitation,
      description:
        'Invitations to channels that wait for an answer of the account, newest first: by its username, or by its ' +
        'address if that is confirmed.',
      where: (child, s) => `${isInvited(child, s)} and ${isOpen(child, s)}`,
      order: newest,
      total: (s) => count((row) => `${isInvited(row, s)} and ${isOpen(row, s)}`),
    }),
  }));
  graph.queryOne('channelInvitation', {
    access: 'account:read',
    type: ChannelInvitation,
    description: 'The invitation of a link; null if it is for another account, was answered, withdrawn or has expired.',
    args: (t) => ({ token: t.string({ required: true, description: 'The token of the link.' }) }),
    on: (child, s, args) =>
      `${child}.token_hash = ${args.read('token', (token) => tokenHashOf(String(token)), 'bytea')} and ` +
      `${isInvitedByLink(child, s)} and ${isOpen(child, s)}`,
    missing: 'null',
  });
  declareMutations(graph, types, ChannelInvitation);
  return ChannelInvitation;
}

function declareInvitation(graph: Graph, { Node, Channel, ChannelRole, MemberAccount }: Types): EntityRef {
  return graph.entity('ChannelInvitation', {
    description: 'An invitation to become a member of a channel.',
    table: 'channel_invitations',
    interfaces: [Node],
    node: {
      kinds: ['channelInvitation'],
      where: (child, s) => `(${mayInChannel(s, `${child}.channel_id`, 'member:manage')} or ${isInvited(child, s)})`,
    },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the invitation.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('channelInvitation', id),
      }),
      channel: f.one({
        type: Channel,
        description: 'The channel.',
        on: (child, s) => `${child}.id = ${s.t}.channel_id`,
      }),
      role: f.column({ type: ChannelRole, description: 'The role it gives.', sql: (s) => `${s.t}.role` }),
      account: f.one({
        type: MemberAccount,
        nullable: true,
        description: 'The invited account; null for an address, which may have none.',
        on: (child, s) => `${child}.id = ${s.t}.account_id`,
      }),
      email: f.column({
        type: 'String',
        nullable: true,
        description: 'The invited address; null for an account.',
        sql: (s) => `${s.t}.email`,
      }),
      invitedBy: f.one({
        type: MemberAccount,
        nullable: true,
        description: 'Who invited; null if the account was deleted.',
        on: (child, s) => `${child}.id = ${s.t}.invited_by`,
      }),
      createdAt: f.column({ type: 'DateTime', description: 'When it was sent.', sql: (s) => `${s.t}.created_at` }),
      expiresAt: f.column({ type: 'DateTime', description: 'When it expires.', sql: (s) => `${s.t}.expires_at` }),
    }),
  });
}

function declareMutations(graph: Graph, { Channel, ChannelRole }: Types, ChannelInvitation: EntityRef): void {
  const InviteChannelMemberInput = graph.builder.inputType('InviteChannelMemberInput', {
    description: 'Who is invited: either username or email.',
    fields: (t) => ({
      username: t.string({ description: 'Username of an account.' }),
      email: t.string({ description: 'Email address, with or without an account.' }),
      role: t.field({ type: ChannelRole, required: true, description: 'The role: VIEWER, EDITOR or MANAGER.' }),
    }),
  });
  graph.mutation('inviteChannelMember', {
    access: 'member:manage',
    policies: [MEMBER_CHANGE],
    description:
      'Invites a person to become a member of a channel, who gets a message and, with an account, a notification. ' +
      `For managers and the owner. The invitation expires after ${INVITATION_DAYS} days and replaces an earlier one ` +
      `to the same person. A channel has at most ${MAX_MEMBERS} members and open invitations.`,
    payload: (f) => ({ invitation: f.read({ type: ChannelInvitation, description: 'The invitation.' }) }),
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: 'Id of the channel.' }),
      input: t.field({ type: InviteChannelMemberInput, required: true, description: 'The person and the role.' }),
    }),
    command: (context, { id, input }) => inviteMember(context, context.parseDid(id, ['channel'], 'id').id, input),
  });
  const invitationId = (t: ArgBuilder) =>
    t.field({ type: 'DID', required: true, description: 'Id of the invitation.' });
  const answerInput = (name: string) =>
    graph.builder.inputType(name, {
      description: 'The answer to an invitation.',
      fields: (t) => ({ token: t.string({ description: ANSWER_HELP }) }),
    });
  const AcceptChannelInvitationInput = answerInput('AcceptChannelInvitationInput');
  const DeclineChannelInvitationInput = answerInput('DeclineChannelInvitationInput');
  graph.mutation('withdrawChannelInvitation', {
    access: 'member:manage',
    policies: [INVITATION_WITHDRAWAL],
    description: 'Withdraws an invitation to a channel. For managers and the owner.',
    payload: (f) => ({
      withdrawn: f.value({ type: 'Boolean', description: 'False if it had ended already, for example as accepted.' }),
    }),
    args: (t: ArgBuilder) => ({ id: invitationId(t) }),
    command: async (context, { id }) => ({
      withdrawn: await withdrawInvitation(context, idOf(context, id)),
    }),
  });
  graph.mutation('acceptChannelInvitation', {
    access: 'account:update',
    policies: [INVITATION_ANSWER],
    description: 'Makes you a member of a channel that you are invited to. A member keeps the role. Idempotent.',
    payload: (f) => ({ channel: f.read({ type: Channel, description: 'The channel.' }) }),
    args: (t: ArgBuilder) => ({
      id: invitationId(t),
      input: t.field({ type: AcceptChannelInvitationInput, description: 'For an invitation by email.' }),
    }),
    command: (context, { id, input }) => acceptInvitation(context, { id: idOf(context, id), token: input?.token }),
  });
  graph.mutation('declineChannelInvitation', {
    access: 'account:update',
    policies: [INVITATION_ANSWER],
    description: 'Declines an invitation to a channel.',
    payload: (f) => ({ declined: f.value({ type: 'Boolean', description: 'False if you had accepted it before.' }) }),
    args: (t: ArgBuilder) => ({
      id: invitationId(t),
      input: t.field({ type: DeclineChannelInvitationInput, description: 'For an invitation by email.' }),
    }),
    command: async (context, { id, input }) => ({
      declined: await declineInvitation(context, { id: idOf(context, id), token: input?.token }),
    }),
  });
}

function idOf(context: CommandContext, id: string): string {
  return context.parseDid(id, ['channelInvitation'], 'id').id;
}
