import type { ArgBuilder, ArgScope, EntityRef, Graph, InputBuilder } from '../../gql/index.ts';
import { AppError } from '../../kernel/errors.ts';
import { deletions } from '../../kernel/key-budgets.ts';
import { MAX_NAME, MAX_SHORT_SUMMARY, MAX_SUMMARY, MAX_TITLE } from './channel-input.ts';
import { createChannel } from './create-channel.ts';
import { CHANNEL_DELETION, deleteChannel } from './delete-channel.ts';
import { declareMemberMutations } from './members/member-mutations.graphql.ts';
import { declareMembers } from './members/members.graphql.ts';
import { requireAccount } from './require-account.ts';
import { declareShared, type SharedTypes } from './shared.graphql.ts';
import { updateChannel } from './update-channel.ts';

const EVERY_CHANNEL = '00000000-0000-0000-0000-000000000000';

export interface ChannelTypes extends SharedTypes {
  readonly Channel: EntityRef;
  readonly ChannelMetadata: EntityRef;
}

/** Declares channels, and the account's own one on `me`. Higher domains add fields. */
export function declareChannels(graph: Graph, { Me, Node }: Record<'Me' | 'Node', EntityRef>): ChannelTypes {
  const shared = declareShared(graph, Node);
  const ChannelMetadata = declareChannelMetadata(graph, shared);
  const Channel = declareChannel(graph, shared, ChannelMetadata);
  graph.extend(Me, (f) => ({
    channel: f.one({ type: Channel, description: "The account's own channel.", on: (child, s) => `${child}.id = ${s.t}.channel_id` }),
  }));
  graph.queryOne('channel', {
    access: 'public',
    type: Channel,
    description: 'A channel by its id or by its handle; exactly one of them is required.',
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
    description: 'All channels, newest first.',
    where: () => 'true',
    order: (child) => [`${child}.created_at`, `${child}.id`],
    total: () => `counter_value('channels', '${EVERY_CHANNEL}')`,
  });
  declareChannelMutations(graph, Channel);
  declareMemberMutations(graph, { Channel, ...declareMembers(graph, { ...shared, Channel, Me }) });
  return { ...shared, Channel, ChannelMetadata };
}

function byIdOrHandle(child: string, _: unknown, args: ArgScope): string {
  const [byId, byHandle] = [args.given('id'), args.given('handle')];
  if (byId !== byHandle)
    return byId ? `${child}.id = ${args.did('id', ['channel'])}` : `${child}.handle = ${args.param('handle', 'citext')}`;
  const suggestedFix = 'Send either id or handle.';
  if (byId) throw new AppError('INVALID_INPUT', 'Both id and handle are given.', { field: 'handle', suggestedFix });
  throw new AppError('FIELD_REQUIRED', 'Neither id nor handle is given.', { field: 'id', suggestedFix });
}

function declareChannelMetadata(graph: Graph, { EntityMetadata }: SharedTypes): EntityRef {
  return graph.part('ChannelMetadata', {
    description: 'Title and descriptive texts of a channel.',
    interfaces: [EntityMetadata],
    fields: (f) => ({
      name: f.column({ type: 'String', description: 'Name of the channel.', sql: (s) => `${s.t}.name` }),
      title: f.column({ type: 'String', description: 'Title on the page of the channel.', sql: (s) => `${s.t}.title` }),
      summary: f.column({
        type: 'String',
        description: 'Description of the channel; may have several lines.',
        sql: (s) => `${s.t}.summary`,
      }),
      shortSummary: f.column({
        type: 'String',
        description: 'Short description of the channel, in a sentence or two.',
        sql: (s) => `${s.t}.short_summary`,
      }),
      keywords: f.column({ type: ['String'], description: 'Keywords.', sql: (s) => `${s.t}.keywords` }),
    }),
  });
}

