import { textField, wordsField } from '../../gql/index.ts';

export const MAX_TITLE = 200;
export const MAX_SUMMARY = 5000;
export const MAX_KEYWORDS = 30;
export const MAX_KEYWORD_LENGTH = 50;

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
    label: 'Short description in a sentence or two',
    maxLength: 300,
    multiline: true,
    description: 'Short description in a sentence or two.',
  }),
  keywords: wordsField({
    column: 'keywords',
    label: 'Keywords',
    most: MAX_KEYWORDS,
    maxLength: MAX_KEYWORD_LENGTH,
    description: 'Keywords.',
  }),
};
