import type { CommandScope, CommandTarget } from '../../../gql/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import type { TaxonomyChanges } from './taxonomy-fields.ts';

/** The first input field that names a taxonomy term that does not exist; null when all exist. */
export type MissingTerm = 'rating' | 'categories' | 'genres' | null;

const someMissing = (table: string, ids: string): string =>
  `(select count(*) from ${table} where id = any(${ids})) < cardinality(${ids})`;

/** A `MissingTerm`. A null list is not checked. */
const firstMissing = (rating: string, categories: string, genres: string): string => `
    select case when ${rating} is not null and not exists (select 1 from ratings where id = ${rating}) then 'rating'
                when ${categories} is not null and ${someMissing('categories', categories)} then 'categories'
                when ${genres} is not null and ${someMissing('genres', genres)} then 'genres' end as "missingTerm"`;

/** Adds the column `missingTerm` to a target. */
export function withMissingTerm<Input>(
  target: CommandTarget<Input>,
  termsOf: (input: Input) => TaxonomyChanges,
): CommandTarget<Input> {
  return {
    ...target,
    columns: (s) => {
      const given = (['rating', 'categories', 'genres'] as const).map((name) =>
        s.isGiven((input) => termsOf(input)[name]),
      );
      if (!given.includes(true)) return { ...target.columns(s), missingTerm: 'null::text' };
      const rating = s.value((input) => termsOf(input).rating, 'uuid');
      const categories = s.value((input) => termsOf(input).categories, 'uuid[]');
      const genres = s.value((input) => termsOf(input).genres, 'uuid[]');
      return { ...target.columns(s), missingTerm: `(${firstMissing(rating, categories, genres)})` };
    },
  };
}

/** The writes that assign categories and genres to the content inserted by `changed`. */
export function linkingWrites<Input>(
  s: CommandScope<Input>,
  termsOf: (input: Input) => TaxonomyChanges,
): Readonly<Record<string, string>> {
  const link = (table: string, column: string, ids: string) => `
    insert into ${table} (content_id, ${column}, position)
    select c.id, g.id, g.position from changed c, unnest(${ids}) with ordinality g (id, position)`;
  return {
    content_categories_set: link(
      'content_categories',
      'category_id',
      s.value((input) => termsOf(input).categories, 'uuid[]'),
    ),
    content_genres_set: link(
      'content_genres',
      'genre_id',
      s.value((input) => termsOf(input).genres, 'uuid[]'),
    ),
  };
}

const termsOf = (content: string, table: string, column: string): string =>
  `coalesce((select array_agg(g.${column} order by g.position) from ${table} g where g.content_id = ${content}), '{}')`;

/** SQL: the categories and genres of the content `c`, by field. */
export const CONTENT_TERMS = {
  categories: termsOf('c.id', 'content_categories', 'category_id'),
  genres: termsOf('c.id', 'content_genres', 'genre_id'),
} as const;

type TermList = keyof typeof CONTENT_TERMS;
const TERM_LISTS: readonly TermList[] = ['categories', 'genres'];

/** SQL: whether the categories or genres of the content `c` become others. */
export function reassigns<Input>(s: CommandScope<Input>, changesOf: (input: Input) => TaxonomyChanges): string {
  const given = TERM_LISTS.filter((name) => s.isGiven((input) => changesOf(input)[name]));
  const differ = (name: TermList) =>
    `coalesce(${s.value((input) => changesOf(input)[name], 'uuid[]')} <> ${CONTENT_TERMS[name]}, false)`;
  return given.length === 0 ? 'false' : given.map(differ).join(' or ');
}

/**
 * A column that `changed` returns for the locked content `c`: its side effect replaces the category and genre
 * assignments. Omitted fields keep their assignments.
 */
export function reassigned<Input>(s: CommandScope<Input>, termsOf: (input: Input) => TaxonomyChanges): string {
  const given = TERM_LISTS.filter((name) => s.isGiven((input) => termsOf(input)[name]));
  if (given.length === 0) return 'null as reassigned';
  const categories = s.value((input) => termsOf(input).categories, 'uuid[]');
  const genres = s.value((input) => termsOf(input).genres, 'uuid[]');
  return (
    `case when num_nonnulls(${categories}, ${genres}) > 0 then ` +
    `assign_taxonomy_terms(c.id, ${categories}, ${genres}) end as reassigned`
  );
}

const MISSING_TERM = sql('missing_term', firstMissing('$1::uuid', '$2::uuid[]', '$3::uuid[]'));

/** As the column `missingTerm`, for commands with a transaction. */
export async function findMissingTerm(
  db: Executor,
  { rating, categories, genres }: TaxonomyChanges,
): Promise<MissingTerm> {
  const found = await db.first<{ readonly missingTerm: MissingTerm }>(MISSING_TERM, [
    rating ?? null,
    categories ?? null,
    genres ?? null,
  ]);
  return found?.missingTerm ?? null;
}

const ASSIGN_TAXONOMY = sql(
  'assign_taxonomy_terms',
  `with categories_set as (
     insert into content_categories (content_id, category_id, position)
     select $1, g.id, g.position from unnest($2::uuid[]) with ordinality g (id, position)
   )
   insert into content_genres (content_id, genre_id, position)
   select $1, g.id, g.position from unnest($3::uuid[]) with ordinality g (id, position)`,
);

/** Assigns categories and genres to a new content. */
export async function assignTaxonomy(
  db: Executor,
  contentId: string,
  { categories = [], genres = [] }: TaxonomyChanges,
): Promise<void> {
  if (categories.length + genres.length > 0) await db.run(ASSIGN_TAXONOMY, [contentId, categories, genres]);
}

const ASSIGN_CHANNEL_CATEGORIES = sql(
  'file_channel',
  `with dropped as (
     delete from channel_categories where channel_id = $1 and category_id <> all ($2::uuid[])
   ),
   linked as (
     insert into channel_categories (channel_id, category_id, position)
     select $1, g.id, g.position from unnest($2::uuid[]) with ordinality g (id, position)
     on conflict (channel_id, category_id) do update set position = excluded.position
   ),
   changed as (
     update channels set updated_at = $3, revision = revision + 1 where id = $1 and $2::uuid[] <> coalesce((
       select array_agg(g.category_id order by g.position) from channel_categories g where g.channel_id = $1), '{}')
     returning id
   )
   insert into events (type, channel_id, subject_id) select 'channel.updated', id, id from changed`,
);

/** Replaces the categories of a channel and writes the event. The caller has locked the channel. */
export async function assignChannelCategories(
  tx: Executor,
  channelId: string,
  categories: readonly string[],
  nowMs: number,
): Promise<void> {
  await tx.run(ASSIGN_CHANNEL_CATEGORIES, [channelId, categories, new Date(nowMs).toISOString()]);
}
