import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../catalog/testing.ts';
import { refreshLists } from './lists/refresh-lists.ts';
import { PAGE, publish, readWhole } from './testing.ts';

const MUSIC = 'did:reelgraph:content/category/01900000-0000-7000-8000-ca7e00000002';
const GAMING = 'did:reelgraph:content/category/01900000-0000-7000-8000-ca7e00000003';
const NEWS = 'did:reelgraph:content/category/01900000-0000-7000-8000-ca7e00000004';
const DRAMA = 'did:reelgraph:content/genre/01900000-0000-7000-8000-6e1200000009';

describe('contents of a category', () => {
  let api: TestCatalog;
  let anna: Person;
  const videos = new Map<string, string>();
  before(async () => {
    api = await openTestCatalog();
    anna = await api.person('anna');
    // Title, minutes, views, likes, categories and genres.
    await video('Cello', 3, 5, 2, [MUSIC]);
    await video('arcade', 9, 5, 0, [GAMING, DRAMA], 'SHORT');
    await video('Band', 1, 9, 7, [MUSIC, GAMING, DRAMA]);
    await video('duet', 7, 0, 1, [MUSIC, DRAMA], 'SHORT');
    await video('Elections', 2, 3, 3, []);
    await refreshLists(api.platform);
  });
  after(() => api.close());

  async function video(
    title: string,
    minutes: number,
    views: number,
    likes: number,
    assigned: readonly string[],
    kind: 'FEATURE' | 'SHORT' = 'FEATURE',
  ) {
    const id = await publish(api, anna, title, { duration_ms: minutes * 60_000 }, { kind });
    videos.set(title, id);
    for (const did of assigned) await file(title, did);
    const counters = { 'content:views': views, 'content:likes': likes };
    for (const [scope, value] of Object.entries(counters))
      await api.rows('select counter_add($1, $2, $3)', [scope, uuidOf(id), value]);
    await api.rows('insert into stats_dirty_queue (id) values ($1)', [uuidOf(id)]);
  }

  const tableOf = (did: string) =>
    did === DRAMA ? ['content_genres', 'genre_id'] : ['content_categories', 'category_id'];
  const uuid = (title: string) => uuidOf(videos.get(title) ?? '');
  async function file(title: string, did: string): Promise<void> {
    const [table, column] = tableOf(did);
    await api.rows(`insert into ${table} (content_id, ${column}, position) values ($1, $2, 0)`, [
      uuid(title),
      did.slice(-36),
    ]);
  }

  const titleOf = (node: { metadata: { title: string } }) => node.metadata.title;
  const list = (field: string, args: string) =>
    readWhole(async (page) => {
      const response = await api.counted(() =>
        api
          .ok(anna, `{ ${field}(${args}, ${page}) { ${PAGE} edges { cursor node { metadata { title } } } } }`)
          .then((data) => data[field]),
      );
      assert.deepEqual([response.statements, response.roundTrips], [1, 1]);
      return response.result;
    }, titleOf);
  const contents = (filter: string, sort = 'TITLE') => list('contents', `sort: ${sort}, filter: { ${filter} }`);

  const sorted: [string, string[]][] = [
    ['NEWEST', ['duet', 'Band', 'Cello']],
    ['OLDEST', ['Cello', 'Band', 'duet']],
    ['MOST_VIEWED', ['Band', 'Cello', 'duet']],
    ['MOST_LIKED', ['Band', 'Cello', 'duet']],
    ['TITLE', ['Band', 'Cello', 'duet']],
    ['LONGEST', ['duet', 'Cello', 'Band']],
    ['SHORTEST', ['Band', 'Cello', 'duet']],
  ];
  for (const [sort, expected] of sorted) {
    it(`are sorted by ${sort}, in one statement per page`, async () =>
      assert.deepEqual(await contents(`categories: ["${MUSIC}"]`, sort), expected));
  }

  const filters: [string, string, string[]][] = [
    [
      'of several categories, each content once',
      `categories: ["${GAMING}", "${MUSIC}"]`,
      ['arcade', 'Band', 'Cello', 'duet'],
    ],
    ['of a category named twice', `categories: ["${MUSIC}", "${MUSIC}"]`, ['Band', 'Cello', 'duet']],
    ['of a category that is empty', `categories: ["${NEWS}"]`, []],
    ['of no category', 'categories: []', []],
    ['of a genre', `genres: ["${DRAMA}"]`, ['arcade', 'Band', 'duet']],
    ['of a category and a genre', `categories: ["${MUSIC}"], genres: ["${DRAMA}"]`, ['Band', 'duet']],
    ['of a category and a kind', `categories: ["${MUSIC}"], kinds: [SHORT, SHORT]`, ['duet']],
    ['of a genre and kinds', `genres: ["${DRAMA}"], kinds: [SHORT, FEATURE]`, ['arcade', 'Band', 'duet']],
    ['of several categories and a kind', `categories: ["${MUSIC}", "${GAMING}"], kinds: [SHORT]`, ['arcade', 'duet']],
    ['of a category and a length', `categories: ["${MUSIC}"], length: SHORT`, ['Band', 'Cello']],
    ['of a category that search finds', `categories: ["${MUSIC}"], query: "ban"`, ['Band']],
  ];
  for (const [name, filter, expected] of filters)
    it(name, async () => assert.deepEqual(await contents(filter), expected));

  it('of a category and a channel', async () => {
    const bert = await api.person('bert');
    assert.deepEqual(await contents(`categories: ["${MUSIC}"], channel: "${anna.channel}"`), ['Band', 'Cello', 'duet']);
    assert.deepEqual(await contents(`categories: ["${MUSIC}"], channel: "${bert.channel}"`), []);
  });

  it('are those trending in it', async () => {
    await api.rows('insert into content_daily (content_id, channel_id, day, views) values ($1, $2, $3, 4)', [
      uuid('Cello'),
      anna.channelId,
      new Date(api.clock.now()),
    ]);
    await refreshLists(api.platform);
    assert.deepEqual(await list('trending', `category: "${MUSIC}"`), ['Cello', 'duet', 'Band']);
    await api.rows('delete from content_daily where content_id = $1', [uuid('Cello')]);
    await refreshLists(api.platform);
    assert.deepEqual(await list('trending', `category: "${MUSIC}"`), ['duet', 'Band', 'Cello']);
    assert.deepEqual(await list('trending', `category: "${MUSIC}", kind: SHORT`), ['duet']);
  });

  it('follow changes of a content: title, kind, metrics, categories, visibility, deletion', async () => {
    await api.rows(`update contents set title = 'Zither' where id = $1`, [uuid('Cello')]);
    assert.deepEqual(await contents(`categories: ["${MUSIC}"]`), ['Band', 'duet', 'Zither']);
    await api.rows(`update contents set kind = 'SHORT' where id = $1`, [uuid('Cello')]);
    assert.deepEqual(await contents(`categories: ["${MUSIC}"], kinds: [SHORT]`), ['duet', 'Zither']);
    await api.rows('select counter_add($1, $2, 100)', ['content:views', uuid('duet')]);
    await api.rows('insert into stats_dirty_queue (id) values ($1)', [uuid('duet')]);
    await refreshLists(api.platform);
    assert.deepEqual(await contents(`categories: ["${MUSIC}"]`, 'MOST_VIEWED'), ['duet', 'Band', 'Zither']);
    await file('Elections', MUSIC);
    assert.deepEqual(await contents(`categories: ["${MUSIC}"]`), ['Band', 'duet', 'Elections', 'Zither']);
    await api.rows('delete from content_categories where content_id = $1 and category_id = $2', [
      uuid('Band'),
      MUSIC.slice(-36),
    ]);
    assert.deepEqual(await contents(`categories: ["${MUSIC}"]`), ['duet', 'Elections', 'Zither']);
    assert.deepEqual(await contents(`categories: ["${GAMING}"]`), ['arcade', 'Band']);
    await api.rows(`update contents set visibility = 'PRIVATE' where id = $1`, [uuid('duet')]);
    assert.deepEqual(await contents(`categories: ["${MUSIC}"]`), ['Elections', 'Zither']);
    await api.rows(`update contents set visibility = 'PUBLIC' where id = $1`, [uuid('duet')]);
    assert.deepEqual(await contents(`genres: ["${DRAMA}"]`), ['arcade', 'Band', 'duet']);
    await api.rows('delete from contents where id = $1', [uuid('duet')]);
    assert.deepEqual(await contents(`genres: ["${DRAMA}"]`), ['arcade', 'Band']);
  });

  it('change categories concurrently without a deadlock', async () => {
    const [one, two] = [await publish(api, anna, 'One'), await publish(api, anna, 'Two')].map(uuidOf);
    const [music, gaming] = [MUSIC.slice(-36), GAMING.slice(-36)];
    await api.rows(
      'select assign_taxonomy_terms($1, array[$2::uuid], null), assign_taxonomy_terms($3, array[$4::uuid], null)',
      [one, music, two, gaming],
    );
    const clients: pg.Client[] = [];
    const connect = async () => {
      const client = new pg.Client({ connectionString: api.platform.test.url });
      clients.push(client);
      await client.connect();
      const { rows } = await client.query<{ shard: number }>('select pg_backend_pid() % 16 as shard');
      return { client, shard: rows[0]?.shard };
    };
    try {
      // Two that change the same counter, and one that blocks both once they have started.
      const seen = new Map<number | undefined, pg.Client>();
      let { client: first, shard } = await connect();
      while (!seen.has(shard)) {
        seen.set(shard, first);
        ({ client: first, shard } = await connect());
      }
      const second = seen.get(shard) ?? assert.fail('there is one');
      const { client: between } = await connect();
      await between.query('begin');
      await between.query(
        `insert into content_listing_terms (content_id, term_id, channel_id, kind, layout, name, published_at,
          duration_ms, views, likes, trend)
         select content_id, case content_id when $1 then $2 else $4 end::uuid, channel_id, kind, layout, name,
           published_at, duration_ms, views, likes, trend
         from content_listings where content_id in ($1, $3)`,
        [one, gaming, two, music],
      );
      const file = 'select assign_taxonomy_terms($1, array[$2::uuid], null)';
      const assignments = Promise.all([first.query(file, [one, gaming]), second.query(file, [two, music])]);
      const waiting =
        'select count(*)::int as n from pg_stat_activity where datname = current_database() ' +
        `and wait_event_type = 'Lock'`;
      while ((await api.row<{ n: number }>(waiting)).n < 2) await sleep(5);
      await between.query('rollback');
      await assignments;
    } finally {
      await Promise.all(clients.map((client) => client.end()));
    }
    const assigned = await api.rows(
      'select content_id, term_id from content_listing_terms where content_id in ($1, $2) order by 1',
      [one, two],
    );
    assert.deepEqual(assigned, [
      { content_id: one, term_id: gaming },
      { content_id: two, term_id: music },
    ]);
    await api.rows('delete from contents where id in ($1, $2)', [one, two]);
  });

  it('are counted exactly under concurrent assignments', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, (_, n) => publish(api, anna, `Report ${n}`)));
    const assigned = (did: string, id: string) =>
      api.rows('insert into content_categories (content_id, category_id, position) values ($1, $2, 0)', [
        uuidOf(id),
        did.slice(-36),
      ]);
    await Promise.all(ids.flatMap((id) => [assigned(NEWS, id), assigned(GAMING, id)]));
    await Promise.all(ids.slice(0, 5).map((id) => api.rows('delete from contents where id = $1', [uuidOf(id)])));
    assert.equal((await contents(`categories: ["${NEWS}"]`)).length, 7);
    assert.equal((await contents(`categories: ["${GAMING}"]`)).length, 9);
  });
});
