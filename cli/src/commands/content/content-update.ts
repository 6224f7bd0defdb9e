import { Command, Option } from '@commander-js/extra-typings';
import { contextOf } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { collect, examples, visibilityOption } from '../../options.ts';
import { findTerms } from '../../terms.ts';

/** Changes the texts of a content, and who may see and download it. */
export const contentUpdate = new Command('update')
  .summary('Change the texts and the visibility of a content')
  .description('Change the texts and the visibility of a content. What is not named keeps its value.')
  .argument('<CONTENT>', 'Identifier of a content')
  .option('-t, --title <TITLE>', 'Title')
  .option('--summary <TEXT>', 'Description')
  .option('--short-summary <TEXT>', 'Description in a sentence or two')
  .option('-k, --keyword <KEYWORD>', 'A keyword (may be repeated; replaces all)', collect)
  .option('-l, --language <LANGUAGE>', 'The spoken language, such as de or pt-BR')
  .option('--category <CATEGORY...>', 'Its categories, by their names or identifiers; replaces all')
  .option('--genre <GENRE...>', 'Its genres, by their names or identifiers, the main one first; replaces all')
  .addOption(visibilityOption)
  .addOption(new Option('--allow-download', 'Let everyone who may watch it download it'))
  .option('--no-allow-download', 'Let only members of the channel download it')
  .addHelpText(
    'after',
    examples(
      'reelgraph content update did:reelgraph:content/feature/0198c5a0-… --title "A loud morning" --visibility PRIVATE',
      'reelgraph content update did:reelgraph:content/feature/0198c5a0-… --keyword city --category Travel',
    ),
  )
  .action(async (id, { keyword: keywords, category, genre, ...others }, command) => {
    if ([keywords, category, genre, ...Object.values(others)].every((value) => value === undefined))
      throw new CliError('Nothing to change was named.', 'Add --help to see what can be changed.');
    const context = contextOf(command);
    const client = await context.client();
    const input = {
      ...others,
      keywords,
      categories: await findTerms(context, 'categories', category),
      genres: await findTerms(context, 'genres', genre),
    };
    const content = await client.updateContent({ id, input }, { signal: context.signal });
    context.done(content, 'updated', content.metadata.title);
  });
