import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Connection } from '../../../../clients/typescript/src/index.ts';
import { contextOf } from '../../context.ts';
import { count, moment } from '../../format.ts';
import { noteRest, readList } from '../../lists.ts';
import { channelOption, examples, limitOption, nameOf } from '../../options.ts';
import { visible } from './moderation-channel.ts';

const BLOCKED = `query CliBlocked($id: DID!, $first: Int, $after: String) {
  channel(id: $id) { blockedUsers(first: $first, after: $after) {
    totalCount pageInfo { hasNextPage endCursor } edges { cursor node { id blockedAt user { id username } } }
  } }
}`;

interface Block {
  readonly id: string;
  readonly blockedAt: string;
  readonly user: { readonly id: string; readonly username: string };
}

const blocked = new Command('blocked')
  .description('List the accounts that a channel has blocked')
  .addOption(channelOption)
  .addOption(limitOption)
  .addHelpText('after', examples('reelgraph moderation blocked'))
  .action(async ({ channel, limit }, command) => {
    type Data = { readonly channel: { readonly blockedUsers: Connection<Block> | null } };
    const context = contextOf(command);
    const client = await context.client();
    const id = await context.channelIdOrOwn(client, channel);
    const page = { limit, signal: context.signal };
    const pages = client.paginate<Connection<Block>, Data>(
      BLOCKED,
      { id },
      (data) => visible(data.channel.blockedUsers),
      page,
    );
    const found = await readList(pages);
    context.result({ totalCount: found.totalCount, accounts: found.nodes }, (out) =>
      out.table(found.nodes.map(({ user, blockedAt }) => [`@${user.username}`, `since ${moment(blockedAt)}`])),
    );
    noteRest(context, found, 'No accounts are blocked.');
  });

const block = new Command('block')
  .description('Block an account: it can no longer comment or like in the channel')
  .argument('<ACCOUNT>', 'Name of the account')
  .addOption(channelOption)
  .option('--hide-comments', 'Also reject the comments it wrote in the channel')
  .addHelpText('after', examples('reelgraph moderation block @troll --hide-comments'))
  .action(async (account, { channel, hideComments = false }, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const variables = {
      id: await context.channelIdOrOwn(client, channel),
      input: { username: nameOf(account), hideComments },
    };
    const payload = await client.blockUser(variables, { signal: context.signal });
    const hidden = hideComments ? ` and rejected ${count(payload.rejectedComments, 'comment')}` : '';
    context.done(payload, 'blocked', `@${payload.user.username}${hidden}`);
  });

const unblock = new Command('unblock')
  .description('Unblock an account; comments that were rejected stay rejected')
  .argument('<ACCOUNT>', 'Name of the account')
  .addOption(channelOption)
  .addHelpText('after', examples('reelgraph moderation unblock @troll'))
  .action(async (account, { channel }, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const variables = { id: await context.channelIdOrOwn(client, channel), input: { username: nameOf(account) } };
    const payload = await client.unblockUser(variables, { signal: context.signal });
    context.done(payload, 'unblocked', `@${payload.user.username}`);
  });

/** Accounts that may not comment. */
export const moderationAccounts: readonly CommandUnknownOpts[] = [blocked, block, unblock];
