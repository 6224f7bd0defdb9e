import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { Captions, Connection } from '../../../clients/typescript/src/index.ts';
import { contextOf } from '../context.ts';
import { readTextFile } from '../files.ts';
import { estimateText } from '../format.ts';
import { examples, limitOption } from '../options.ts';

const KINDS = ['CAPTIONS', 'SUBTITLES', 'DESCRIPTIONS'] as const;

const CONTENT_CAPTIONS = `query CliCaptions($id: DID!, $first: Int, $after: String) {
  content(id: $id) { captions(first: $first, after: $after) {
    totalCount pageInfo { hasNextPage endCursor }
    edges { cursor node { id language label kind isDefault isForced isEmbedded createdAt vtt srt } }
  } }
}`;

const list = new Command('list')
  .description('List the captions of a content')
  .argument('<CONTENT>', 'Identifier of a content')
  .addOption(limitOption)
  .addHelpText('after', examples('reelgraph captions list did:reelgraph:content/feature/0198c5a0-…'))
  .action(async (id, { limit }, command) => {
    type Data = { readonly content: { readonly captions: Connection<Captions> } };
    const context = contextOf(command);
    const client = await context.client();
    const page = { limit, signal: context.signal };
    const found = client.paginate<Connection<Captions>, Data>(
      CONTENT_CAPTIONS,
      { id },
      ({ content }) => content.captions,
      page,
    );
    const captions: Captions[] = await found.toArray();
    context.result({ captions }, (out) =>
      out.list(
        captions.map(({ id: did, language, kind, isDefault, isForced, label }) => [
          did,
          language,
          kind,
          [isDefault ? 'default' : '', isForced ? 'forced' : ''].filter(Boolean).join(' '),
          label,
        ]),
      ),
    );
    if (captions.length === 0) context.note('No captions.');
  });

const add = new Command('add')
  .description('Add captions to a content from a WebVTT or SubRip file')
  .argument('<CONTENT>', 'Identifier of a content')
  .argument('<FILE>', 'The captions')
  .requiredOption('-l, --language <LANGUAGE>', 'Language of the captions, such as de or pt-BR')
  .option('--label <TEXT>', 'Label in the player (default: name of the language)')
  .addOption(new Option('-k, --kind <KIND>', 'Purpose of the captions').choices(KINDS))
  .option('--default', 'Show them unless viewers choose others')
  .option('--forced', 'Show them to viewers who chose none, such as signs and speech in other languages')
  .addHelpText(
    'after',
    examples('reelgraph captions add did:reelgraph:content/feature/0198c5a0-… video.de.vtt --language de'),
  )
  .action(
    async (id, file, { language, label, kind, default: isDefault = false, forced: isForced = false }, command) => {
      const context = contextOf(command);
      const input = { language, text: await readTextFile(file), label, kind, isDefault, isForced };
      const { captions } = await (await context.client()).createContentCaptions(
        { id, input },
        { signal: context.signal },
      );
      context.result(captions, (out) =>
        out.line(`${out.style('green', '✔')} added ${captions.label} (${captions.language}): ${captions.id}`),
      );
    },
  );

const remove = new Command('delete')
  .description('Delete captions')
  .argument('<CAPTIONS>', 'Identifier of the captions')
  .addHelpText('after', examples('reelgraph captions delete did:reelgraph:captions/0198c5a0-…'))
  .action(async (captionsId, _options, command) => {
    const context = contextOf(command);
    const { id } = await (await context.client()).deleteContentCaptions({ id: captionsId }, { signal: context.signal });
    context.result({ id }, (out) => out.line(`${out.style('green', '✔')} deleted ${id}`));
  });

const translate = new Command('translate')
  .description('Translate captions of a content into another language')
  .argument('<CONTENT>', 'Identifier of a content')
  .requiredOption('--from <LANGUAGE>', 'Language of the captions to translate, such as en')
  .requiredOption('--to <LANGUAGE>', 'Language to translate them into, such as de')
  .option('--estimate', 'Print what it would take, and start nothing')
  .option('--again', 'Translate again, in place of the translation that was made')
  .addHelpText(
    'after',
    examples('reelgraph captions translate did:reelgraph:content/feature/0198c5a0-… --from en --to de'),
  )
  .action(async (id, { from, to, estimate = false, again = false }, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const request = { signal: context.signal };
    if (estimate) {
      const found = await client.estimateTranslation({ id, input: { from, to } }, request);
      context.result(found, (out) => out.line(estimateText(found)));
      return;
    }
    const { job } = await client.translateCaptions({ id, input: { from, to, again } }, request);
    context.result(job, (out) => out.line(`${out.style('green', '✔')} ${job.status.toLowerCase()}: ${job.id}`));
  });

/** Captions of a content. */
export const captionCommands: readonly CommandUnknownOpts[] = [list, add, remove, translate];
