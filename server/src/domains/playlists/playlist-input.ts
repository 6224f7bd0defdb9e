import { AppError } from '../../kernel/errors.ts';
import { readKeywords, readText } from '../../kernel/text.ts';

export const MAX_TITLE = 200;
export const MAX_SUMMARY = 5000;
export const MAX_SHORT_SUMMARY = 300;
/** How many items one playlist holds. */
export const MAX_ITEMS = 5_000;

export type PlaylistVisibility = 'PUBLIC' | 'UNLISTED' | 'PRIVATE';

type Maybe<T> = T | null | undefined;

/** What the API hands over; null means the same as absent. */
export interface PlaylistTexts {
  readonly title?: Maybe<string>;
  readonly summary?: Maybe<string>;
  readonly shortSummary?: Maybe<string>;
  readonly keywords?: Maybe<readonly string[]>;
  readonly visibility?: Maybe<PlaylistVisibility>;
}

/** Stored values; null where the caller gave none. */
export interface PlaylistChanges {
  readonly title: string | null;
  readonly summary: string | null;
  readonly shortSummary: string | null;
  readonly keywords: string[] | null;
  readonly visibility: PlaylistVisibility | null;
}

/** Reads the changes to a playlist. Throws INVALID_INPUT or FIELD_REQUIRED with the field under `input`. */
export function readPlaylistChanges({ title, summary, shortSummary, keywords, visibility }: PlaylistTexts): PlaylistChanges {
  return {
    title: title == null ? null : readText(title, { field: 'input.title', maxLength: MAX_TITLE, required: true }),
    summary: summary == null ? null : readText(summary, { field: 'input.summary', maxLength: MAX_SUMMARY, multiline: true }),
    shortSummary:
      shortSummary == null ? null : readText(shortSummary, { field: 'input.shortSummary', maxLength: MAX_SHORT_SUMMARY, multiline: true }),
    keywords: keywords == null ? null : readKeywords(keywords, 'input.keywords'),
    visibility: visibility ?? null,
  };
}

/** A new playlist as it is stored. */
export interface PlaylistFacts {
  readonly title: string;
  readonly summary: string;
  readonly shortSummary: string;
  readonly keywords: string[];
  readonly visibility: PlaylistVisibility;
}

/**
 * As `readPlaylistChanges`, for a new playlist: it needs a title, its visibility defaults to PUBLIC, and the rest may
 * be empty.
 */
export function readNewPlaylist(input: PlaylistTexts): PlaylistFacts {
  const { title, summary, shortSummary, keywords, visibility } = readPlaylistChanges(input);
  if (title === null) {
    throw new AppError('FIELD_REQUIRED', 'input.title is missing.', {
      field: 'input.title',
      suggestedFix: `Send a title of 1 to ${MAX_TITLE} characters.`,
    });
  }
  return { title, summary: summary ?? '', shortSummary: shortSummary ?? '', keywords: keywords ?? [], visibility: visibility ?? 'PUBLIC' };
}
