import { Argument, Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { Connection } from '../../../../clients/typescript/src/index.ts';
import { contextOf } from '../../context.ts';
import { CliError, EXIT } from '../../errors.ts';
import { moment } from '../../format.ts';
import { noteRest, readList } from '../../lists.ts';
import { channelOption, examples, limitOption, nameOf } from '../../options.ts';

const MEMBERS = `query CliMembers($id: DID!, $first: Int, $after: String) {
  channel(id: $id) { members(first: $first, after: $after) {
    totalCount pageInfo { hasNextPage endCursor }
    edges { cursor node { id role createdAt account { username displayName } } }
  } }
}`;
const ROLES = ['VIEWER', 'EDITOR', 'MANAGER'] as const;

interface Member {
  readonly id: string;
  readonly role: string;
  readonly createdAt: string;
  readonly account: { readonly username: string; readonly displayName: string };
}

const members = new Command('members')
  .description('List the members of a channel')
  .argument('[CHANNEL]', 'Handle or identifier of a channel (default: your own)')
  .addOption(limitOption)
  .addHelpText('after', examples('reelgraph channel members', 'reelgraph channel members @studio'))
  .action(async (named, { limit }, command) => {
    type Data = { readonly channel: { readonly members: Connection<Member> | null } };
    const context = contextOf(command);
    const client = await context.client();
    const id = await context.channelIdOrOwn(client, named);
    const pages = client.paginate<Connection<Member>, Data>(
      MEMBERS,
      { id },
      ({ channel }) => {
        if (channel.members) return channel.members;
        throw new CliError(
          'You are not a member of this channel.',
          'Name a channel of `channel list`.',
          EXIT.unauthorized,
        );
      },
      { limit, signal: context.signal },
    );
    const found = await readList(pages);
    context.result({ totalCount: found.totalCount, members: found.nodes }, (out) =>
      out.table(
        found.nodes.map(({ role, createdAt, account }) => [
          `@${account.username}`,
          out.style('cyan', role),
          `since ${moment(createdAt)}`,
          account.displayName === account.username ? '' : account.displayName,
        ]),
      ),
    );
    if (found.nodes.length < found.totalCount) noteRest(context, found, '');
  });

const invite = new Command('invite')
  .description('Invite a person to a channel')
  .argument('<PERSON>', 'Name of an account, or an email address')
  .addOption(channelOption)
  .addOption(
    new Option('-r, --role <ROLE>', 'What it may do: look, also edit and publish, also manage members')
      .choices(ROLES)
      .default('EDITOR' as const),
  )
  .addHelpText(
    'after',
    examples('reelgraph channel invite @maria --role MANAGER', 'reelgraph channel invite maria@example.com'),
  )
  .action(async (person, { channel, role }, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const id = await context.channelIdOrOwn(client, channel);
    const invited = person.indexOf('@') > 0 ? { email: person } : { username: nameOf(person) };
    const input = { ...invited, role };
    const { invitation } = await client.inviteChannelMember({ id, input }, { signal: context.signal });
    const name = invitation.email ?? `@${invitation.account?.username}`;
    context.done(invitation, 'invited', `${name} as ${invitation.role}, until ${moment(invitation.expiresAt)}`);
  });

const setRole = new Command('set-role')
  .description('Change the role of a member')
  .argument('<ACCOUNT>', 'Name of the account')
  .addArgument(new Argument('<ROLE>', 'The new role').choices(ROLES))
  .addOption(channelOption)
  .addHelpText('after', examples('reelgraph channel set-role @maria VIEWER'))
  .action(async (account, role, { channel }, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const id = await context.channelIdOrOwn(client, channel);
    const input = { username: nameOf(account), role };
    const { member } = await client.updateChannelMember({ id, input }, { signal: context.signal });
    context.done(member, 'changed', `@${member.account.username} to ${member.role}`);
  });

const removeMember = new Command('remove-member')
  .description('Remove a member from a channel')
  .argument('<ACCOUNT>', 'Name of the account')
  .addOption(channelOption)
  .addHelpText('after', examples('reelgraph channel remove-member @maria --channel @studio'))
  .action(async (account, { channel }, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const variables = { id: await context.channelIdOrOwn(client, channel), input: { username: nameOf(account) } };
    const payload = await client.removeChannelMember(variables, { signal: context.signal });
    if (!payload.removed)
      throw new CliError(`@${nameOf(account)} is not a member.`, 'Run `reelgraph channel members`.', EXIT.notFound);
    context.done(payload, 'removed', `@${nameOf(account)}`);
  });

/** Members of a channel and their roles. */
export const channelMembers: readonly CommandUnknownOpts[] = [members, invite, setRole, removeMember];
