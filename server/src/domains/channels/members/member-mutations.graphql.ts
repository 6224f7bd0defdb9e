import type { ArgBuilder, CommandContext, EntityRef, Graph } from '../../../gql/index.ts';
import { requireAccount } from '../require-account.ts';
import {
  addMember,
  dropMember,
  MAX_MEMBERS,
  MEMBER_CHANGE,
  MEMBER_REMOVAL,
  type MemberCommand,
  updateMember,
} from './change-members.ts';
import type { MemberTypes } from './members.graphql.ts';
import { CHANNEL_TRANSFER, transferChannel } from './transfer-channel.ts';

/** Declares the mutations on members and ownership of a channel. */
export function declareMemberMutations(
  graph: Graph,
  { Channel, ...types }: MemberTypes & { Channel: EntityRef },
): void {
  declarePutMember(graph, types);
  const RemoveChannelMemberPayload = graph.object('RemoveChannelMemberPayload', {
    description: 'The result of removeChannelMember.',
    fields: (f) => ({
      removed: f.value({ type: 'Boolean', description: 'False if the account was not a member.' }),
      channel: f.read({ type: Channel, description: 'The channel.' }),
    }),
  });
  graph.mutation('removeChannelMember', {
    access: 'member:manage',
    policies: [MEMBER_REMOVAL],
    description:
      'Removes a member from a channel, for managers and the owner; ' +
      'with your own user name you leave it, in any role but owner.',
    payload: RemoveChannelMemberPayload,
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
      'Transfers a channel of yours to another owner, whose plan must have room for it; you stay as a ' +
      'manager. The channel that came with your account cannot be transferred.',
    payload: Channel,
    args: memberArgs,
    command: async (context, args) => {
      const command = commandOf(context, args.channel, args.username);
      await transferChannel(context.services.channels.db, command);
      return command.channelId;
    },
  });
}

function declarePutMember(graph: Graph, { ChannelRole, ChannelMember }: MemberTypes): void {
  const inputOf = (name: string, description: string) =>
    graph.builder.inputType(name, {
      description,
      fields: (t) => ({
        username: t.string({ required: true, description: 'User name of the account.' }),
        role: t.field({ type: ChannelRole, required: true, description: 'The role: VIEWER, EDITOR or MANAGER.' }),
      }),
    });
  const argsOf = (input: ReturnType<typeof inputOf>) => (t: ArgBuilder) => ({
    channel: t.field({ type: 'DID', required: true, description: 'Id of the channel.' }),
    input: t.field({ type: input, required: true, description: 'The account and its role.' }),
  });
  graph.mutation('addChannelMember', {
    access: 'member:manage',
    policies: [MEMBER_CHANGE],
    description:
      'Adds an account as a member of a channel, which has at most ' +
      `${MAX_MEMBERS} members. For managers and the owner; it is idempotent.`,
    payload: ChannelMember,
    args: argsOf(inputOf('AddChannelMemberInput', 'A new member of a channel and the role.')),
    command: (context, { channel, input }) =>
      addMember(context.services.channels.db, commandOf(context, channel, input.username), input.role),
  });
  graph.mutation('updateChannelMember', {
    access: 'member:manage',
    policies: [MEMBER_CHANGE],
    description:
      'Changes the role of a member of a channel. For managers ' +
      'and the owner; the owner changes only by transferChannel.',
    payload: ChannelMember,
    args: argsOf(inputOf('UpdateChannelMemberInput', 'A member and the new role.')),
    command: (context, { channel, input }) =>
      updateMember(context.services.channels.db, commandOf(context, channel, input.username), input.role),
  });
}

function memberArgs(t: ArgBuilder) {
  return {
    channel: t.field({ type: 'DID', required: true, description: 'Id of the channel.' }),
    username: t.string({ required: true, description: 'User name of the account.' }),
  };
}

function commandOf(context: CommandContext, channel: string, username: string): MemberCommand {
  const channelId = context.parseDid(channel, ['channel'], 'channel').id;
  return { accountId: requireAccount(context).accountId, channelId, username, nowMs: context.nowMs };
}
