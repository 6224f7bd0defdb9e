import type { Database, Executor, Transaction } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/statement.ts';

/** How many notes of a change one pass takes. A content is written once for everything it is filed under besides. */
const MOST = 1_000;
/** How many documents change their tier in one statement. */
const MOST_MOVED = 2_000;

// One pass at a time: of two that overlap, the one that read less might write last.
const ALONE = sql('renew_alone', `select pg_advisory_xact_lock(hashtext('renew_figures'), 0)`);
// Likes of days that trends do not look at any more need no sum (see forgetLikeDays).
const TAKE = sql(
  'take_changed_figures',
  `with taken as (
     delete from changed_figures where ctid = any(array(select ctid from changed_figures limit $1)) returning id, day, likes),
   liked as (
     insert into like_days as k (day, content_id, likes)
     select day, id, sum(likes) from taken where likes <> 0 and day >= $2::date - 6 group by 1, 2 order by 1, 2
     on conflict (day, content_id) do update set likes = k.likes + excluded.likes)
   select id from taken`,
);
const LOCK_DOCUMENTS = sql('lock_documents', 'select id from search_documents where id = any($1::uuid[]) for no key update skip locked');
const LOCK_LISTED = sql(
  'lock_listed',
  'select content_id as id from listed_contents where content_id = any($1::uuid[]) for no key update skip locked',
);
const NOTE_AGAIN = sql(
  'note_figures_again',
  `insert into changed_figures (id)
   select id from search_documents where id = any($1::uuid[]) and id <> all($2::uuid[])
   union
   select content_id from listed_contents where content_id = any($1::uuid[]) and content_id <> all($3::uuid[])
   returning id`,
);
const FIGURES = sql(
  'renew_figures',
  `with figures as (
     select k.id as content_id, coalesce(sum(n.value) filter (where n.scope = 'content:views'), 0)::bigint as views,
            coalesce(sum(n.value) filter (where n.scope = 'content:likes'), 0)::bigint as likes
     from unnest($1::uuid[]) k (id) left join counters n on n.scope in ('content:views', 'content:likes') and n.key = k.id group by k.id),
   changed as (
     select f.* from listed_contents l join figures f on f.content_id = l.content_id where (l.views, l.likes) is distinct from (f.views, f.likes)),
   filings as (update listed_filings f set views = c.views, likes = c.likes from changed c where f.content_id = c.content_id)
   update listed_contents l set views = c.views, likes = c.likes from changed c where l.content_id = c.content_id`,
);
const POPULARITY = sql(
  'renew_popularity',
  `with figures as (
     select l.content_id as id, search_attention(l.views, l.likes) as popularity from listed_contents l where l.content_id = any($1::uuid[])
     union all
     select h.id, search_attention(counter_value('channel:followers', h.id), 0) from channels h where h.id = any($1::uuid[]))
   update search_documents d set popularity = f.popularity from figures f where d.id = f.id and d.popularity <> f.popularity`,
);

interface Row {
  readonly id: string;
}

/**
 * Locks those of these contents' rows in listed_contents that nobody writes at the moment, and answers which: it waits for nobody, so nobody
 * can wait for it in a circle. Whoever files a content locks its row as well: statements after this one find all its filings, and
 * new ones get what they write.
 */
export async function lockListed(tx: Transaction, ids: readonly string[]): Promise<string[]> {
  return (await tx.run<Row>(LOCK_LISTED, [ids])).map(({ id }) => id);
}

/**
 * Copies views and likes of listed contents, and what follows of them and of followers for search, to where lists are sorted by them: of what has
 * changed since the last time, in pieces; sums up the likes of the seven days up to `day` (UTC, YYYY-MM-DD) by day besides. Answers whether
 * there may be more. The notes of what changed go with the transaction, so a pass that breaks off is made again; figures are read
 * after the notes, so all that were noted are found. What is being written meanwhile is noted again for the next pass.
 */
export function renewSomeFigures(db: Database, day: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.run(ALONE, []);
    const taken = await tx.run<Row>(TAKE, [MOST, day]);
    const ids = [...new Set(taken.map(({ id }) => id))];
    if (ids.length === 0) return false;
    const documents = (await tx.run<Row>(LOCK_DOCUMENTS, [ids])).map(({ id }) => id);
    const busy = new Set((await tx.run<Row>(NOTE_AGAIN, [ids, documents, await lockListed(tx, ids)])).map(({ id }) => id));
    const free = ids.filter((id) => !busy.has(id));
    await tx.run(FIGURES, [free]);
    await tx.run(POPULARITY, [free]);
    return taken.length === MOST && free.length > 0;
  });
}

const TIERS = sql('renew_tiers', 'select search_renew_tiers($1) as moved');

/** Puts the documents of most attention where search looks first, in pieces. */
export async function renewTiers(db: Executor): Promise<void> {
  while ((await db.first<{ moved: number }>(TIERS, [MOST_MOVED]))?.moved === MOST_MOVED);
}

const REBUILD = sql('rebuild_search', 'select search_rebuild()::int as documents');

/** Writes anew what search and lists find, in one transaction; publishing waits meanwhile. */
export async function rebuildSearch(db: Executor): Promise<{ readonly documents: number }> {
  return { documents: (await db.first<{ documents: number }>(REBUILD, []))?.documents ?? 0 };
}
