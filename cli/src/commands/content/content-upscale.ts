import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { contextOf } from '../../context.ts';
import { estimateText } from '../../format.ts';
import { examples } from '../../options.ts';

function lines(text: string): number {
  const value = Number(text.replace(/p$/, ''));
  if (Number.isInteger(value) && value > 0) return value;
  throw new InvalidArgumentError('Write a number of lines, as 2160.');
}

/** Enlarges the pictures of a video, or removes what was made. */
export const contentUpscale = new Command('upscale')
  .description('Offer a video at a larger size, beside the other qualities')
  .argument('<CONTENT>', 'Identifier of a content')
  .option('--target <LINES>', 'Lines of the quality, as 2160', lines)
  .option('--model <NAME>', 'Model of the server that enlarges it; default compressed')
  .option('--estimate', 'Print what it would take, and start nothing')
  .option('--again', 'Make it again with the version of the server')
  .option('--remove', 'Remove it')
  .addHelpText(
    'after',
    examples(
      'reelgraph content upscale did:reelgraph:content/feature/0198c5a0-… --target 2160 --estimate',
      'reelgraph content upscale did:reelgraph:content/feature/0198c5a0-…',
    ),
  )
  .action(async (id, { target, model, estimate = false, again = false, remove = false }, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const request = { signal: context.signal };
    const input = { ...(target === undefined ? {} : { target }), ...(model === undefined ? {} : { model }) };
    if (estimate) {
      const found = await client.estimateUpscale({ id, input }, request);
      context.result(found, (out) => out.line(estimateText(found)));
    } else if (remove) {
      const { content } = await client.removeUpscale({ id }, request);
      context.result(content, (out) =>
        out.line(`${out.style('green', '✔')} removed the enhanced quality of ${content.id}`),
      );
    } else {
      const { job } = await client.upscaleContent({ id, input: { ...input, again } }, request);
      context.result(job, (out) => out.line(`${out.style('green', '✔')} ${job.status.toLowerCase()}: ${job.id}`));
    }
  });
