import type { Database, Executor } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/statement.ts';

/** How many notes of a change one pass takes. A content is written once for everything it is filed under besides. */
const MOST = 1_000;
/** How many filings one pass gives their trend. */
const MOST_FILINGS = 4_000;

// One pass at a time: of two that overlap, the one that read less might write last.
const ALONE = sql('renew_alone', `select pg_advisory_xact_lock(hashtext('renew_figures'), 0)`);
const TAKE = sql(
  'take_changed_figures',
  `delete from changed_figures where ctid = any(array(select ctid from changed_figures limit $1)) returning id`,
);
// Rows are locked in the order in which publishing touches them, so that neither waits for the other in a circle.
const FIGURES = sql(
  'renew_figures',
  `with figures as (
     select k.id as content_id, coalesce(sum(n.value) filter (where n.scope = 'content:views'), 0)::bigint as views,
            coalesce(sum(n.value) filter (where n.scope = 'content:likes'), 0)::bigint as likes
     from unnest($1::uuid[]) k (id) left join counters n on n.scope in ('content:views', 'content:likes') and n.key = k.id group by k.id),
   changed as (
     select f.* from listed_contents l join figures f on f.content_id = l.content_id
     where (l.views, l.likes) is distinct from (f.views, f.likes) order by l.content_id for update of l),
   filings as (update listed_filings f set views = c.views, likes = c.likes from changed c where f.content_id = c.content_id)
   update listed_contents l set views = c.views, likes = c.likes from changed c where l.content_id = c.content_id`,
);
const POPULARITY = sql(
  'renew_popularity',
  `with figures as (
     select l.content_id as id, search_attention(l.views, l.likes) as popularity from listed_contents l where l.content_id = any($1::uuid[])
     union all
     select h.id, search_attention(counter_value('channel:followers', h.id), 0) from channels h where h.id = any($1::uuid[])),
   changed as (
     select f.* from search_documents d join figures f on f.id = d.id where d.popularity <> f.popularity order by d.id for update of d)
   update search_documents d set popularity = c.popularity from changed c where d.id = c.id`,
);

const TIERS = sql('renew_tiers', 'select search_renew_tiers()');

/** Puts the documents of most attention where search looks first. */
export async function renewTiers(db: Executor): Promise<void> {
  await db.run(TIERS, []);
}

/**
 * Copies views and likes of listed contents, and what follows of them and of followers for search, to where lists are sorted by them: of what has
 * changed since the last time, in pieces. Answers whether there may be more. The notes of what changed go with the transaction
 * around it, so a pass that breaks off is made again.
 */
export function renewSomeFigures(db: Database): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.run(ALONE, []);
    const taken = await tx.run<{ id: string }>(TAKE, [MOST]);
    const ids = [...new Set(taken.map(({ id }) => id))];
    // Transactions of their own, which begin after the notes were read: so they see every figure that was noted.
    if (ids.length > 0) await db.run(FIGURES, [ids]);
    if (ids.length > 0) await db.run(POPULARITY, [ids]);
    return taken.length === MOST;
  });
}

// A view counts 1, five minutes of watching 1, a like 3; half of it a day later. In 1/64 of what a millisecond of watching counts: whole numbers, which
// are summed up several times as fast as others.
const TRENDS = sql(
  'renew_trends',
  `with recent (content_id, points) as (
     select d.content_id, (300000 * d.views + d.watch_ms) * (64 >> ($1::date - d.day))
     from content_days d where d.day between $1::date - 6 and $1::date
     union all
     select k.content_id, 3 * 300000::bigint * (64 >> greatest(0, $1::date - (k.created_at at time zone 'UTC')::date))
     from likes k where k.created_at >= ($1::date - 6)::timestamp at time zone 'UTC'),
   sums as materialized (
     select content_id, round(sum(points) / (64 * 300))::bigint as trend from recent
     group by 1 having round(sum(points) / (64 * 300)) > 0 order by 2 desc, 1 desc),
   scores as (
     select s.content_id, s.trend from sums s where exists (select from listed_contents l where l.content_id = s.content_id offset 0)
     order by 2 desc, 1 desc limit 10000),
   affected as (
     select content_id from scores union select content_id from listed_contents where trend > 0),
   changed as (
     select l.content_id, coalesce(s.trend, 0) as trend
     from affected a join listed_contents l on l.content_id = a.content_id left join scores s on s.content_id = a.content_id
     where l.trend <> coalesce(s.trend, 0) order by l.content_id for update of l)
   update listed_contents l set trend = c.trend from changed c where l.content_id = c.content_id`,
);

// As above, the row of a content is locked before those of its filings.
const TRENDS_OF_FILINGS = sql(
  'renew_trends_of_filings',
  `with differing as (
     select f.content_id, f.filed_under from listed_contents l join listed_filings f on f.content_id = l.content_id
     where l.trend > 0 and f.trend <> l.trend
     union all
     select f.content_id, f.filed_under from listed_filings f join listed_contents l on l.content_id = f.content_id
     where f.trend > 0 and l.trend = 0),
   piece as (select * from differing order by content_id, filed_under limit $1),
   changed as (
     select s.*, l.trend from piece s join listed_contents l on l.content_id = s.content_id order by l.content_id for update of l)
   update listed_filings f set trend = c.trend from changed c
   where f.content_id = c.content_id and f.filed_under = c.filed_under returning true`,
);

/**
 * Scores what got attention in the seven days up to `day` (UTC, YYYY-MM-DD): the 10,000 contents that got most of it, and then their filings
 * in pieces.
 */
export async function renewTrends(db: Executor, day: string): Promise<void> {
  await db.run(TRENDS, [day]);
  while ((await db.run(TRENDS_OF_FILINGS, [MOST_FILINGS])).length === MOST_FILINGS);
}

const REBUILD = sql('rebuild_search', 'select search_rebuild()::int as documents');

/** Writes anew what search and lists find, in one transaction; publishing waits meanwhile. */
export async function rebuildSearch(db: Executor): Promise<{ readonly documents: number }> {
  return { documents: (await db.first<{ documents: number }>(REBUILD, []))?.documents ?? 0 };
}
