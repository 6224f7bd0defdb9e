import { AppError } from '../../../kernel/errors.ts';
import { readKeywords, readText } from '../../../kernel/text.ts';

export const VISIBILITIES = ['PUBLIC', 'UNLISTED', 'PRIVATE'] as const;
export type Visibility = (typeof VISIBILITIES)[number];
export const CONTENT_LAYOUTS = ['LANDSCAPE', 'PORTRAIT', 'VR'] as const;
export type ContentLayout = (typeof CONTENT_LAYOUTS)[number];
export const CONTENT_TYPES = ['FEATURE', 'SHORT'] as const;
export type ContentType = (typeof CONTENT_TYPES)[number];

export const MAX_TITLE = 200;
export const MAX_SUMMARY = 5000;
export const MAX_SHORT_SUMMARY = 300;
/** How far ahead a publication can be scheduled. */
export const MAX_RELEASE_AHEAD_MS = 5 * 366 * 86_400_000;

/** Input of the API; null means the same as absent. */
export interface ContentTexts {
  readonly title?: string | null | undefined;
  readonly summary?: string | null | undefined;
  readonly shortSummary?: string | null | undefined;
  readonly keywords?: readonly string[] | null | undefined;
}

/** Texts as they are stored; null where the caller gave none. */
export interface StoredTexts {
  readonly title: string | null;
  readonly summary: string | null;
  readonly shortSummary: string | null;
  readonly keywords: string[] | null;
}

/** Reads the texts of `input`. Throws INVALID_INPUT or FIELD_REQUIRED with the field under `path`. */
export function readContentTexts(input: ContentTexts, path = 'input'): StoredTexts {
  const { title, summary, shortSummary, keywords } = input;
  return {
    title: title == null ? null : readText(title, { field: `${path}.title`, maxLength: MAX_TITLE, required: true }),
    summary: summary == null ? null : readText(summary, { field: `${path}.summary`, maxLength: MAX_SUMMARY, multiline: true }),
    shortSummary:
      shortSummary == null
        ? null
        : readText(shortSummary, { field: `${path}.shortSummary`, maxLength: MAX_SHORT_SUMMARY, multiline: true }),
    keywords: keywords == null ? null : readKeywords(keywords, `${path}.keywords`),
  };
}

/** As `readContentTexts`, for a new content: the title is required, the rest defaults to empty. */
export function readNewContentTexts(
  input: ContentTexts,
  path = 'input',
): { title: string; summary: string; shortSummary: string; keywords: string[] } {
  const { title, summary, shortSummary, keywords } = readContentTexts(input, path);
  if (title === null) {
    throw new AppError('FIELD_REQUIRED', `${path}.title is missing.`, {
      field: `${path}.title`,
      suggestedFix: `Send a title of 1 to ${MAX_TITLE} characters.`,
    });
  }
  return { title, summary: summary ?? '', shortSummary: shortSummary ?? '', keywords: keywords ?? [] };
}

/** When to publish: null for at once (no date, or one that has passed), otherwise the instant as ISO 8601 text. */
export interface Release {
  /** The date as given, shown as the release date; null when none was given. */
  readonly releaseAt: string | null;
  readonly inFuture: boolean;
}

/** Reads a release date (Unix milliseconds). Throws INVALID_INPUT when it is more than five years ahead. */
export function readRelease(releaseMs: number | null | undefined, nowMs: number, field: string): Release {
  if (releaseMs == null) return { releaseAt: null, inFuture: false };
  if (releaseMs > nowMs + MAX_RELEASE_AHEAD_MS) {
    throw new AppError('INVALID_INPUT', `${field} is more than five years ahead.`, {
      field,
      suggestedFix: 'Send an instant within the next five years.',
    });
  }
  if (releaseMs < 0) {
    throw new AppError('INVALID_INPUT', `${field} is before 1970.`, {
      field,
      suggestedFix: 'Send the instant of the first release, or omit the argument.',
    });
  }
  return { releaseAt: new Date(releaseMs).toISOString(), inFuture: releaseMs > nowMs };
}