function declareChannel(graph: Graph, { Node }: SharedTypes, ChannelMetadata: EntityRef): EntityRef {
  return graph.entity('Channel', {
    description: 'A publisher: every content and every upload belongs to a channel.',
    table: 'channels',
    interfaces: [Node],
    node: { kinds: ['channel'], where: () => 'true' },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the channel.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('channel', id),
      }),
      handle: f.column({ type: 'String', description: 'Unique name in URLs.', sql: (s) => `${s.t}.handle` }),
      metadata: f.embed({ type: ChannelMetadata, description: 'Its title and descriptive texts.' }),
      timeZone: f.column({
        type: 'String',
        description: "IANA name of the time zone in which the channel's days, weeks and months begin.",
        sql: (s) => `${s.t}.time_zone`,
      }),
      createdAt: f.column({ type: 'DateTime', description: 'When the channel was created.', sql: (s) => `${s.t}.created_at` }),
    }),
  });
}

/** The texts of a channel, which are all optional in a change. */
function textFields(t: InputBuilder) {
  return {
    title: t.string({ description: `Title, 1 to ${MAX_TITLE} characters.` }),
    summary: t.string({ description: `Description, at most ${MAX_SUMMARY} characters; line breaks are kept.` }),
    shortSummary: t.string({ description: `Short description in a sentence or two, at most ${MAX_SHORT_SUMMARY} characters.` }),
    keywords: t.stringList({ description: 'Keywords, at most 30 of at most 50 characters; replaces all.' }),
    timeZone: t.string({ description: 'IANA name of the time zone in which days, weeks and months begin, such as Europe/Berlin.' }),
  };
}

const NAME = `Name, 1 to ${MAX_NAME} characters.`;
const HANDLE = 'Unique name in URLs: 2 to 39 letters, digits, underscores, dots and hyphens. Some names are reserved for the service.';

function declareChannelMutations(graph: Graph, Channel: EntityRef): void {
  const CreateChannelInput = graph.builder.inputType('CreateChannelInput', {
    description: 'A new channel; by default its title is its name and its time zone UTC.',
    fields: (t) => ({
      name: t.string({ required: true, description: NAME }),
      handle: t.string({ required: true, description: HANDLE }),
      ...textFields(t),
    }),
  });
  graph.mutation('createChannel', {
    access: 'channel:create',
    description: 'Creates a further channel, which the account owns. The plan limits how many (me.credits.channels).',
    payload: Channel,
    args: (t: ArgBuilder) => ({ input: t.field({ type: CreateChannelInput, required: true, description: 'The channel.' }) }),
    command: (context, { input }) => createChannel(context.services.channels.db, requireAccount(context).accountId, input, context.nowMs),
  });
  const UpdateChannelInput = graph.builder.inputType('UpdateChannelInput', {
    description: 'Changes to a channel; omitted or null fields keep their value.',
    fields: (t) => ({
      name: t.string({ description: NAME }),
      handle: t.string({ description: `${HANDLE} The former handle is available to others at once.` }),
      ...textFields(t),
    }),
  });
  graph.mutation('updateChannel', {
    access: 'channel:update',
    description: 'Updates a channel. For its managers and its owner.',
    payload: Channel,
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: 'Id of the channel.' }),
      input: t.field({ type: UpdateChannelInput, required: true, description: 'The changes.' }),
    }),
    statement: updateChannel,
  });
  const DeleteChannelPayload = graph.object('DeleteChannelPayload', {
    description: 'The result of deleteChannel.',
    fields: (f) => ({ id: f.value({ type: 'DID', description: 'Id of the deleted channel.' }) }),
  });
  graph.mutation('deleteChannel', {
    access: 'channel:delete',
    policies: [CHANNEL_DELETION],
    spends: () => deletions(1),
    description:
      'Permanently deletes a channel of yours, with all its contents, files, playlists and members. This cannot be undone. It is hidden at once and its handle is available; files and statistics of large channels are deleted in the following minutes. The channel that came with your account cannot be deleted.',
    payload: DeleteChannelPayload,
    args: (t: ArgBuilder) => ({ id: t.field({ type: 'DID', required: true, description: 'Id of the channel.' }) }),
    command: async (context, args) => {
      const { id } = context.parseDid(args.id, ['channel'], 'id');
      await deleteChannel(context, id);
      return { id: context.did('channel', id) };
    },
  });
}
