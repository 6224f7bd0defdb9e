import { AppError } from '../../kernel/errors.ts';
import { readHandle } from '../../kernel/handles.ts';
import { readKeywords, readText } from '../../kernel/text.ts';
import { readTimeZone } from './time-zone.ts';

export const MAX_NAME = 100;
export const MAX_TITLE = 200;
export const MAX_SUMMARY = 5000;
export const MAX_SHORT_SUMMARY = 300;

type Maybe<T> = T | null | undefined;

/** What the API hands over; null means the same as absent. */
export interface ChannelChanges {
  readonly name?: Maybe<string>;
  readonly title?: Maybe<string>;
  readonly summary?: Maybe<string>;
  readonly shortSummary?: Maybe<string>;
  readonly keywords?: Maybe<readonly string[]>;
  readonly handle?: Maybe<string>;
  readonly timeZone?: Maybe<string>;
}

/** The columns to write; null leaves a column as it is. */
export interface StoredChannelChanges {
  readonly name: string | null;
  readonly title: string | null;
  readonly summary: string | null;
  readonly shortSummary: string | null;
  readonly keywords: string[] | null;
  readonly handle: string | null;
  readonly timeZone: string | null;
}

/** The columns of a new channel. */
export type NewChannelTexts = { readonly [Column in keyof StoredChannelChanges]: NonNullable<StoredChannelChanges[Column]> };

/** Reads the changes to a channel. Throws INVALID_INPUT or FIELD_REQUIRED with the field. */
export function readChannelChanges(input: ChannelChanges): StoredChannelChanges {
  const { name, title, summary, shortSummary, keywords, handle, timeZone } = input;
  return {
    name: name == null ? null : readText(name, { field: 'input.name', maxLength: MAX_NAME, required: true }),
    title: title == null ? null : readText(title, { field: 'input.title', maxLength: MAX_TITLE, required: true }),
    summary: summary == null ? null : readText(summary, { field: 'input.summary', maxLength: MAX_SUMMARY, multiline: true }),
    shortSummary:
      shortSummary == null ? null : readText(shortSummary, { field: 'input.shortSummary', maxLength: MAX_SHORT_SUMMARY, multiline: true }),
    keywords: keywords == null ? null : readKeywords(keywords, 'input.keywords'),
    handle: handle == null ? null : readHandle(handle, 'input.handle'),
    timeZone: timeZone == null ? null : readTimeZone(timeZone, 'input.timeZone'),
  };
}

/** Reads a new channel: the title defaults to the name. Throws as {@link readChannelChanges}. */
export function readNewChannel(input: ChannelChanges): NewChannelTexts {
  const { name, title, summary, shortSummary, keywords, handle, timeZone } = readChannelChanges(input);
  if (name === null) throw missing('input.name');
  if (handle === null) throw missing('input.handle');
  return {
    name,
    title: title ?? name,
    summary: summary ?? '',
    shortSummary: shortSummary ?? '',
    keywords: keywords ?? [],
    handle,
    timeZone: timeZone ?? 'UTC',
  };
}

function missing(field: string): AppError {
  return new AppError('FIELD_REQUIRED', `${field} is missing.`, { field, suggestedFix: `Send ${field}.` });
}

/** RESOURCE_ALREADY_EXISTS for a handle that another channel has. */
export function handleTaken(handle: string | null): AppError {
  return new AppError('RESOURCE_ALREADY_EXISTS', `The handle ${handle} is taken.`, {
    field: 'input.handle',
    suggestedFix: 'Choose another handle.',
  });
}
