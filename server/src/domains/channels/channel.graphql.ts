import {
  type ArgBuilder,
  type ArgScope,
  CHANGES_HELP,
  changeInputFields,
  type EntityRef,
  type Graph,
  ifRevisionField,
  newInputFields,
  outputFields,
  type RowScope,
  revisionField,
} from '../../gql/index.ts';
import { AppError } from '../../kernel/errors.ts';
import { deletions } from '../../kernel/key-budgets.ts';
import { t } from '../../kernel/languages/message.ts';
import { CHANNEL_FIELDS, CHANNEL_METADATA_FIELDS, CHANNEL_OWN_FIELDS } from './channel-fields.ts';
import { isVisibleChannel } from './channel-visibility.sql.ts';
import { createChannel } from './create-channel.ts';
import { CHANNEL_DELETION, deleteChannel } from './delete-channel.ts';
import { declareChannelInvitations } from './invitations/invitations.graphql.ts';
import { declareMemberMutations } from './members/member-mutations.graphql.ts';
import { declareMembers } from './members/members.graphql.ts';
import { requireAccount } from './require-account.ts';
import { declareShared, type SharedTypes } from './shared.graphql.ts';
import { updateChannel } from './update-channel.ts';

const EVERY_CHANNEL = '00000000-0000-0000-0000-000000000000';

export interface ChannelTypes extends SharedTypes {
  readonly Channel: EntityRef;
  readonly ChannelMetadata: EntityRef;
  readonly ChannelInvitation: EntityRef;
  readonly MemberAccount: EntityRef;
}

/** Declares channels, and the account's own one on `me`. Higher domains add fields. */
export function declareChannels(
  graph: Graph,
  { Me, Node, Account }: Record<'Me' | 'Node' | 'Account', EntityRef>,
): ChannelTypes {
  const shared = declareShared(graph, Node);
  const ChannelMetadata = declareChannelMetadata(graph, shared);
  const Channel = declareChannel(graph, shared, ChannelMetadata);
  graph.extend(Me, (f) => ({
    channel: f.one({
      type: Channel,
      description: "The account's own channel.",
      on: (child, s) => `${child}.id = ${s.t}.channel_id`,
    }),
  }));
  graph.extend(Account, (f) => ({
    channel: f.one({
      type: Channel,
      description: 'Its first channel.',
      on: (child, s) => `${child}.id = ${s.t}.primary_channel_id`,
    }),
  }));
  graph.queryOne('channel', {
    access: 'public',
    type: Channel,
    description: "A channel by its id or by its handle; without either, the account's own channel.",
    args: (t) => ({
      id: t.field({ type: 'DID', description: 'Id of the channel.' }),
      handle: t.string({ description: 'Handle of the channel, case-insensitive.' }),
    }),
    on: byIdOrHandle,
    missing: { field: 'id', instead: 'handle' },
  });
  graph.queryConnection('channels', {
    access: 'public',
    type: Channel,
    description: 'All channels, newest first; no test channels.',
    where: (child) => `not (${child}.is_test or ${child}.is_hidden)`,
    order: (child) => [`${child}.created_at`, `${child}.id`],
    total: () => `counter_value('channels', '${EVERY_CHANNEL}')`,
  });
  declareChannelMutations(graph, Channel);
  const members = declareMembers(graph, { ...shared, Channel, Me });
  declareMemberMutations(graph, { Channel, ...members });
  const ChannelInvitation = declareChannelInvitations(graph, { ...shared, ...members, Channel, Me });
  return { ...shared, Channel, ChannelMetadata, ChannelInvitation, MemberAccount: members.MemberAccount };
}

function byIdOrHandle(child: string, s: RowScope, args: ArgScope): string {
  const [byId, byHandle] = [args.given('id'), args.given('handle')];
  if (byId && byHandle)
    throw new AppError('INVALID_INPUT', t`Both id and handle are given.`, {
      field: 'handle',
      suggestedFix: t`Send either id or handle.`,
    });
  if (byId) return `${child}.id = ${args.id('id', ['channel'])} and ${isVisibleChannel(child, s)}`;
  return byHandle
    ? `${child}.handle = ${args.param('handle', 'citext')} and ${isVisibleChannel(child, s)}`
    : `${child}.id = ${s.viewer}.channel_id`;
}

