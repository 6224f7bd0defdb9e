import { Command } from '@commander-js/extra-typings';
import { contextOf } from '../../context.ts';
import { estimateText } from '../../format.ts';
import { examples } from '../../options.ts';

/** Makes captions from the speech of a video. */
export const contentTranscribe = new Command('transcribe')
  .description('Make captions from the speech of a video')
  .argument('<CONTENT>', 'Identifier of a content')
  .option('-l, --language <LANGUAGE>', 'Language of the speech, such as de or pt-BR (default: detected)')
  .option('--estimate', 'Print what it would take, and start nothing')
  .option('--again', 'Make them again, in place of those that were made')
  .addHelpText(
    'after',
    examples(
      'reelgraph content transcribe did:reelgraph:content/feature/0198c5a0-… --estimate',
      'reelgraph content transcribe did:reelgraph:content/feature/0198c5a0-… --language en',
    ),
  )
  .action(async (id, { language, estimate = false, again = false }, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const request = { signal: context.signal };
    if (estimate) {
      const found = await client.estimateTranscription({ id }, request);
      context.result(found, (out) => out.line(estimateText(found)));
      return;
    }
    const { job } = await client.transcribeContent({ id, input: { language, again } }, request);
    context.result(job, (out) => out.line(`${out.style('green', '✔')} ${job.status.toLowerCase()}: ${job.id}`));
  });
