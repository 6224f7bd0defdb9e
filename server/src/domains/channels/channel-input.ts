import { AppError } from '../../kernel/errors.ts';
import { readKeywords, readText } from '../../kernel/text.ts';

export const MAX_NAME = 100;
export const MAX_TITLE = 200;
export const MAX_SUMMARY = 5000;
export const MAX_SHORT_SUMMARY = 300;

/** What the API hands over; null means the same as absent. */
export interface ChannelChanges {
  readonly name?: string | null | undefined;
  readonly title?: string | null | undefined;
  readonly summary?: string | null | undefined;
  readonly shortSummary?: string | null | undefined;
  readonly keywords?: readonly string[] | null | undefined;
  readonly handle?: string | null | undefined;
}

/** The columns to write; null leaves a column as it is. */
export interface StoredChannelChanges {
  readonly name: string | null;
  readonly title: string | null;
  readonly summary: string | null;
  readonly shortSummary: string | null;
  readonly keywords: string[] | null;
  readonly handle: string | null;
}

/** Reads the changes to a channel. Throws INVALID_INPUT or FIELD_REQUIRED with the field. */
export function readChannelChanges(input: ChannelChanges): StoredChannelChanges {
  const { name, title, summary, shortSummary, keywords, handle } = input;
  return {
    name: name == null ? null : readText(name, { field: 'input.name', maxLength: MAX_NAME, required: true }),
    title: title == null ? null : readText(title, { field: 'input.title', maxLength: MAX_TITLE, required: true }),
    summary: summary == null ? null : readText(summary, { field: 'input.summary', maxLength: MAX_SUMMARY, multiline: true }),
    shortSummary:
      shortSummary == null ? null : readText(shortSummary, { field: 'input.shortSummary', maxLength: MAX_SHORT_SUMMARY, multiline: true }),
    keywords: keywords == null ? null : readKeywords(keywords, 'input.keywords'),
    handle: handle == null ? null : readHandle(handle),
  };
}

/** The same rule as for user names, which become handles when an account is made. */
const HANDLE = /^[A-Za-z0-9_][A-Za-z0-9_.-]{1,38}$/;

function readHandle(value: string): string {
  const handle = value.trim();
  if (HANDLE.test(handle)) return handle;
  throw new AppError('INVALID_INPUT', 'A handle has 2 to 39 characters: letters, digits, underscore, dot and hyphen.', {
    field: 'input.handle',
    suggestedFix: 'Choose one like jane_doe, beginning with a letter, a digit or an underscore.',
  });
}