function declareChannelMetadata(graph: Graph, { EntityMetadata }: SharedTypes): EntityRef {
  return graph.part('ChannelMetadata', {
    description: 'Title and descriptive texts of a channel.',
    interfaces: [EntityMetadata],
    fields: (f) => outputFields(f, CHANNEL_METADATA_FIELDS),
  });
}

function declareChannel(graph: Graph, { Node }: SharedTypes, ChannelMetadata: EntityRef): EntityRef {
  return graph.entity('Channel', {
    description: 'A publisher: every content and every upload belongs to a channel.',
    table: 'channels',
    interfaces: [Node],
    node: { kinds: ['channel'], where: isVisibleChannel },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the channel.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('channel', id),
      }),
      name: f.column({
        type: 'String',
        description: 'Its name: the same as metadata.name, and as its title, unless that was given another value.',
        sql: (s) => `${s.t}.name`,
      }),
      ...outputFields(f, CHANNEL_OWN_FIELDS),
      isTest: f.column({
        type: 'Boolean',
        description:
          'Whether it is the test channel of your account, for tokens in test mode: nobody else sees it or what is ' +
          'in it, and its contents and playlists are deleted after 24 hours.',
        sql: (s) => `${s.t}.is_test`,
      }),
      metadata: f.embed({ type: ChannelMetadata, description: 'Its title and descriptive texts.' }),
      createdAt: f.column({
        type: 'DateTime',
        description: 'When the channel was created.',
        sql: (s) => `${s.t}.created_at`,
      }),
      revision: revisionField(f),
    }),
  });
}

function declareChannelMutations(graph: Graph, Channel: EntityRef): void {
  const CreateChannelInput = graph.builder.inputType('CreateChannelInput', {
    description: 'A new channel; by default its title is its name.',
    fields: (t) => newInputFields(t, CHANNEL_FIELDS, { optional: ['title'] }),
  });
  graph.mutation('createChannel', {
    access: 'channel:create',
    description: 'Creates a further channel, which the account owns. The plan limits how many (me.credits.channels).',
    payload: (f) => ({ channel: f.read({ type: Channel, description: 'The channel.' }) }),
    args: (t: ArgBuilder) => ({
      input: t.field({ type: CreateChannelInput, required: true, description: 'The channel.' }),
    }),
    command: (context, { input }) =>
      createChannel(context.services.channels.db, requireAccount(context).accountId, input, context.nowMs),
  });
  const UpdateChannelInput = graph.builder.inputType('UpdateChannelInput', {
    description: `Changes to a channel. ${CHANGES_HELP}`,
    fields: (t) => ({ ...changeInputFields(t, CHANNEL_FIELDS), ifRevision: ifRevisionField(t, 'the channel') }),
  });
  graph.mutation('updateChannel', {
    access: 'channel:update',
    description: 'Updates a channel. For its managers and its owner.',
    payload: (f) => ({ channel: f.read({ type: Channel, description: 'The channel.' }) }),
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: 'Id of the channel.' }),
      input: t.field({ type: UpdateChannelInput, required: true, description: 'The changes.' }),
    }),
    statement: updateChannel,
  });
  graph.mutation('deleteChannel', {
    access: 'channel:delete',
    policies: [CHANNEL_DELETION],
    charges: () => deletions(1),
    description:
      'Permanently deletes a channel of yours, with all its contents, files, playlists and members. This cannot ' +
      'be undone. It is hidden at once and its handle is available; files and statistics of large channels are ' +
      'deleted in the following minutes. The channel that came with your account cannot be deleted.',
    payload: (f) => ({ id: f.value({ type: 'DID', description: 'Id of the deleted channel.' }) }),
    args: (t: ArgBuilder) => ({ id: t.field({ type: 'DID', required: true, description: 'Id of the channel.' }) }),
    command: async (context, args) => {
      const { id } = context.parseDid(args.id, ['channel'], 'id');
      await deleteChannel(context, id);
      return { id: context.did('channel', id) };
    },
  });
}
