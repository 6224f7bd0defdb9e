import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { confirm, yesOption } from '../../confirm.ts';
import { contextOf } from '../../context.ts';
import { examples, nameOf } from '../../options.ts';

const transfer = new Command('transfer')
  .summary('Make another member the owner of a channel')
  .description('Make another member the owner of a channel; you stay as a manager.')
  .argument('<CHANNEL>', 'Handle or identifier of a channel')
  .argument('<ACCOUNT>', 'Name of the new owner, who is a member')
  .addOption(yesOption)
  .addHelpText('after', examples('reelgraph channel transfer @studio @maria'))
  .action(async (named, account, { yes }, command) => {
    const context = contextOf(command);
    await confirm(context, yes, `Make @${nameOf(account)} the owner of ${named}?`);
    const client = await context.client();
    const variables = { id: await context.channelIdOrOwn(client, named), input: { username: nameOf(account) } };
    const { channel } = await client.transferChannel(variables, { signal: context.signal });
    context.done(channel, 'transferred', `@${channel.handle} to @${nameOf(account)}`);
  });

const remove = new Command('delete')
  .description('Delete a channel with its contents and playlists, for good')
  .argument('<CHANNEL>', 'Handle or identifier of a channel')
  .addOption(yesOption)
  .addHelpText('after', examples('reelgraph channel delete @studio-two'))
  .action(async (named, { yes }, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const id = await context.channelIdOrOwn(client, named);
    await confirm(context, yes, `Delete ${named} with its contents and playlists for good?`);
    const deleted = await client.deleteChannel({ id }, { signal: context.signal });
    context.done(deleted, 'deleted', named);
  });

/** Commands that end what a channel was. */
export const channelChanges: readonly CommandUnknownOpts[] = [transfer, remove];
