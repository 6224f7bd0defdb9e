import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { contextOf } from '../../context.ts';
import { channelOption, examples, visibilityOption, wholeNumberBetween } from '../../options.ts';

const number = wholeNumberBetween(0, 100_000);

const create = new Command('create')
  .description('Create a series, or a miniseries, which has episodes and no seasons')
  .argument('<TITLE>', 'Its title')
  .addOption(channelOption)
  .option('--mini', 'Create a miniseries')
  .option('--summary <TEXT>', 'Description')
  .option('-l, --language <LANGUAGE>', 'The spoken language, such as de or pt-BR')
  .addOption(visibilityOption)
  .addHelpText(
    'after',
    examples(
      'reelgraph series create "The Long Way Home" --summary "Six people walk from Lisbon to Tallinn."',
      'reelgraph series create --mini "Three Nights"',
    ),
  )
  .action(async (title, { channel, mini = false, summary, language, visibility }, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const input = { channel: await context.channelId(client, channel), title, summary, language, visibility };
    const request = { signal: context.signal };
    const { content: series } = await (mini
      ? client.createMiniseries({ input }, request)
      : client.createSeries({ input }, request));
    context.done(series, 'created', `${series.metadata.title}: ${series.id}`);
  });

const addSeason = new Command('add-season')
  .description('Add a season to a series')
  .argument('<SERIES>', 'Identifier of a series')
  .argument('<TITLE>', 'Title of the season')
  .option('-n, --number <NUMBER>', 'Its number; 0 is useful for specials (default: after the last one)', number)
  .option('--summary <TEXT>', 'Description')
  .addOption(visibilityOption)
  .addHelpText('after', examples('reelgraph series add-season did:reelgraph:content/serie/0198c5a0-… "The south"'))
  .action(async (series, title, options, command) => {
    const context = contextOf(command);
    const variables = { input: { series, title, ...options } };
    const { content: season } = await (await context.client()).createSeason(variables, { signal: context.signal });
    context.done(season, 'added', `${season.metadata.title}: ${season.id}`);
  });

const addEpisode = new Command('add-episode')
  .summary('Add an episode without a video to a season or miniseries')
  .description(
    'Add an episode without a video to a season or miniseries, as a draft. `reelgraph upload --season` adds one with ' +
      'its video.',
  )
  .argument('<SEASON>', 'Identifier of a season or a miniseries')
  .argument('<TITLE>', 'Title of the episode')
  .option('-n, --number <NUMBER>', 'Its number (default: after the last one)', number)
  .option('--summary <TEXT>', 'Description')
  .option('--premiere', 'It is the first of its season or series')
  .option('--finale', 'It is the last of its season or series')
  .addOption(visibilityOption)
  .addHelpText('after', examples('reelgraph series add-episode did:reelgraph:content/season/0198c5a0-… "The coast"'))
  .action(async (parent, title, { premiere: isPremiere, finale: isFinale, ...options }, command) => {
    const context = contextOf(command);
    const variables = { input: { parent, title, isPremiere, isFinale, ...options } };
    const { content: episode } = await (await context.client()).createEpisode(variables, { signal: context.signal });
    context.done(episode, 'added', `${episode.metadata.title}: ${episode.id}`);
  });

/** Commands that make series and what is in them. */
export const seriesChanges: readonly CommandUnknownOpts[] = [create, addSeason, addEpisode];
