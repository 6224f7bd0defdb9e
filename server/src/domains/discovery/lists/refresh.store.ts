import type { Database, Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { unlimited } from '../../../platform/db/unlimited.ts';

/**
 * Maximum number of queued changes in one pass. A content is also written for each of its category and genre
 * assignments.
 */
const MOST = 500;
/** Maximum number of documents that change tiers in one statement. */
const MOST_MOVED = 2_000;

// One pass at a time: of two overlapping ones, the one with older data might write last. Rows are looked up one by one,
// even with a plan from when the tables were small.
const ALONE = sql(
  'refresh_one_at_a_time',
  `select pg_advisory_xact_lock(hashtext('refresh_stats'), 0), set_config('enable_seqscan', 'off', true)`,
);
// Trends ignore likes of older days.
const TAKE = sql(
  'dequeue_stats',
  `with taken as (
     delete from stats_dirty_queue where ctid = any(array(select ctid from stats_dirty_queue limit $1)) returning id,
       day, likes),
   liked as (
     insert into likes_daily as k (day, content_id, likes)
     select day, id, sum(likes) from taken where likes <> 0 and day >= $2::date - 6 group by 1, 2 order by 1, 2
     on conflict (day, content_id) do update set likes = k.likes + excluded.likes)
   select id from taken`,
);
const LOCK_DOCUMENTS = sql(
  'lock_documents',
  'select id from search_documents where id = any($1::uuid[]) for no key update skip locked',
);
const LOCK_LISTED = sql(
  'lock_listings',
  'select content_id as id from content_listings where content_id = any($1::uuid[]) for no key update skip locked',
);
const NOTE_AGAIN = sql(
  'requeue_stats',
  `insert into stats_dirty_queue (id)
   select id from search_documents where id = any($1::uuid[]) and id <> all($2::uuid[])
   union
   select content_id from content_listings where content_id = any($1::uuid[]) and content_id <> all($3::uuid[])
   returning id`,
);
// A view counts 1, five minutes of watching 1, a like 3; half of it a day later, nothing after seven. In 1/64 of what a
// millisecond of watching counts, which makes whole numbers. What is of tomorrow by a clock that is ahead counts as of
// today.
const REFRESH_STATS = sql(
  'refresh_stats',
  `with totals as (
     select k.content_id, n.views, n.likes, trend_score(a.points, $2::date) as trend
     from content_listings k cross join lateral (
       select coalesce(sum(c.value) filter (where c.scope = 'content:views'), 0)::bigint as views,
              coalesce(sum(c.value) filter (where c.scope = 'content:likes'), 0)::bigint as likes
       from counters c where c.scope in ('content:views', 'content:likes') and c.key = k.content_id) n
     cross join lateral (
       select sum(p.points * (64 >> greatest(0, $2::date - p.day)))::float8 as points from (
         select d.day, 300000 * d.views + d.watch_ms as points from content_daily d
         where d.content_id = k.content_id and d.day between $2::date - 6 and $2::date + 1
         union all
         select d.day, 3 * 300000 * d.likes from generate_series(-1, 6) age join likes_daily d on d.day = $2::date - age
           and d.content_id = k.content_id) p) a
     where k.content_id = any($1::uuid[])),
   changed as (
     select f.* from content_listings l join totals f on f.content_id = l.content_id
     where (l.views, l.likes, l.trend) is distinct from (f.views, f.likes, f.trend)),
   assignments as (
     update content_listing_terms f set views = c.views, likes = c.likes, trend = c.trend from changed c
       where f.content_id = c.content_id)
   update content_listings l set views = c.views, likes = c.likes, trend = c.trend from changed c
     where l.content_id = c.content_id`,
);
const POPULARITY = sql(
  'refresh_popularity',
  `with totals as (
     select l.content_id as id, search_popularity(l.views, l.likes) as popularity from content_listings l
       where l.content_id = any($1::uuid[])
     union all
     select h.id, search_popularity(counter_value('channel:followers', h.id), 0) from channels h
       where h.id = any($1::uuid[]))
   update search_documents d set popularity = f.popularity from totals f where d.id = f.id
     and d.popularity <> f.popularity`,
);

interface Row {
  readonly id: string;
}

/**
 * Copies changed views, likes and trends of listed contents, and what search derives from them and from followers, to
 * the columns that lists are sorted by, one batch at a time. `day` is today, UTC, YYYY-MM-DD. Returns whether there may
 * be more.
 *
 * Queue entries are deleted in this transaction, so an interrupted batch is repeated. Values are read after the
 * entries, so no queued change is missed. Rows that another transaction is writing are queued again: this one never
 * waits, so it cannot deadlock. An assignment to a category or genre also locks its row of content_listings: while that
 * row is locked here, all assignments are visible, and later ones get the new values.
 */
export function refreshStats(db: Database, day: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.run(ALONE, []);
    const taken = await tx.run<Row>(TAKE, [MOST, day]);
    const ids = [...new Set(idsOf(taken))];
    if (ids.length === 0) return false;
    const documents = idsOf(await tx.run<Row>(LOCK_DOCUMENTS, [ids]));
    const listed = idsOf(await tx.run<Row>(LOCK_LISTED, [ids]));
    const busy = new Set(idsOf(await tx.run<Row>(NOTE_AGAIN, [ids, documents, listed])));
    const free = ids.filter((id) => !busy.has(id));
    await tx.run(REFRESH_STATS, [free, day]);
    await tx.run(POPULARITY, [free]);
    return taken.length === MOST && free.length > 0;
  });
}

