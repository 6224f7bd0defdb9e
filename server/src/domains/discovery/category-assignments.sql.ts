import type { ArgScope, ArgShape, Groups } from '../../gql/index.ts';
import { CONTENT_KIND_NAMES } from '../../kernel/content-kinds.ts';
import { readIds } from './search/filter-input.ts';

/** Names a column of content_listings or content_listing_terms. */
export type ListedColumn = (name: string) => string;

/** What a content is filed under: the entry of a filter to the kind of identifier. */
const FILINGS = { categories: 'category', genres: 'genre' } as const;
export type Filing = keyof typeof FILINGS;

/** By what a list with the argument `filter` is read from content_listing_terms: categories, else genres; a channel has an order of its own. */
export function filingOf(args: ArgShape): Filing | null {
  if (args.given('filter.channel')) return null;
  return (['categories', 'genres'] as const).find((name) => args.given(`filter.${name}`)) ?? null;
}

/** SQL of the identifiers that the filter names. */
export function filedUnder(args: ArgScope, filing: Filing): string {
  return args.read(`filter.${filing}`, (ids, field, env) => readIds(ids as string[], FILINGS[filing], field, env), 'uuid[]'); // as the schema declares it
}

/** The ranges of content_listing_terms that a list is put together of; `ids` is the SQL of an array. */
export function filingGroups(ids: (args: ArgScope) => string): Groups {
  return {
    of: (_, args) => `select distinct unnest(${ids(args)}) as id`,
    on: (child, id) => `${child}.listed_term_id = ${id}`,
  };
}

/** SQL: of the rows of one content under several of `ids`, only the first is in the list. */
export function onlyOnce(column: ListedColumn, ids: string): string {
  return `(cardinality(${ids}) = 1 or not exists (select 1 from content_listing_terms y where y.content_id = ${column('content_id')} and y.term_id = any(${ids}) and y.term_id < ${column('term_id')}))`;
}

/** SQL of how many contents are listed under a category or genre, of these kinds (a relation with one column) or of all. */
export function filedCount(kinds: string | null, filedUnder: string): string {
  const all = `unnest(array[${CONTENT_KIND_NAMES.map((kind) => `'${kind}'`).join(', ')}])`;
  return `(select coalesce(sum(counter_value('term:listed:' || k.kind, ${filedUnder})), 0)::bigint from ${kinds ?? all} k (kind))`;
}
