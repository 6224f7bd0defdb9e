import type { ArgScope, ArgShape, Groups } from '../../gql/index.ts';
import { CONTENT_KIND_NAMES } from '../../kernel/content-kinds.ts';
import { readIds } from './search/filter-input.ts';

/** Qualifies a column of a listing. */
export type ListedColumn = (name: string) => string;

/** Taxonomy filters and their kinds of identifier. */
const TAXONOMY_KINDS = { categories: 'category', genres: 'genre' } as const;
export type TaxonomyFilter = keyof typeof TAXONOMY_KINDS;

/**
 * The filter that reads a list from taxonomy listings: categories, otherwise genres; none with a channel, which has its
 * own index.
 */
export function taxonomyFilterOf(args: ArgShape): TaxonomyFilter | null {
  if (args.given('filter.channel')) return null;
  return (['categories', 'genres'] as const).find((name) => args.given(`filter.${name}`)) ?? null;
}

/** SQL of the identifiers in the filter. */
export function taxonomyIds(args: ArgScope, taxonomy: TaxonomyFilter): string {
  return args.read(
    `filter.${taxonomy}`,
    (ids, field, env) => readIds(ids as string[], TAXONOMY_KINDS[taxonomy], field, env),
    'uuid[]',
  ); // as the schema declares it
}

/** The ranges of taxonomy listings that a list merges; `ids` is the SQL of an array. */
export function taxonomyGroups(ids: (args: ArgScope) => string): Groups {
  return {
    of: (_, args) => `select distinct unnest(${ids(args)}) as id`,
    on: (child, id) => `${child}.listed_term_id = ${id}`,
  };
}

/** SQL: keeps only the first row of a content that appears under several of `ids`. */
export function withoutDuplicates(column: ListedColumn, ids: string): string {
  return (
    `(cardinality(${ids}) = 1 or not exists (select 1 from content_listing_terms y where y.content_id = ` +
    `${column('content_id')} and y.term_id = any(${ids}) and y.term_id < ${column('term_id')}))`
  );
}

/**
 * SQL of the number of contents listed under a category or genre, of these kinds (a relation with one column) or of
 * all.
 */
export function assignedCount(kinds: string | null, taxonomyIds: string): string {
  const all = `unnest(array[${CONTENT_KIND_NAMES.map((kind) => `'${kind}'`).join(', ')}])`;
  return (
    `(select coalesce(sum(counter_value('term:listed:' || k.kind, ` +
    `${taxonomyIds})), 0)::bigint from ${kinds ?? all} k (kind))`
  );
}
