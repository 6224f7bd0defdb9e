import type { RequestEnv } from '../../../gql/index.ts';
import { CONTENT_KIND_NAMES } from '../../../kernel/content-kinds.ts';
import { AppError } from '../../../kernel/errors.ts';
import { readLanguageTag } from '../../../kernel/language-tags.ts';
import { t } from '../../../kernel/languages/message.ts';

/** Named video lengths: bounds in milliseconds, both inclusive. */
export const CONTENT_LENGTHS = {
  SHORT: { minMs: 0, maxMs: 239_999, is: 'Less than 4 minutes.' },
  MEDIUM: { minMs: 240_000, maxMs: 1_200_000, is: '4 to 20 minutes.' },
  LONG: { minMs: 1_200_001, maxMs: null, is: 'More than 20 minutes.' },
} as const satisfies Record<string, { minMs: number; maxMs: number | null; is: string }>;

/** Types of search results. */
export const SEARCH_TYPES = ['CONTENT', 'CHANNEL', 'PLAYLIST'] as const;
export type SearchType = (typeof SEARCH_TYPES)[number];

/** Fields common to all list filters; null is the same as absent. */
export interface FilterInput {
  readonly kinds?: readonly string[] | null;
  readonly channel?: string | null;
  readonly categories?: readonly string[] | null;
  readonly genres?: readonly string[] | null;
  readonly language?: string | null;
  readonly length?: keyof typeof CONTENT_LENGTHS | null;
  readonly minDurationMs?: number | null;
  readonly maxDurationMs?: number | null;
  readonly publishedAfter?: string | null;
  readonly publishedBefore?: string | null;
}

/** Maximum entries of one list in a filter. */
const MOST_CHOICES = 50;

/** The duration bounds of a filter, in milliseconds, both inclusive; null for no bound. Throws INVALID_INPUT. */
export function readDurations(
  { length, minDurationMs, maxDurationMs }: FilterInput,
  field: string,
): { minMs: number | null; maxMs: number | null } {
  for (const [name, ms] of Object.entries({ minDurationMs, maxDurationMs })) {
    if (ms == null || (ms >= 0 && ms <= 1_000_000_000)) continue;
    throw new AppError('INVALID_INPUT', t`${field}.${name} is not a valid duration.`, {
      field: `${field}.${name}`,
      suggestedFix: t`Send milliseconds between 0 and 1000000000.`,
    });
  }
  if (minDurationMs != null && maxDurationMs != null && minDurationMs > maxDurationMs) {
    throw new AppError('INVALID_INPUT', t`${field}.minDurationMs is more than ${field}.maxDurationMs.`, {
      field: `${field}.minDurationMs`,
      suggestedFix: t`Exchange the two bounds.`,
    });
  }
  const named = length == null ? null : CONTENT_LENGTHS[length];
  const lower = [named?.minMs, minDurationMs].filter((ms) => ms != null);
  const upper = [named?.maxMs, maxDurationMs].filter((ms) => ms != null);
  return { minMs: lower.length > 0 ? Math.max(...lower) : null, maxMs: upper.length > 0 ? Math.min(...upper) : null };
}

/**
 * The publication bounds of a filter: `after` inclusive, `before` exclusive. Throws INVALID_INPUT for an empty range.
 */
export function readPublished(
  { publishedAfter, publishedBefore }: FilterInput,
  field: string,
): { after: string | null; before: string | null } {
  if (publishedAfter != null && publishedBefore != null && publishedAfter >= publishedBefore) {
    throw new AppError('INVALID_INPUT', t`${field}.publishedAfter is not before ${field}.publishedBefore.`, {
      field: `${field}.publishedAfter`,
      suggestedFix: t`Exchange the two instants.`,
    });
  }
  return { after: publishedAfter ?? null, before: publishedBefore ?? null };
}

/** The ids of DIDs of one kind. Throws INVALID_INPUT with the entry as field. */
export function readIds(
  values: readonly string[],
  kind: 'category' | 'genre' | 'rating',
  field: string,
  env: RequestEnv,
): string[] {
  checkChoices(values, field);
  return values.map((value, index) => env.parseDid(value, [kind], `${field}.${index}`).id);
}

function checkChoices(values: readonly unknown[], field: string): void {
  if (values.length <= MOST_CHOICES) return;
  throw new AppError('INVALID_INPUT', t`${field} has ${values.length} entries; the limit is ${MOST_CHOICES}.`, {
    field,
    suggestedFix: t`Send at most ${MOST_CHOICES} entries.`,
  });
}

/**
 * The filter as a tsquery over the tags of search documents (see search_vector in the migrations); null without such a
 * filter. Every part is built from validated values.
 */
export function filterTags(filter: FilterInput, field: string, env: RequestEnv): string | null {
  const { kinds, channel, categories, genres, language } = filter;
  const parts = [
    kinds == null ? null : anyOf('kind', kinds),
    channel == null ? null : anyOf('channel', [env.parseDid(channel, ['channel'], `${field}.channel`).id]),
    categories == null ? null : anyOf('category', readIds(categories, 'category', `${field}.categories`, env)),
    genres == null ? null : anyOf('genre', readIds(genres, 'genre', `${field}.genres`, env)),
    language == null ? null : anyOf('language', [readLanguageTag(language, `${field}.language`)]),
  ].filter((part) => part !== null);
  return parts.length > 0 ? parts.join(' & ') : null;
}

/** As {@link filterTags}, for the result types. */
export function typeTags(types: readonly SearchType[]): string {
  return anyOf(
    'kind',
    types.flatMap((type) => (type === 'CONTENT' ? CONTENT_KIND_NAMES : [type])),
  );
}

/** An empty list matches nothing: no document has that tag. */
function anyOf(tag: string, values: readonly string[]): string {
  const all = values.length > 0 ? values : ['none'];
  return `(${all.map((value) => `'${tag}/${value}'`).join(' | ')})`;
}
