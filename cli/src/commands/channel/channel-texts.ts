import { Command, type CommandUnknownOpts, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { contextOf } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { collect, examples, nameOf } from '../../options.ts';

/** `on` and `off` as a boolean. */
function onOff(value: string): boolean {
  if (value === 'on' || value === 'off') return value === 'on';
  throw new InvalidArgumentError('Expected on or off.');
}

const SWITCH = ['on', 'off'];

function toggle(flag: string, about: string) {
  const option = new Option(`${flag} <on|off>`, about).argParser(onOff);
  option.argChoices = SWITCH; // for completion
  return option;
}

const create = new Command('create')
  .description('Create a channel')
  .argument('<HANDLE>', 'Its unique name in addresses: 2 to 39 letters, digits, underscores, dots and hyphens')
  .option('-N, --name <NAME>', 'Its name (default: the handle)')
  .option('-t, --title <TITLE>', 'Its title')
  .option('--summary <TEXT>', 'Description')
  .option('--website <ADDRESS>', 'Its website')
  .option('--time-zone <ZONE>', 'Time zone in which its days begin, such as Europe/Berlin (default: UTC)')
  .addHelpText('after', examples('reelgraph channel create studio-two --name "Studio Two"'))
  .action(async (named, { name, website: websiteUrl, ...texts }, command) => {
    const context = contextOf(command);
    const handle = nameOf(named);
    const variables = { input: { ...texts, handle, name: name ?? handle, websiteUrl } };
    const { channel } = await (await context.client()).createChannel(variables, { signal: context.signal });
    context.done(channel, 'created', `@${channel.handle}: ${channel.id}`);
  });

const update = new Command('update')
  .summary('Change a channel')
  .description('Change a channel. What is not named keeps its value; an empty text removes it.')
  .argument('[CHANNEL]', 'Handle or identifier of a channel (default: your own)')
  .option('--handle <HANDLE>', 'Its unique name in addresses; the former one is free for others at once')
  .option('-N, --name <NAME>', 'Its name')
  .option('-t, --title <TITLE>', 'Its title')
  .option('--summary <TEXT>', 'Description')
  .option('--short-summary <TEXT>', 'Description in a sentence or two')
  .option('-k, --keyword <KEYWORD>', 'A keyword (may be repeated; replaces all)', collect)
  .option('--website <ADDRESS>', 'Its website')
  .option('--time-zone <ZONE>', 'Time zone in which its days begin, such as Europe/Berlin')
  .addOption(toggle('--keep-originals', 'Whether uploaded files are kept after processing'))
  .addOption(toggle('--encode-hevc', 'Whether videos are also encoded in HEVC'))
  .addOption(toggle('--encode-av1', 'Whether videos are also encoded in AV1'))
  .addOption(toggle('--encrypt-private-videos', 'Whether private videos are sent encrypted'))
  .addOption(toggle('--prefer-enhanced', 'Whether players choose enhanced quality by themselves'))
  .addHelpText(
    'after',
    examples(
      'reelgraph channel update --title "Films about bread" --website https://example.com',
      'reelgraph channel update @studio --keyword bread --keyword baking --encode-av1 on',
    ),
  )
  .action(async (named, { handle, website, keyword: keywords, ...others }, command) => {
    if ([handle, website, keywords, ...Object.values(others)].every((value) => value === undefined))
      throw new CliError('Nothing to change was named.', 'Add --help to see what can be changed.');
    const context = contextOf(command);
    const client = await context.client();
    const id = await context.channelIdOrOwn(client, named);
    const input = {
      ...others,
      handle: handle === undefined ? undefined : nameOf(handle),
      websiteUrl: website === '' ? null : website,
      keywords,
    };
    const { channel } = await client.updateChannel({ id, input }, { signal: context.signal });
    context.done(channel, 'updated', `@${channel.handle}`);
  });

/** Commands that write the texts and settings of channels. */
export const channelTexts: readonly CommandUnknownOpts[] = [create, update];
