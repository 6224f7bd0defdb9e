import type { ArgBuilder, CommandContext, EntityRef, Graph } from '../../../gql/index.ts';
import { requireAccount } from '../require-account.ts';
import { dropMember, MEMBER_CHANGE, MEMBER_REMOVAL, type MemberCommand, updateMember } from './change-members.ts';
import type { MemberTypes } from './members.graphql.ts';
import { CHANNEL_TRANSFER, transferChannel } from './transfer-channel.ts';

/** Declares the mutations on members and ownership of a channel. */
export function declareMemberMutations(
  graph: Graph,
  { Channel, ...types }: MemberTypes & { Channel: EntityRef },
): void {
  declareUpdateMember(graph, Channel, types);
  graph.mutation('removeChannelMember', {
    access: 'member:manage',
    policies: [MEMBER_REMOVAL],
    description:
      'Removes a member from a channel, for managers and the owner; ' +
      'with your own username you leave it, in any role but owner.',
    payload: (f) => ({
      removed: f.value({ type: 'Boolean', description: 'False if the account was not a member.' }),
      channel: f.read({ type: Channel, description: 'The channel.' }),
    }),
    args: memberArgs,
    command: async (context, args) => {
      const command = commandOf(context, args.channel, args.username);
      return { removed: await dropMember(context.services.channels.db, command), channel: command.channelId };
    },
  });
  graph.mutation('transferChannel', {
    access: 'channel:delete',
    policies: [CHANNEL_TRANSFER],
    description:
      'Transfers a channel of yours to one of its members, whose plan must have room for it; you stay as a ' +
      'manager. The channel that came with your account cannot be transferred.',
    payload: (f) => ({ channel: f.read({ type: Channel, description: 'The channel.' }) }),
    args: memberArgs,
    command: async (context, args) => {
      const command = commandOf(context, args.channel, args.username);
      await transferChannel(context.services.channels.db, command);
      return command.channelId;
    },
  });
}

function declareUpdateMember(graph: Graph, Channel: EntityRef, { ChannelRole, ChannelMember }: MemberTypes): void {
  const UpdateChannelMemberInput = graph.builder.inputType('UpdateChannelMemberInput', {
    description: 'A member and the new role.',
    fields: (t) => ({
      username: t.string({ required: true, description: 'Username of the account.' }),
      role: t.field({ type: ChannelRole, required: true, description: 'The role: VIEWER, EDITOR or MANAGER.' }),
    }),
  });
  graph.mutation('updateChannelMember', {
    access: 'member:manage',
    policies: [MEMBER_CHANGE],
    description:
      'Changes the role of a member of a channel. For managers ' +
      'and the owner; the owner changes only by transferChannel.',
    payload: (f) => ({
      member: f.read({ type: ChannelMember, description: 'The member.' }),
      channel: f.read({ type: Channel, description: 'The channel.' }),
    }),
    args: (t: ArgBuilder) => ({
      channel: t.field({ type: 'DID', required: true, description: 'Id of the channel.' }),
      input: t.field({ type: UpdateChannelMemberInput, required: true, description: 'The account and its role.' }),
    }),
    command: async (context, { channel, input }) => {
      const command = commandOf(context, channel, input.username);
      return {
        member: await updateMember(context.services.channels.db, command, input.role),
        channel: command.channelId,
      };
    },
  });
}

function memberArgs(t: ArgBuilder) {
  return {
    channel: t.field({ type: 'DID', required: true, description: 'Id of the channel.' }),
    username: t.string({ required: true, description: 'Username of the account.' }),
  };
}

function commandOf(context: CommandContext, channel: string, username: string): MemberCommand {
  const channelId = context.parseDid(channel, ['channel'], 'channel').id;
  const { accountId, scope } = requireAccount(context);
  return { viewer: scope, accountId, channelId, username, nowMs: context.nowMs };
}
