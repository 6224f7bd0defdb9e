import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { confirm, yesOption } from '../../confirm.ts';
import { contextOf } from '../../context.ts';
import { changeEach } from '../../each.ts';
import { CliError } from '../../errors.ts';
import { count } from '../../format.ts';
import { collect, examples, visibilityOption, wholeNumberBetween } from '../../options.ts';
import { printResults } from '../../results.ts';

const update = new Command('update')
  .summary('Change the texts and the visibility of a playlist')
  .description('Change the texts and the visibility of a playlist. What is not named keeps its value.')
  .argument('<PLAYLIST>', 'Identifier of a playlist')
  .option('-t, --title <TITLE>', 'Title')
  .option('--summary <TEXT>', 'Description')
  .option('--short-summary <TEXT>', 'Description in a sentence or two')
  .option('-k, --keyword <KEYWORD>', 'A keyword (may be repeated; replaces all)', collect)
  .addOption(visibilityOption)
  .addHelpText(
    'after',
    examples('reelgraph playlist update did:reelgraph:content/playlist/0198c5a0-… --title "Best of 2026"'),
  )
  .action(async (id, { keyword: keywords, ...texts }, command) => {
    const input = { ...texts, keywords };
    if (Object.values(input).every((value) => value === undefined))
      throw new CliError('Nothing to change was named.', 'Add --help to see what can be changed.');
    const context = contextOf(command);
    const playlist = await (await context.client()).updatePlaylist({ id, input }, { signal: context.signal });
    context.done(playlist, 'updated', playlist.metadata.title);
  });

const remove = new Command('delete')
  .description('Delete playlists for good; their contents stay')
  .argument('<PLAYLIST...>', 'Identifiers of playlists')
  .addOption(yesOption)
  .addHelpText('after', examples('reelgraph playlist delete did:reelgraph:content/playlist/0198c5a0-…'))
  .action(async (ids, { yes }, command) => {
    const context = contextOf(command);
    await confirm(context, yes, `Delete ${count(ids.length, 'playlist')} for good?`);
    const client = await context.client();
    const change = (id: string) => client.deletePlaylist({ id }, { signal: context.signal });
    await changeEach(context, 'playlists', ids, change, 'deleted');
  });

const move = new Command('move')
  .description('Move items of a playlist, next to one another in this order')
  .argument('<PLAYLIST>', 'Identifier of a playlist')
  .argument('<ITEM...>', 'Identifiers of items, as listed by `playlist show`')
  .addOption(
    new Option('-p, --position <POSITION>', 'The new place of the first one, from 1 on (default: the end)')
      .argParser(wholeNumberBetween(1, 100_000))
      .conflicts(['before', 'after']),
  )
  .addOption(new Option('--before <OTHER>', 'Put them before this item').conflicts('after'))
  .option('--after <OTHER>', 'Put them after this item')
  .addHelpText(
    'after',
    examples(
      'reelgraph playlist move did:reelgraph:content/playlist/0198c5a0-… did:reelgraph:playlist-item/0198c5a2-… ' +
        '--position 1',
    ),
  )
  .action(async (id, itemIds, { position, before, after }, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const index = position === undefined ? undefined : position - 1;
    const variables = { id, input: { itemIds, index, before, after } };
    printResults(context, await client.movePlaylistItems(variables, { signal: context.signal }), 'moved');
  });

/** Commands that change and delete playlists, and order their items. */
export const playlistChanges: readonly CommandUnknownOpts[] = [update, remove, move];
