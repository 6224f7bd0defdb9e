import { Command, Option } from '@commander-js/extra-typings';
import { contextOf } from '../../context.ts';
import { estimateText } from '../../format.ts';
import { examples } from '../../options.ts';

/** Makes 5.1 of the sound of a video, or removes it. */
export const contentUpmix = new Command('upmix')
  .description('Offer the sound of a video in surround, beside the original')
  .argument('<CONTENT>', 'Identifier of a content')
  .addOption(new Option('--layout <LAYOUT>', 'Its channels').choices(['5.1', '7.1'] as const).default('5.1' as const))
  .option('--estimate', 'Print what it would take, and start nothing')
  .option('--again', 'Make it again with the version of the server')
  .option('--remove', 'Remove it')
  .addHelpText(
    'after',
    examples(
      'reelgraph content upmix did:reelgraph:content/feature/0198c5a0-… --estimate',
      'reelgraph content upmix did:reelgraph:content/feature/0198c5a0-… --layout 7.1',
    ),
  )
  .action(async (id, { layout: wanted, estimate = false, again = false, remove = false }, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const request = { signal: context.signal };
    const layout = wanted === '7.1' ? 'SURROUND_7_1' : 'SURROUND_5_1';
    if (estimate) {
      const found = await client.estimateUpmix({ id, input: { layout } }, request);
      context.result(found, (out) => out.line(estimateText(found)));
    } else if (remove) {
      const { content } = await client.removeUpmix({ id }, request);
      context.result(content, (out) => out.line(`${out.style('green', '✔')} removed the upmix of ${content.id}`));
    } else {
      const { job } = await client.upmixContent({ id, input: { layout, again } }, request);
      context.result(job, (out) => out.line(`${out.style('green', '✔')} ${job.status.toLowerCase()}: ${job.id}`));
    }
  });
