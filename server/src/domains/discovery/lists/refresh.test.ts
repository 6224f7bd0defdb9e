import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../../kernel/ids.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { publish } from '../testing.ts';
import { rebuildSearch } from './refresh.store.ts';
import { refreshLists } from './refresh-lists.ts';

const DAY_MS = 86_400_000;
const LIKE = 'mutation ($id: DID!) { likeContent(id: $id) { id } }';
const UNLIKE = 'mutation ($id: DID!) { unlikeContent(id: $id) { id } }';
const FOLLOW = 'mutation ($id: DID!) { followChannel(channel: $id) { ok } }';
const UNFOLLOW = 'mutation ($id: DID!) { unfollowChannel(channel: $id) { ok } }';

describe('sort values of lists', () => {
  let api: TestCatalog;
  let people: Person[];
  before(async () => {
    api = await openTestCatalog();
    people = await Promise.all(Array.from({ length: 6 }, (_, index) => api.person(`fan${index}`)));
  });
  after(() => api.close());

  const person = (index: number): Person => people[index % people.length] ?? assert.fail('there are people');
  /** The sort values of lists beside values counted from the tables, which must be equal. */
  async function storedAndCounted(): Promise<[object[], object[]]> {
    const stored = await api.rows<object>(
      `select d.id, l.views, l.likes, d.popularity from search_documents d left join content_listings l
        on l.content_id = d.id
       where d.kind <> 'PLAYLIST' order by d.id`,
    );
    const counted = await api.rows<object>(
      `select id, views, likes, search_popularity(views, likes) as popularity from (
         select c.id, (select coalesce(sum(views), 0)::bigint from content_daily where content_id = c.id) as views,
           (select count(*) from likes where content_id = c.id) as likes
         from contents c where c.listed) c
       union all
       select id, null, null, search_popularity((select count(*) from follows f where f.channel_id = h.id), 0)
         from channels h
       order by id`,
    );
    return [stored, counted];
  }
  const watch = (id: string, day: number, views: number) =>
    api.rows(
      `insert into content_daily (content_id, channel_id, day, views) select id, channel_id,
        date '2026-01-01' + $2::int, $3 from contents where id = $1
       on conflict (content_id, day) do update set views = content_daily.views + excluded.views`,
      [uuidOf(id), day, views],
    );
  const waiting = async () =>
    (
      await api.row<{ n: number }>(
        'select count(*)::int as n from pg_stat_activity where datname = current_database() ' +
          `and wait_event_type = 'Lock'`,
      )
    ).n;
  const notes = async () => (await api.row<{ n: number }>('select count(*)::int as n from stats_dirty_queue')).n;

  it('match counted values after any changes and any number of refreshes', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 8; index += 1) ids.push(await publish(api, person(index), `Film ${index}`));
    const of = (index: number) => ids[index % ids.length] ?? '';
    api.clock.advance(DAY_MS / 2 - (api.clock.now() % DAY_MS) + DAY_MS); // the same days at every time of day
    for (let round = 0; round < 60; round += 1) {
      const who = person(round * 7);
      const id = of(round * 5);
      const channel = person(round * 3 + 1).channel;
      if (round % 3 === 0) await api.ok(who, round % 4 === 3 ? UNLIKE : LIKE, { id });
      if (round % 3 === 1) await watch(id, round % 5, round);
      if (round % 3 === 2 && channel !== who.channel)
        await api.ok(who, round % 4 === 2 ? FOLLOW : UNFOLLOW, { id: channel });
      if (round % 10 === 9) await refreshLists(api.platform);
      api.clock.advance(2 * 3_600_000);
    }
    await api.rows('delete from content_daily where content_id = $1 and day > $2', [uuidOf(of(0)), '2026-01-02']);
    await api.ok(person(2), 'mutation ($id: DID!) { unpublishContent(id: $id) { id } }', { id: of(2) });
    await watch(of(2), 9, 50);
    await refreshLists(api.platform);
    await api.ok(person(2), 'mutation ($id: DID!) { publishContent(id: $id) { id } }', { id: of(2) });
    await refreshLists(api.platform);
    const [stored, counted] = await storedAndCounted();
    assert.deepEqual(stored, counted);
    assert.ok(stored.some((row) => 'likes' in row && Number(row.likes) > 0) && stored.length >= 14);
    assert.equal(await notes(), 0);
  });

  it('sum likes by their day, without removed ones', async () => {
    const week = new Date(api.clock.now() - 6 * DAY_MS).toISOString().slice(0, 10);
    const sums = await api.rows<{ day: string }>(
      'select day::text, content_id, likes from likes_daily where day >= $1 and likes <> 0 order by 1, 2',
      [week],
    );
    const counted =
      `select (created_at at time zone 'UTC')::date::text as day, content_id, count(*) as likes from likes ` +
      'group by 1, 2';
    assert.deepEqual(sums, await api.rows(`select * from (${counted}) c where day >= $1 order by 1, 2`, [week]));
    assert.ok(new Set(sums.map(({ day }) => day)).size > 2);
  });

  it('are correct after changes during concurrent refreshes', async () => {
    const video = await publish(api, person(0), 'Busy');
    await Promise.all([
      ...people.flatMap((who, index) =>
        [LIKE, UNLIKE, LIKE].map((document) => api.ok(who, document, { id: video }).then(() => watch(video, index, 1))),
      ),
      ...Array.from({ length: 12 }, () => refreshLists(api.platform)),
    ]);
    await refreshLists(api.platform);
    const [stored, counted] = await storedAndCounted();
    assert.deepEqual(stored, counted);
  });

  it('reach an assignment that is written during a refresh', async () => {
    const video = await publish(api, person(3), 'Assigned late');
    await refreshLists(api.platform);
    await watch(video, 2, 42);
    let refreshed: Promise<void> | undefined;
    await api.platform.db.transaction(async (tx) => {
      await tx.executeSql(
        'insert into content_categories (content_id, category_id, position) select $1, id, 0 from categories limit 1',
        [uuidOf(video)],
      );
      let isOver = false;
      refreshed = refreshLists(api.platform).then(() => {
        isOver = true;
      });
      // Until it ends, or waits for the open transaction.
      while (!isOver && (await waiting()) === 0) await sleep(5);
    });
    await refreshed;
    await refreshLists(api.platform);
    const stats = await api.row(
      'select f.views as assigned, l.views as listed from content_listing_terms f ' +
        'join content_listings l using (content_id) where content_id = $1',
      [uuidOf(video)],
    );
    assert.deepEqual(stats, { assigned: 42, listed: 42 });
  });

  it('do not wait for writers of a content, and are refreshed by the next pass', async () => {
    const video = await publish(api, person(4), 'Being edited');
    const other = await publish(api, person(4), 'Not being edited');
    await refreshLists(api.platform);
    await watch(video, 3, 5);
    await watch(other, 3, 6);
    await api.platform.db.transaction(async (tx) => {
      await tx.executeSql(`update contents set title = 'Edited' where id = $1`, [uuidOf(video)]);
      await refreshLists(api.platform);
      assert.deepEqual(await api.row('select views from content_listings where content_id = $1', [uuidOf(other)]), {
        views: 6,
      });
    });
    assert.equal(await notes(), 1);
    await refreshLists(api.platform);
    const [stored, counted] = await storedAndCounted();
    assert.deepEqual([stored, await notes()], [counted, 0]);
  });

  it('are refreshed by the next pass after a failed one', async () => {
    const video = await publish(api, person(0), 'Unlucky');
    await refreshLists(api.platform);
    await watch(video, 0, 7);
    await api.rows('alter table search_documents rename to hidden');
    try {
      await assert.rejects(refreshLists(api.platform));
    } finally {
      await api.rows('alter table hidden rename to search_documents');
    }
    assert.equal(await notes(), 1);
    await refreshLists(api.platform);
    const [stored, counted] = await storedAndCounted();
    assert.deepEqual(stored, counted);
  });

  it('are refreshed in batches after many changes', async () => {
    const video = await publish(api, person(1), 'Viral');
    await api.rows(`insert into stats_dirty_queue select $1 from generate_series(1, 12000)`, [uuidOf(video)]);
    await api.rows('insert into stats_dirty_queue values ($1)', [newId()]); // of a deleted object
    await watch(video, 1, 123);
    await refreshLists(api.platform);
    assert.equal(await notes(), 0);
    assert.deepEqual(await api.row('select views from content_listings where content_id = $1', [uuidOf(video)]), {
      views: 123,
    });
  });
});

