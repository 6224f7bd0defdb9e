import { booleanField, wordsField } from '../../../gql/index.ts';

/** What holds comments in a channel for review. */
export const MODERATION_FIELDS = {
  blockedWords: wordsField({
    column: 'blocked_words',
    label: 'Words and phrases',
    most: 500,
    maxLength: 100,
    note: 'They are found as whole words; case and accents make no difference.',
    description: 'Words and phrases: a comment that has one is held.',
  }),
  holdLinks: booleanField({ column: 'hold_links', description: 'Whether comments with links are held.' }),
};
