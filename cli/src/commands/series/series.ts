import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { contextOf } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { count } from '../../format.ts';
import { noteRest, readList } from '../../lists.ts';
import { channelOption, examples, instant, limitOption } from '../../options.ts';
import { printResults, type Result } from '../../results.ts';
import { seriesChanges } from './series-changes.ts';
import { seriesOrder } from './series-order.ts';
import { partsOf, readSeries, seriesRows } from './series-tree.ts';

const list = new Command('list')
  .description('List the series and miniseries of a channel, newest first')
  .addOption(channelOption)
  .addOption(limitOption)
  .addHelpText('after', examples('reelgraph series list', 'reelgraph series list --channel @studio --json'))
  .action(async ({ channel, limit }, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const variables = { id: await context.channelIdOrOwn(client, channel), kinds: ['SERIES', 'MINISERIES'] as const };
    const found = await readList(client.channelContents.all(variables, { limit, signal: context.signal }));
    context.result({ totalCount: found.totalCount, series: found.nodes }, (out) =>
      out.list(
        found.nodes.map(({ id, kind, status, metadata }) => [
          id,
          out.style(status === 'PUBLISHED' ? 'green' : 'yellow', status),
          kind,
          metadata.title,
        ]),
      ),
    );
    noteRest(context, found, 'No series. Start one with `reelgraph series create TITLE`.');
  });

const show = new Command('show')
  .description('Show a series, miniseries or season with everything in it')
  .argument('<SERIES>', 'Identifier of a series, a miniseries or a season')
  .addHelpText('after', examples('reelgraph series show did:reelgraph:content/serie/0198c5a0-…'))
  .action(async (id, _options, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const series = await readSeries(client, id, context.signal);
    if (!series.children)
      throw new CliError('This is not a series.', 'Name a series, a miniseries or a season; `series list` lists them.');
    const parts = partsOf(series);
    const [seasons, episodes] = ['SEASON', 'EPISODE'].map((kind) => parts.filter((part) => part.kind === kind).length);
    const { kind, status, metadata } = series;
    context.result(series, (out) => {
      const numbers = [...(kind === 'SERIES' ? [count(seasons ?? 0, 'season')] : []), count(episodes ?? 0, 'episode')];
      const facts = [status, metadata.visibility, ...numbers].join(', ');
      out.line(`${out.style('bold', metadata.title)} (${facts})`);
      out.list(seriesRows(out, series));
    });
  });

/** How many contents one request publishes. */
const BATCH = 100;

const publish = new Command('publish')
  .summary('Publish a series with everything in it that is ready')
  .description(
    'Publish a series, miniseries or season with everything in it that is ready, now or later. Episodes without a ' +
      'processed video are left out.',
  )
  .argument('<SERIES>', 'Identifier of a series, a miniseries or a season')
  .option('--release <TIME>', 'When to publish, such as 2030-01-31T18:00:00Z (default: now)', instant)
  .addHelpText(
    'after',
    examples(
      'reelgraph series publish did:reelgraph:content/serie/0198c5a0-…',
      'reelgraph series publish did:reelgraph:content/season/0198c5a0-… --release 2030-01-31T18:00:00Z',
    ),
  )
  .action(async (id, { release: releaseDate }, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const parts = partsOf(await readSeries(client, id, context.signal));
    const titles = new Map(parts.map((part) => [part.id, part.metadata.title]));
    const ready = parts.filter(({ status }) => status === 'READY').map((part) => part.id);
    const results: Result[] = [];
    for (let start = 0; start < ready.length; start += BATCH) {
      const batch = { ids: ready.slice(start, start + BATCH), input: { releaseDate } };
      results.push(...(await client.publishContents(batch, { signal: context.signal })).results);
    }
    const left = parts.filter(({ status }) => status !== 'READY' && status !== 'PUBLISHED');
    if (left.length > 0) context.note(`${count(left.length, 'episode')} without a processed video: left out.`);
    if (ready.length === 0) context.note('Nothing is ready to be published.');
    printResults(context, { results }, releaseDate === undefined ? 'published' : 'scheduled', titles);
  });

/** Series, their seasons and episodes. */
export const seriesCommands: readonly CommandUnknownOpts[] = [list, show, ...seriesChanges, ...seriesOrder, publish];