describe('the documents of a channel that is renamed', () => {
  let api: TestCatalog;
  before(async () => {
    api = await openTestCatalog();
  });
  after(() => api.close());

  it('follow the latest name in batches, while more are published', async () => {
    const hugo = await api.person('hugo');
    await api.rows(
      `insert into contents (id, channel_id, kind, title, status, published_at, created_at, updated_at)
       select uuidv7(make_interval(secs => -n)), $1, 'FEATURE', 'Beacon ' || n, 'PUBLISHED', now(), now(), now()
         from generate_series(1, 1300) n`,
      [hugo.channelId],
    );
    const rename = (name: string) =>
      api.ok(
        hugo,
        'mutation ($id: DID!, $name: String!) { updateChannel(id: $id, input: { name: $name }) { channel { id } } }',
        {
          id: hugo.channel,
          name,
        },
      );
    const named = async (name: string) =>
      (
        await api.row<{ n: number }>(
          `select count(*)::int as n from search_documents where channel_id = $1 and words @@ $2::tsquery`,
          [hugo.channelId, name],
        )
      ).n;
    await rename('Tallow');
    await rename('Wick');
    assert.deepEqual([await named('tallow'), await named('wick')], [0, 201]);
    await Promise.all([
      refreshLists(api.platform),
      ...['Beacon of day', 'Beacon of night'].map((title) => publish(api, hugo, title)),
    ]);
    await refreshLists(api.platform);
    assert.deepEqual([await named('tallow'), await named('wick')], [0, 1_303]);
    assert.deepEqual(await api.rows('select * from search_rename_queue'), []);
  });

  it('are written during a rebuild without a deadlock', async () => {
    const { platform } = api;
    const ida = await api.person('ida');
    const video = await publish(api, ida, 'Harpsichord');
    const waiting =
      'select count(*)::int as n from pg_stat_activity where datname = current_database() ' +
      `and wait_event_type = 'Lock'`;
    let rebuilt: Promise<unknown> | undefined;
    await platform.db.transaction(async (tx) => {
      await tx.executeSql('select search_lock_channels(array[$1::uuid], true)', [ida.channelId]);
      rebuilt = rebuildSearch(platform.db);
      rebuilt.catch(() => {}); // awaited below
      while ((await api.row<{ n: number }>(waiting)).n === 0) await sleep(5);
      await tx.executeSql('select search_refresh_channel($1, $2, 100)', [
        ida.channelId,
        '00000000-0000-0000-0000-000000000000',
      ]);
    });
    await rebuilt;
    assert.equal(
      (await api.row<{ n: number }>('select count(*)::int as n from search_documents where id = $1', [uuidOf(video)]))
        .n,
      1,
    );
  });
});