function idsOf(rows: readonly Row[]): string[] {
  return rows.map(({ id }) => id);
}

const NOTE_FADED = sql(
  'queue_decayed_trends',
  `with cursor as (select day, content_id from trend_decay_cursor for update),
   days as (
     select d.day, d.content_id from cursor c cross join lateral (
       select k.day, k.content_id from content_daily k
       where (k.day, k.content_id) > (c.day, c.content_id) and k.day < $1::date - 6 order by k.day, k.content_id
         limit $2) d),
   likes as (
     select d.day, d.content_id from cursor c cross join lateral (
       select k.day, k.content_id from likes_daily k
       where (k.day, k.content_id) > (c.day, c.content_id) and k.day < $1::date - 6 order by k.day, k.content_id
         limit $2) d),
   faded as materialized (select day, content_id from days union select day, content_id from likes order by 1, 2
     limit $2),
   noted as (insert into stats_dirty_queue (id) select distinct content_id from faded)
   update trend_decay_cursor set (day, content_id) = (select day, content_id from faded order by day desc,
     content_id desc limit 1)
   where exists (select from faded) returning true as noted`,
);

/**
 * Queues contents with activity on days before the seven up to `day`, each day once and in batches; returns whether
 * there were any.
 */
export async function noteSomeFaded(db: Executor, day: string): Promise<boolean> {
  return (await db.first<{ noted: boolean }>(NOTE_FADED, [day, MOST])) !== null;
}

const FORGET_LIKES = sql(
  'delete_old_likes_daily',
  'delete from likes_daily where ctid = any(array(select ctid from likes_daily where day < $1::date - 7 ' +
    'order by day limit $2)) returning 1 as one',
);

/**
 * Deletes daily sums of likes from before the seven days up to `day`, except the last one, in case a clock is behind.
 * In batches; returns whether there may be more.
 */
export async function forgetSomeLikes(db: Executor, day: string): Promise<boolean> {
  return (await db.run(FORGET_LIKES, [day, MOST])).length === MOST;
}

const TIERS = sql('refresh_tiers', 'select search_refresh_tiers($1) as moved');

/** Moves the most popular documents to the first search tier, in batches. */
export async function refreshTiers(db: Executor): Promise<void> {
  while ((await db.first<{ moved: number }>(TIERS, [MOST_MOVED]))?.moved === MOST_MOVED);
}

const RENAMED = sql('refresh_renamed', 'select search_refresh_renamed($1) as more');

/** Rewrites the documents of a renamed channel, in batches; returns whether there may be more. */
export async function refreshRenamed(db: Executor): Promise<boolean> {
  return (await db.first<{ more: boolean }>(RENAMED, [MOST]))?.more ?? false;
}

const REBUILD = sql('rebuild_search', 'select search_rebuild()::int as documents');

/** Rebuilds search documents and listings in one transaction, however long it takes; publishing waits meanwhile. */
export function rebuildSearch(db: Database): Promise<{ readonly documents: number }> {
  return db.transaction(async (tx) => {
    await unlimited(tx);
    return { documents: (await tx.first<{ documents: number }>(REBUILD, []))?.documents ?? 0 };
  });
}
