import type { ContentKind } from '../../../kernel/content-kinds.ts';
import type { Database } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

/** The lists of pages that search engines may read. */
export const PAGE_LISTS = ['contents', 'channels', 'playlists'] as const;
export type PageList = (typeof PAGE_LISTS)[number];

/** The pages of a list that began in a month (UTC), `2026-11`. */
export interface MonthOfPages {
  readonly list: PageList;
  readonly month: string;
  readonly count: number;
}

/** A page: a content by kind, id and code, a channel by handle, a playlist by id. */
export interface ListedPage {
  readonly id: string;
  readonly kind: ContentKind | null;
  readonly shortCode: string | null;
  readonly handle: string | null;
  /** ISO 8601. */
  readonly changedAt: string;
}

interface Source {
  readonly from: string;
  readonly began: string;
  readonly columns: string;
}

/** What everybody may find; `listed` is false for what is unlisted, private or in a test channel. */
const SOURCES: Readonly<Record<PageList, Source>> = {
  contents: {
    from: 'contents t where t.listed',
    began: 't.published_at',
    columns: 't.kind, t.short_code as "shortCode", null as handle, greatest(t.updated_at, t.published_at)',
  },
  channels: {
    from: 'channels t where not (t.is_test or t.is_hidden)',
    began: 't.created_at',
    columns: 'null as kind, null as "shortCode", t.handle::text, t.updated_at',
  },
  playlists: {
    from: 'playlists t where t.listed',
    began: 't.created_at',
    columns: 'null as kind, null as "shortCode", null as handle, t.updated_at',
  },
};

const MONTHS = sql(
  'sitemap_months',
  PAGE_LISTS.map((list) => {
    const { from, began } = SOURCES[list];
    return (
      `select '${list}' as list, to_char(${began} at time zone 'UTC', 'YYYY-MM') as month, count(*)::int as count ` +
      `from ${from} group by 2`
    );
  }).join(' union all ') + ' order by list, month',
);

/** How many pages each list has, by month. */
export function monthsOfPages(db: Database): Promise<MonthOfPages[]> {
  return db.run<MonthOfPages>(MONTHS, []);
}

function pagesStatement(list: PageList) {
  const { from, began, columns } = SOURCES[list];
  const inMonth =
    `${began} >= $1::timestamp at time zone 'UTC' and ` +
    `${began} < ($1::timestamp + interval '1 month') at time zone 'UTC'`;
  return sql(
    `sitemap_${list}`,
    `select t.id, ${columns} as "changedAt" from ${from} and ${inMonth} order by ${began}, t.id offset $2 limit $3`,
  );
}

const PAGES = Object.fromEntries(PAGE_LISTS.map((list) => [list, pagesStatement(list)])) as Readonly<
  Record<PageList, ReturnType<typeof pagesStatement>>
>; // fromEntries widens the keys

/** Up to `limit` pages of a month behind the first `offset`, oldest first. */
export function pagesOfMonth(
  db: Database,
  list: PageList,
  month: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<ListedPage[]> {
  return db.run<ListedPage>(PAGES[list], [`${month}-01`, offset, limit]);
}
