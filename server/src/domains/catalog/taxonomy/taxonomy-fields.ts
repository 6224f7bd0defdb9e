import type { DidKind, EntityField, FieldChanges, RequestEnv } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';

export const MAX_CATEGORIES = 3;
const MAX_GENRES = 5;

const rating: EntityField<string, string | null, RequestEnv> = {
  column: 'rating_id',
  sqlType: 'uuid',
  type: 'DID',
  description: 'Its age rating; null if not specified.',
  inputDescription: 'Id of its age rating.',
  read: (value, field, env) => env.parseDid(value, ['rating'], field).id,
  show: (id, env) => env.did('rating', id),
  empty: null,
};

function termsField(
  kind: DidKind,
  most: number,
  texts: Record<'description' | 'inputDescription', string>,
): EntityField<readonly string[], string[], RequestEnv> {
  return {
    ...texts,
    column: null,
    sqlType: 'uuid[]',
    type: ['DID'],
    read: (values, field, env) => readFew(env, values, kind, most, field),
    show: (ids, env) => ids.map((id) => env.did(kind, id)),
    empty: [],
  };
}

/** The rating, categories and genres of a content, which are given by their identifiers. */
export const TAXONOMY_FIELDS = {
  rating,
  categories: termsField('category', MAX_CATEGORIES, {
    description: 'Its categories, by name; at most three.',
    inputDescription: `Ids of its categories, at most ${MAX_CATEGORIES}.`,
  }),
  genres: termsField('genre', MAX_GENRES, {
    description: 'Its genres, by name; at most five.',
    inputDescription: `Ids of its genres, the main genre first; at most ${MAX_GENRES}.`,
  }),
};

export type TaxonomyChanges = FieldChanges<typeof TAXONOMY_FIELDS>;

/**
 * Ids of a short list of identifiers of one kind, without duplicates, in the given order. Throws INVALID_INPUT with the
 * field.
 */
export function readFew(
  env: RequestEnv,
  values: readonly string[],
  kind: DidKind,
  most: number,
  field: string,
): string[] {
  const ids = [...new Set(values.map((value, index) => env.parseDid(value, [kind], `${field}.${index}`).id))];
  if (ids.length <= most) return ids;
  throw new AppError('INVALID_INPUT', t`${field} has ${ids.length} entries; the limit is ${most}.`, {
    field,
    suggestedFix: t`Send at most ${most}, the best match first.`,
  });
}
