import type { ContentKind } from '../../../kernel/content-kinds.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';

/** The type of a content in its hints. ANY stands for a FEATURE. */
export type ContentType = 'FEATURE' | 'SHORT' | 'LIVE' | 'SERIES' | 'EPISODE' | 'ANY';

/** The type of each kind. */
export const CONTENT_TYPE_OF: Readonly<Record<ContentKind, ContentType>> = {
  FEATURE: 'FEATURE',
  SHORT: 'SHORT',
  STREAM: 'LIVE',
  SERIES: 'SERIES',
  SEASON: 'SERIES',
  MINISERIES: 'SERIES',
  EPISODE: 'EPISODE',
};

const KIND_OF: Readonly<Record<Exclude<ContentType, 'EPISODE'>, ContentKind>> = {
  FEATURE: 'FEATURE',
  ANY: 'FEATURE',
  SHORT: 'SHORT',
  LIVE: 'STREAM',
  SERIES: 'SERIES',
};

/** The kind of a new content. Throws INVALID_INPUT for EPISODE, which needs a parent. */
export function newKindOf(type: Maybe<ContentType>): ContentKind {
  if (type !== 'EPISODE') return KIND_OF[type ?? 'FEATURE'];
  throw new AppError('INVALID_INPUT', t`An episode belongs to a season or a miniseries.`, {
    field: 'input.contentType',
    suggestedFix: t`Create it with createEpisode.`,
  });
}

/** Throws INVALID_INPUT for a type other than that of the content: it cannot change. */
export function checkTypeOf(kind: ContentKind, type: Maybe<ContentType>): void {
  if (type == null || type === 'ANY' || type === CONTENT_TYPE_OF[kind]) return;
  throw new AppError('INVALID_INPUT', t`The content is of the type ${CONTENT_TYPE_OF[kind]}, which cannot change.`, {
    field: 'input.contentType',
    suggestedFix: t`Omit the type.`,
  });
}

/** How far ahead a publication can be scheduled. */
export const MAX_RELEASE_AHEAD_MS = 5 * 366 * 86_400_000;

/** When to publish, as ISO 8601 text; null for immediately (no date, or a past one). */
export interface Release {
  /** The date as given, shown as the release date; null when none was given. */
  readonly releaseAt: string | null;
  readonly inFuture: boolean;
}

/** Reads a release date (Unix milliseconds). Throws INVALID_INPUT when it is more than five years ahead. */
export function readRelease(releaseMs: Maybe<number>, nowMs: number, field: string): Release {
  if (releaseMs == null) return { releaseAt: null, inFuture: false };
  if (releaseMs > nowMs + MAX_RELEASE_AHEAD_MS) {
    throw new AppError('INVALID_INPUT', t`${field} is more than five years ahead.`, {
      field,
      suggestedFix: t`Send an instant within the next five years.`,
    });
  }
  if (releaseMs < 0) {
    throw new AppError('INVALID_INPUT', t`${field} is before 1970.`, {
      field,
      suggestedFix: t`Send the instant of the first release, or omit the argument.`,
    });
  }
  return { releaseAt: new Date(releaseMs).toISOString(), inFuture: releaseMs > nowMs };
}

/** Clocks differ: a date that has passed this recently means now. */
const CLOCK_SKEW_MS = 60_000;

/**
 * As `readRelease`, for a content that exists: a past date would publish it at once, which nobody expects who chooses a
 * date. Throws INVALID_INPUT for one, up to a minute of difference between clocks.
 */
export function readPublicationDate(releaseMs: Maybe<number>, nowMs: number, field: string): Release {
  const release = readRelease(releaseMs, nowMs, field);
  if (releaseMs == null || releaseMs > nowMs - CLOCK_SKEW_MS) return release;
  throw new AppError('INVALID_INPUT', t`${field} is in the past.`, {
    field,
    suggestedFix: t`Send a date in the future, or omit it to publish at once.`,
  });
}
