import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { contextOf } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { examples, wholeNumberBetween } from '../../options.ts';
import { readSeries, seriesRows } from './series-tree.ts';

const move = new Command('move')
  .description('Move a season or an episode to another number, or to another series or season')
  .argument('<PART>', 'Identifier of a season or an episode')
  .addOption(
    new Option('-n, --number <NUMBER>', 'Its new number; those from there on move up')
      .argParser(wholeNumberBetween(0, 100_000))
      .conflicts('position'),
  )
  .option('--position <POSITION>', 'Its new place in the order, from 1 on', wholeNumberBetween(1, 100_000))
  .option('--to <PARENT>', 'Identifier of another series, season or miniseries of the channel')
  .addHelpText(
    'after',
    examples(
      'reelgraph series move did:reelgraph:content/episode/0198c5a0-… --number 1',
      'reelgraph series move did:reelgraph:content/episode/0198c5a0-… --to did:reelgraph:content/season/0198c5a1-…',
    ),
  )
  .action(async (id, { number, position, to }, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const variables = { id, input: { number, position, to } };
    const request = { signal: context.signal };
    const { content: moved } = await (isOf('season', id)
      ? client.moveSeason(variables, request)
      : client.moveEpisode(variables, request));
    context.done(moved, 'moved', moved.metadata.title);
  });

const order = new Command('order')
  .summary('Number the seasons of a series, or the episodes of a season')
  .description(
    'Number the seasons of a series, or the episodes of a season or miniseries, consecutively: in the order given, ' +
      'or without parts in their present order, which closes gaps.',
  )
  .argument('<PARENT>', 'Identifier of a series, a miniseries or a season')
  .argument('[PART...]', 'Identifiers of its seasons or episodes, in the new order')
  .option('--from <NUMBER>', 'The first number (default: 1)', wholeNumberBetween(0, 100_000))
  .addHelpText(
    'after',
    examples(
      'reelgraph series order did:reelgraph:content/season/0198c5a0-…',
      'reelgraph series order did:reelgraph:content/season/0198c5a0-… did:reelgraph:content/episode/0198c5a2-… ' +
        'did:reelgraph:content/episode/0198c5a1-…',
    ),
  )
  .action(async (parent, parts, { from }, command) => {
    const context = contextOf(command);
    const client = await context.client();
    if (!['serie', 'season', 'miniserie'].some((kind) => isOf(kind, parent)))
      throw new CliError(`${parent} is not a series or season.`, 'Name a series, a miniseries or a season first.');
    const request = { signal: context.signal };
    const ids = parts.length > 0 ? parts : undefined;
    await (isOf('serie', parent)
      ? client.renumberSeasons({ id: parent, input: { ids, from } }, request)
      : client.renumberEpisodes({ id: parent, input: { ids, from } }, request));
    const series = await readSeries(client, parent, context.signal);
    context.result(series, (out) => out.list(seriesRows(out, series)));
  });

/** Whether the identifier is one of this kind of content. */
function isOf(kind: string, id: string): boolean {
  return id.includes(`/${kind}/`);
}

/** Commands that order seasons and episodes. */
export const seriesOrder: readonly CommandUnknownOpts[] = [move, order];
