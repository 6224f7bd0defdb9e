import type { CommandScope } from '../../../gql/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import type { StoredDetails } from './content-details.ts';

/** Whether what a content is to be filed under exists. */
export interface FilingFacts {
  readonly rating: boolean;
  readonly categories: boolean;
  readonly genres: boolean;
}

const known = (rating: string, categories: string, genres: string): string => `
    select ${rating} is null or exists (select 1 from ratings where id = ${rating}) as rating,
           (select count(*) from categories where id = any(${categories})) = coalesce(cardinality(${categories}), 0) as categories,
           (select count(*) from genres where id = any(${genres})) = coalesce(cardinality(${genres}), 0) as genres`;

/** `returns` of a command with `filing`. */
export const FILING_FACTS = {
  rating_known: 'select rating from filing',
  categories_known: 'select categories from filing',
  genres_known: 'select genres from filing',
} as const;

/** The facts as a command's statement tells them. */
export function readFilingFacts({ rating_known, categories_known, genres_known }: Readonly<Record<string, unknown>>): FilingFacts {
  return { rating: rating_known === true, categories: categories_known === true, genres: genres_known === true };
}

/** Condition on the CTE `filing`: everything that was given exists. */
export const IS_FILED = '(select rating and categories and genres from filing)';

/** The CTE `filing`; it stands before `changed`. */
export function filingCte<Input extends StoredDetails>(s: CommandScope<Input>): { readonly filing: string } {
  const rating = s.value(({ rating }) => rating, 'uuid');
  const categories = s.value(({ categories }) => categories, 'uuid[]');
  const genres = s.value(({ genres }) => genres, 'uuid[]');
  return { filing: known(rating, categories, genres) };
}

/** The CTEs that link the content that `changed` has made to its categories and genres. */
export function linkingCtes<Input extends StoredDetails>(s: CommandScope<Input>): Readonly<Record<string, string>> {
  const link = (table: string, column: string, ids: string) => `
    insert into ${table} (content_id, ${column}, position)
    select c.id, g.id, g.position from changed c, unnest(${ids}) with ordinality g (id, position)`;
  return {
    content_categories_set: link(
      'content_categories',
      'category_id',
      s.value(({ categories }) => categories, 'uuid[]'),
    ),
    content_genres_set: link(
      'content_genres',
      'genre_id',
      s.value(({ genres }) => genres, 'uuid[]'),
    ),
  };
}

/** The CTE that files what `changed` has locked under its new categories and genres; what was not given stays as it is. Needs `FILED`. */
export function refilingCte<Input extends StoredDetails>(s: CommandScope<Input>): { readonly filed: string } {
  const categories = s.value(({ categories }) => categories, 'uuid[]');
  const genres = s.value(({ genres }) => genres, 'uuid[]');
  return { filed: `select file_content(c.id, ${categories}, ${genres}) from changed c` };
}

/** `returns` of a command with `refilingCte`: a query in a statement runs only when it is asked for. */
export const FILED = { filed: 'select count(*) from filed' } as const;

const KNOWN = sql('filing_known', known('$1::uuid', '$2::uuid[]', '$3::uuid[]'));

/** As the CTE `filing`, for commands with a transaction. */
export async function findFiling(db: Executor, { rating, categories, genres }: StoredDetails): Promise<FilingFacts> {
  const facts = await db.first<FilingFacts>(KNOWN, [rating, categories, genres]);
  return facts ?? { rating: false, categories: false, genres: false };
}

const FILE = sql(
  'file_content',
  `with categories_set as (
     insert into content_categories (content_id, category_id, position)
     select $1, g.id, g.position from unnest($2::uuid[]) with ordinality g (id, position)
   )
   insert into content_genres (content_id, genre_id, position)
   select $1, g.id, g.position from unnest($3::uuid[]) with ordinality g (id, position)`,
);

/** Links a new content to its categories and genres. */
export async function fileContent(db: Executor, contentId: string, { categories, genres }: StoredDetails): Promise<void> {
  if (categories?.length || genres?.length) await db.run(FILE, [contentId, categories, genres]);
}

const FILE_CHANNEL = sql(
  'file_channel',
  `with dropped as (
     delete from channel_categories where channel_id = $1 and category_id <> all ($2::uuid[])
   ),
   linked as (
     insert into channel_categories (channel_id, category_id, position)
     select $1, g.id, g.position from unnest($2::uuid[]) with ordinality g (id, position)
     on conflict (channel_id, category_id) do update set position = excluded.position
   ),
   changed as (update channels set updated_at = $3 where id = $1 returning id)
   insert into events (type, channel_id, subject_id) select 'channel.updated', id, id from changed`,
);

/** Files a channel under these categories instead of those before, and tells of it. The caller has locked the channel. */
export async function fileChannel(tx: Executor, channelId: string, categories: readonly string[], nowMs: number): Promise<void> {
  await tx.run(FILE_CHANNEL, [channelId, categories, new Date(nowMs).toISOString()]);
}
