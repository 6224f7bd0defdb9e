import { booleanField, wordsField } from '../../../gql/index.ts';

/** Moderation settings of a channel. */
export const MODERATION_FIELDS = {
  blockedWords: wordsField({
    column: 'blocked_words',
    label: 'Words and phrases',
    most: 500,
    maxLength: 100,
    note: 'They match whole words, regardless of case and accents.',
    description: 'Words and phrases: a comment that contains one is held.',
  }),
  holdLinks: booleanField({ column: 'hold_links', description: 'Whether comments with links are held.' }),
};
