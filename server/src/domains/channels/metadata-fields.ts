import type { EntityField } from '../../gql/index.ts';
import { textField } from '../../gql/index.ts';
import { MAX_KEYWORD_LENGTH, MAX_KEYWORDS, readKeywords } from '../../kernel/text.ts';

export const MAX_TITLE = 200;
export const MAX_SUMMARY = 5000;

const keywords: EntityField<readonly string[], string[]> = {
  column: 'keywords',
  sqlType: 'text[]',
  type: ['String'],
  description: 'Keywords.',
  inputDescription: `Keywords, at most ${MAX_KEYWORDS} of at most ${MAX_KEYWORD_LENGTH} characters.`,
  read: readKeywords,
  empty: [],
};

/** The texts that describe whatever is published: channels, contents and playlists have the same. */
export const METADATA_FIELDS = {
  title: textField({ column: 'title', label: 'Title', maxLength: MAX_TITLE, required: true, description: 'Title.' }),
  summary: textField({
    column: 'summary',
    label: 'Description',
    maxLength: MAX_SUMMARY,
    multiline: true,
    description: 'Description; may have several lines.',
  }),
  shortSummary: textField({
    column: 'short_summary',
    label: 'Description in a sentence or two',
    maxLength: 300,
    multiline: true,
    description: 'Description in a sentence or two.',
  }),
  keywords,
};
