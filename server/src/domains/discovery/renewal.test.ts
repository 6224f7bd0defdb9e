import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newId } from '../../kernel/ids.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../catalog/testing.ts';
import { renewLists } from './renew-lists.ts';
import { publish } from './testing.ts';

const LIKE = 'mutation ($id: DID!) { likeContent(id: $id) { id } }';
const UNLIKE = 'mutation ($id: DID!) { unlikeContent(id: $id) { id } }';
const FOLLOW = 'mutation ($id: DID!) { followChannel(channel: $id) { ok } }';
const UNFOLLOW = 'mutation ($id: DID!) { unfollowChannel(channel: $id) { ok } }';

describe('the figures that lists are sorted by', () => {
  let api: TestCatalog;
  let people: Person[];
  before(async () => {
    api = await openTestCatalog();
    people = await Promise.all(Array.from({ length: 6 }, (_, index) => api.person(`fan${index}`)));
  });
  after(() => api.close());

  const person = (index: number): Person => people[index % people.length] ?? assert.fail('there are people');
  /** What the lists have, and what counting everything gives, which must be the same. */
  async function keptAndCounted(): Promise<[object[], object[]]> {
    const kept = await api.rows<object>(
      `select d.id, l.views, l.likes, d.popularity from search_documents d left join listed_contents l on l.content_id = d.id
       where d.kind <> 'PLAYLIST' order by d.id`,
    );
    const counted = await api.rows<object>(
      `select id, views, likes, search_attention(views, likes) as popularity from (
         select c.id, (select coalesce(sum(views), 0)::bigint from content_days where content_id = c.id) as views,
           (select count(*) from likes where content_id = c.id) as likes
         from contents c where c.listed) c
       union all
       select id, null, null, search_attention((select count(*) from follows f where f.channel_id = h.id), 0) from channels h
       order by id`,
    );
    return [kept, counted];
  }
  const watch = (id: string, day: number, views: number) =>
    api.rows(
      `insert into content_days (content_id, channel_id, day, views) select id, channel_id, date '2026-01-01' + $2::int, $3 from contents where id = $1
       on conflict (content_id, day) do update set views = content_days.views + excluded.views`,
      [uuidOf(id), day, views],
    );
  const notes = async () => (await api.row<{ n: number }>('select count(*)::int as n from changed_figures')).n;

  it('are those that counting gives, whatever happened and however often they were renewed', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 8; index += 1) ids.push(await publish(api, person(index), `Film ${index}`));
    const of = (index: number) => ids[index % ids.length] ?? '';
    for (let round = 0; round < 60; round += 1) {
      const who = person(round * 7);
      const id = of(round * 5);
      const channel = person(round * 3 + 1).channel;
      if (round % 3 === 0) await api.ok(who, round % 4 === 3 ? UNLIKE : LIKE, { id });
      if (round % 3 === 1) await watch(id, round % 5, round);
      if (round % 3 === 2 && channel !== who.channel) await api.ok(who, round % 4 === 2 ? FOLLOW : UNFOLLOW, { id: channel });
      if (round % 10 === 9) await renewLists(api.platform);
    }
    await api.rows('delete from content_days where content_id = $1 and day > $2', [uuidOf(of(0)), '2026-01-02']);
    await api.ok(person(2), 'mutation ($id: DID!) { unpublishContent(id: $id) { id } }', { id: of(2) });
    await watch(of(2), 9, 50);
    await renewLists(api.platform);
    await api.ok(person(2), 'mutation ($id: DID!) { publishContent(id: $id) { id } }', { id: of(2) });
    await renewLists(api.platform);
    const [kept, counted] = await keptAndCounted();
    assert.deepEqual(kept, counted);
    assert.ok(kept.some((row) => 'likes' in row && Number(row.likes) > 0) && kept.length >= 14);
    assert.equal(await notes(), 0);
  });

  it('are right after people acted while several workers renewed them', async () => {
    const film = await publish(api, person(0), 'Busy');
    await Promise.all([
      ...people.flatMap((who, index) =>
        [LIKE, UNLIKE, LIKE].map((document) => api.ok(who, document, { id: film }).then(() => watch(film, index, 1))),
      ),
      ...Array.from({ length: 12 }, () => renewLists(api.platform)),
    ]);
    await renewLists(api.platform);
    const [kept, counted] = await keptAndCounted();
    assert.deepEqual(kept, counted);
  });

  it('are renewed by the next pass when one breaks off', async () => {
    const film = await publish(api, person(0), 'Unlucky');
    await renewLists(api.platform);
    await watch(film, 0, 7);
    await api.rows('alter table search_documents rename to hidden');
    try {
      await assert.rejects(renewLists(api.platform));
    } finally {
      await api.rows('alter table hidden rename to search_documents');
    }
    assert.equal(await notes(), 1);
    await renewLists(api.platform);
    const [kept, counted] = await keptAndCounted();
    assert.deepEqual(kept, counted);
  });

  it('are renewed in pieces when very much changed', async () => {
    const film = await publish(api, person(1), 'Viral');
    await api.rows(`insert into changed_figures select $1 from generate_series(1, 12000)`, [uuidOf(film)]);
    await api.rows('insert into changed_figures values ($1)', [newId()]); // of a thing that is gone
    await watch(film, 1, 123);
    await renewLists(api.platform);
    assert.equal(await notes(), 0);
    assert.deepEqual(await api.row('select views from listed_contents where content_id = $1', [uuidOf(film)]), { views: 123 });
  });
});
