import type { Executor } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/statement.ts';

// Rows are locked in the order in which publishing touches them, so that neither waits for the other in a circle.
const FIGURES = sql(
  'renew_figures',
  `with figures as (
     select key as content_id, coalesce(sum(value) filter (where scope = 'content:views'), 0)::bigint as views,
            coalesce(sum(value) filter (where scope = 'content:likes'), 0)::bigint as likes
     from counters where scope in ('content:views', 'content:likes') group by key),
   changed as (
     select f.* from listed_contents l join figures f on f.content_id = l.content_id
     where (l.views, l.likes) is distinct from (f.views, f.likes) order by l.content_id for update of l)
   update listed_contents l set views = c.views, likes = c.likes from changed c where l.content_id = c.content_id`,
);
const POPULARITY = sql(
  'renew_popularity',
  `with figures as (
     select l.content_id as id, search_attention(l.views, l.likes) as popularity from listed_contents l
     union all
     select key, search_attention(sum(value)::bigint, 0) from counters where scope = 'channel:followers' group by key),
   changed as (
     select f.* from search_documents d join figures f on f.id = d.id where d.popularity <> f.popularity order by d.id for update of d)
   update search_documents d set popularity = c.popularity from changed c where d.id = c.id`,
);

/** Copies views and likes of listed contents, and what follows of them for search, to where lists are sorted by them. */
export async function renewFigures(db: Executor): Promise<void> {
  await db.run(FIGURES, []);
  await db.run(POPULARITY, []);
}

// A view counts 1, five minutes of watching 1, a like 3; half of it a day later.
const TRENDS = sql(
  'renew_trends',
  `with recent (content_id, points) as (
     select d.content_id, (d.views + d.watch_ms / 300000.0) * power(0.5, $1::date - d.day)
     from content_days d where d.day between $1::date - 6 and $1::date
     union all
     select k.content_id, 3 * power(0.5, greatest(0, $1::date - (k.created_at at time zone 'UTC')::date))
     from likes k where k.created_at >= ($1::date - 6)::timestamp at time zone 'UTC'),
   scores as (
     select r.content_id, round(1000 * sum(r.points))::bigint as trend
     from recent r join listed_contents l on l.content_id = r.content_id
     group by 1 having round(1000 * sum(r.points)) > 0 order by 2 desc, 1 desc limit 10000),
   affected as (
     select content_id from scores union select content_id from listed_contents where trend > 0),
   changed as (
     select l.content_id, coalesce(s.trend, 0) as trend
     from affected a join listed_contents l on l.content_id = a.content_id left join scores s on s.content_id = a.content_id
     where l.trend <> coalesce(s.trend, 0) order by l.content_id for update of l)
   update listed_contents l set trend = c.trend from changed c where l.content_id = c.content_id`,
);

/** Scores what got attention in the seven days up to `day` (UTC, YYYY-MM-DD): the 10,000 contents that got most of it. */
export async function renewTrends(db: Executor, day: string): Promise<void> {
  await db.run(TRENDS, [day]);
}

const REBUILD = sql('rebuild_search', 'select search_rebuild()::int as documents');

/** Writes anew what search and lists find, in one transaction; publishing waits meanwhile. */
export async function rebuildSearch(db: Executor): Promise<{ readonly documents: number }> {
  return { documents: (await db.first<{ documents: number }>(REBUILD, []))?.documents ?? 0 };
}
