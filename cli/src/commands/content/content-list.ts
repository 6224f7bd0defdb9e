import { Command, Option } from '@commander-js/extra-typings';
import { contextOf } from '../../context.ts';
import { clock } from '../../format.ts';
import { noteRest, readList } from '../../lists.ts';
import { channelOption, examples, limitOption } from '../../options.ts';

const KINDS = ['FEATURE', 'SHORT', 'SERIES', 'SEASON', 'EPISODE', 'MINISERIES', 'STREAM'] as const;
const COLORS: Readonly<Record<string, 'green' | 'red'>> = { PUBLISHED: 'green', FAILED: 'red' };

/** Contents of a channel in every state. */
export const contentList = new Command('list')
  .description('List the contents of a channel, newest first')
  .addOption(channelOption)
  .addOption(limitOption)
  .addOption(new Option('-k, --kind <KIND...>', 'Only these kinds').choices(KINDS))
  .option('--trash', 'Deleted contents that can be restored')
  .addHelpText(
    'after',
    examples(
      'reelgraph content list',
      'reelgraph content list --kind SHORT --limit 100 --json',
      'reelgraph content list --trash',
    ),
  )
  .action(async ({ channel, limit, kind: kinds, trash }, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const id = await context.channelIdOrOwn(client, channel);
    const page = { limit, signal: context.signal };
    const list = trash ? client.channelTrash.all({ id }, page) : client.channelContents.all({ id, kinds }, page);
    const found = await readList(list);
    const { totalCount, nodes: contents } = found;
    context.result({ totalCount, contents }, (out) =>
      out.list(
        contents.map(({ id: did, status, kind, metadata }) => [
          did,
          out.style(COLORS[status] ?? 'yellow', status),
          kind,
          clock(metadata.duration),
          metadata.title,
        ]),
      ),
    );
    noteRest(context, found, trash ? 'The trash is empty.' : 'No contents yet. Start with `reelgraph upload FILE`.');
  });
