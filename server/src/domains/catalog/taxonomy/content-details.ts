import type { DidKind, RequestEnv } from '../../../gql/index.ts';
import type { ContentKind } from '../../../kernel/content-kinds.ts';
import { AppError } from '../../../kernel/errors.ts';
import { readText } from '../../../kernel/text.ts';

type Maybe<T> = T | null | undefined;

export const MAX_CATEGORIES = 3;
export const MAX_GENRES = 5;
export const MAX_NOTE = 1000;

/** Taxonomy fields of a content's input; null means the same as absent. */
export interface TaxonomyInput {
  /** DIDs. */
  readonly rating?: Maybe<string>;
  readonly categories?: Maybe<readonly string[]>;
  readonly genres?: Maybe<readonly string[]>;
  readonly language?: Maybe<string>;
}

/** Input fields of some kinds only. */
export interface KindSpecificInput {
  readonly isPremiere?: Maybe<boolean>;
  readonly isFinale?: Maybe<boolean>;
  readonly note?: Maybe<string>;
}

/** Details as they are stored; null where the caller gave none. */
export interface StoredDetails {
  readonly rating: string | null;
  readonly categories: readonly string[] | null;
  readonly genres: readonly string[] | null;
  /** `und` removes the language. */
  readonly language: string | null;
  readonly isPremiere: boolean | null;
  readonly isFinale: boolean | null;
  readonly note: string | null;
}

/** No details at all. */
export const NO_DETAILS: StoredDetails = {
  rating: null,
  categories: null,
  genres: null,
  language: null,
  isPremiere: null,
  isFinale: null,
  note: null,
};

/** Reads details for a content of this kind. Throws INVALID_INPUT with the field below `input`. */
export function readDetails(env: RequestEnv, kind: ContentKind, input: TaxonomyInput & KindSpecificInput): StoredDetails {
  const { rating, categories, genres, language, isPremiere, isFinale, note } = input;
  onlyFor('EPISODE', kind, { isPremiere, isFinale });
  onlyFor('STREAM', kind, { note });
  return {
    rating: rating == null ? null : env.parseDid(rating, ['rating'], 'input.rating').id,
    categories: categories == null ? null : readFew(env, categories, 'category', MAX_CATEGORIES, 'input.categories'),
    genres: genres == null ? null : readFew(env, genres, 'genre', MAX_GENRES, 'input.genres'),
    language: language == null ? null : readLanguage(language, 'input.language'),
    isPremiere: isPremiere ?? null,
    isFinale: isFinale ?? null,
    note: note == null ? null : readText(note, { field: 'input.note', maxLength: MAX_NOTE, multiline: true }),
  };
}

/** Ids of a short list of identifiers of one kind, without repetitions, in the order given. Throws INVALID_INPUT with the field. */
export function readFew(env: RequestEnv, values: readonly string[], kind: DidKind, most: number, field: string): string[] {
  const ids = [...new Set(values.map((value, index) => env.parseDid(value, [kind], `${field}.${index}`).id))];
  if (ids.length <= most) return ids;
  throw new AppError('INVALID_INPUT', `${field} has ${ids.length} entries; the limit is ${most}.`, {
    field,
    suggestedFix: `Send at most ${most}, the best match first.`,
  });
}

/** BCP 47 (RFC 5646, 2.1): language, script and region are what a video needs. */
const LANGUAGE = /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$/;

function readLanguage(value: string, field: string): string {
  const tag = canonicalTag(value.trim());
  if (tag !== null && LANGUAGE.test(tag)) return tag;
  throw new AppError('INVALID_INPUT', `${field} is not a supported language tag.`, {
    field,
    suggestedFix: 'Send a BCP 47 tag of language, script and region such as en, pt-BR or zh-Hant; und removes the language.',
  });
}

function canonicalTag(value: string): string | null {
  try {
    return Intl.getCanonicalLocales(value)[0] ?? null;
  } catch {
    return null; // a RangeError: not well formed
  }
}

function onlyFor(owner: 'EPISODE' | 'STREAM', kind: ContentKind, values: Readonly<Record<string, unknown>>): void {
  if (kind === owner) return;
  for (const [name, value] of Object.entries(values)) {
    if (value == null) continue;
    throw new AppError('INVALID_INPUT', `Only ${owner === 'EPISODE' ? 'an episode' : 'a stream'} has ${name}.`, {
      field: `input.${name}`,
      suggestedFix: `Omit ${name}.`,
    });
  }
}
