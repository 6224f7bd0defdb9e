import type { ArgBuilder, CommandContext, EntityRef, Graph } from '../../../gql/index.ts';
import { requireAccount } from '../require-account.ts';
import { dropMember, type MemberCommand, updateMember } from './change-members.ts';
import { MEMBER_CHANGE } from './member.policy.ts';
import type { MemberTypes } from './members.graphql.ts';
import { CHANNEL_TRANSFER, transferChannel } from './transfer-channel.ts';

/** Declares the mutations on members and ownership of a channel. */
export function declareMemberMutations(
  graph: Graph,
  { Channel, ...types }: MemberTypes & { Channel: EntityRef },
): void {
  declareUpdateMember(graph, Channel, types);
  const RemoveChannelMemberInput = graph.builder.inputType('RemoveChannelMemberInput', {
    description: 'A member of a channel.',
    fields: (t) => ({ username: t.string({ required: true, description: 'Username of the account.' }) }),
  });
  const TransferChannelInput = graph.builder.inputType('TransferChannelInput', {
    description: 'The new owner of a channel.',
    fields: (t) => ({ username: t.string({ required: true, description: 'Username of a member.' }) }),
  });
  graph.mutation('removeChannelMember', {
    access: 'member:manage',
    policies: [MEMBER_CHANGE],
    description:
      'Removes a member from a channel, for managers and the owner; ' +
      'with your own username you leave it, in any role but owner.',
    payload: (f) => ({
      removed: f.value({ type: 'Boolean', description: 'False if the account was not a member.' }),
      channel: f.read({ type: Channel, description: 'The channel.' }),
    }),
    args: (t: ArgBuilder) => ({
      id: channelId(t),
      input: t.field({ type: RemoveChannelMemberInput, required: true, description: 'The member.' }),
    }),
    command: async (context, { id, input }) => {
      const command = commandOf(context, id, input.username);
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
    args: (t: ArgBuilder) => ({
      id: channelId(t),
      input: t.field({ type: TransferChannelInput, required: true, description: 'The new owner.' }),
    }),
    command: async (context, { id, input }) => {
      const command = commandOf(context, id, input.username);
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
      id: channelId(t),
      input: t.field({ type: UpdateChannelMemberInput, required: true, description: 'The account and its role.' }),
    }),
    command: async (context, { id, input }) => {
      const command = commandOf(context, id, input.username);
      return {
        member: await updateMember(context.services.channels.db, command, input.role),
        channel: command.channelId,
      };
    },
  });
}

function channelId(t: ArgBuilder) {
  return t.field({ type: 'DID', required: true, description: 'Id of the channel.' });
}

function commandOf(context: CommandContext, did: string, username: string): MemberCommand {
  const channelId = context.parseDid(did, ['channel'], 'id').id;
  const { accountId, scope } = requireAccount(context);
  return { viewer: scope, accountId, channelId, username, nowMs: context.nowMs };
}
