import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { PAGE, publish, readWhole } from '../testing.ts';
import { refreshLists } from './refresh-lists.ts';

const MUSIC = 'did:reelgraph:content/category/01900000-0000-7000-8000-ca7e00000002';
const NODE = `${PAGE} edges { cursor node { id metadata { title } } }`;
const title = (node: { metadata: { title: string } }) => node.metadata.title;

let api: TestCatalog;
let anna: Person;
let bert: Person;
let carl: Person;
before(async () => {
  api = await openTestCatalog();
  [anna, bert, carl] = [await api.person('anna'), await api.person('bert'), await api.person('carl')];
});
after(() => api.close());

const listOf = (who: Person, field: string, args = '') =>
  readWhole(
    async (page) => (await api.ok(who, `{ ${field}(${[args, page].filter(Boolean).join(', ')}) { ${NODE} } }`))[field],
    title,
  );

describe('feed', () => {
  const feed = () => listOf(carl, 'feed');
  const follow = (channel: string) =>
    api.ok(carl, 'mutation ($channel: DID!) { followChannel(channel: $channel) { ok } }', { channel });

  it('lists contents of followed channels, newest first', async () => {
    for (const [owner, name] of [
      [anna, 'A1'],
      [bert, 'B1'],
      [anna, 'A2'],
      [carl, 'Own'],
      [bert, 'B2'],
    ] as const) {
      await publish(api, owner, name);
    }
    const hidden = await publish(api, anna, 'A3', {}, { visibility: 'UNLISTED' });
    assert.deepEqual(await feed(), []);
    await follow(anna.channel);
    assert.deepEqual(await feed(), ['A2', 'A1']);
    await follow(bert.channel);
    assert.deepEqual(await feed(), ['B2', 'A2', 'B1', 'A1']);
    await api.ok(anna, 'mutation ($id: DID!) { updateContent(id: $id, input: { visibility: PUBLIC }) { id } }', {
      id: hidden,
    });
    assert.deepEqual(await feed(), ['A3', 'B2', 'A2', 'B1', 'A1']);
    await api.ok(carl, 'mutation ($channel: DID!) { unfollowChannel(channel: $channel) { ok } }', {
      channel: anna.channel,
    });
    assert.deepEqual(await feed(), ['B2', 'B1']);
  });

  it('merges more channels than a page has entries, with different publishing rates', async () => {
    const reader = await api.person('reader');
    const names: string[] = [];
    for (const [channel, count] of [4, 1, 3, 1, 0, 2].entries()) {
      const owner = await api.person(`writer-${channel}`);
      await api.ok(reader, 'mutation ($channel: DID!) { followChannel(channel: $channel) { ok } }', {
        channel: owner.channel,
      });
      for (let n = 0; n < count; n += 1) {
        names.push(`W${channel} ${n}`);
        await publish(api, owner, `W${channel} ${n}`);
        // Videos of all channels are interleaved.
        const minutes = (7 * names.length) % 13;
        await api.rows(`update contents set published_at = published_at - make_interval(mins => $2) where title = $1`, [
          `W${channel} ${n}`,
          minutes,
        ]);
      }
    }
    const newestFirst = await api.rows<{ title: string }>(
      `select title from contents where title like 'W_ _' and listed order by published_at desc, id desc`,
    );
    assert.equal(newestFirst.length, names.length);
    assert.deepEqual(
      await listOf(reader, 'feed'),
      newestFirst.map((row) => row.title),
    );
  });

  it('requires an account, and refuses cursors of other lists', async () => {
    assert.equal((await api.refused(null, '{ feed { totalCount } }')).code, 'UNAUTHENTICATED');
    const { contents } = await api.ok(carl, '{ contents(first: 1) { pageInfo { endCursor } } }');
    const error = await api.refused(carl, `{ feed(after: "${contents.pageInfo.endCursor}") { totalCount } }`);
    assert.deepEqual([error.code, error.field], ['INVALID_INPUT', 'after']);
  });
});

describe('trending', () => {
  const day = (before: number) => new Date(api.clock.now() - before * 86_400_000).toISOString().slice(0, 10);
  const watched = (id: string, before: number, views: number, watchMs: number) =>
    api.rows(
      'insert into content_daily (content_id, channel_id, day, views, watch_ms) select id, channel_id, $2::date, ' +
        '$3, $4 from contents where id = $1',
      [uuidOf(id), day(before), views, watchMs],
    );

  it('lists the newest first without any views', async () => {
    await refreshLists(api.platform);
    assert.deepEqual(await listOf(carl, 'trending'), await listOf(carl, 'contents'));
  });

  it('ranks recent activity before older, and any activity before none', async () => {
    const ids = new Map<string, string>();
    for (const name of ['Old fame', 'Long watched', 'Fresh', 'Liked', 'Forgotten'])
      ids.set(name, await publish(api, bert, name));
    const of = (name: string) => ids.get(name) ?? '';
    await watched(of('Old fame'), 4, 100, 0); // 100 / 16
    await watched(of('Long watched'), 0, 1, 12_000_000); // 1 + 40
    await watched(of('Fresh'), 0, 10, 0); // 10
    await watched(of('Forgotten'), 8, 1_000_000, 0); // too long ago
    await api.ok(carl, 'mutation ($id: DID!) { likeContent(id: $id) { id } }', { id: of('Liked') }); // 3
    await refreshLists(api.platform);
    const list = await listOf(carl, 'trending');
    assert.deepEqual(list.slice(0, 4), ['Long watched', 'Fresh', 'Old fame', 'Liked']);
    assert.equal(list[4], 'Forgotten', 'unwatched contents follow by date');
    api.clock.advance(8 * 86_400_000);
    await refreshLists(api.platform);
    assert.deepEqual(await listOf(carl, 'trending'), await listOf(carl, 'contents'));
  });

  it('can be filtered by kind and category, with a count', async () => {
    const short = await publish(api, anna, 'Short song', {}, { kind: 'SHORT' });
    await api.rows('insert into content_categories (content_id, category_id, position) values ($1, $2, 0)', [
      uuidOf(short),
      MUSIC.slice(-36),
    ]);
    assert.deepEqual(await listOf(carl, 'trending', 'kind: SHORT'), ['Short song']);
    assert.deepEqual(await listOf(carl, 'trending', `category: "${MUSIC}"`), ['Short song']);
    assert.deepEqual(await listOf(carl, 'trending', `kind: FEATURE, category: "${MUSIC}"`), []);
  });

  it('copies views and likes to the sort columns', async () => {
    const { contents } = await api.ok(
      carl,
      '{ contents(sort: MOST_VIEWED, first: 2) { edges { node { metadata { title } viewCount } } } }',
    );
    assert.deepEqual(
      contents.edges.map((edge: { node: { metadata: { title: string } } }) => title(edge.node)),
      ['Forgotten', 'Old fame'],
    );
    assert.deepEqual((await listOf(carl, 'contents', 'sort: MOST_LIKED'))[0], 'Liked');
  });
});

describe('watchHistory', () => {
  const HISTORY =
    '{ watchHistory(first: 10) { totalCount edges { node { id positionMs durationMs completed watchedAt content { id ' +
    '} } } } }';
  const history = async (who: Person) => (await api.ok(who, HISTORY)).watchHistory;
  const watch = (who: Person, content: string, positionMs: number, minutes: number) =>
    api.rows(
      `insert into watch_positions (account_id, content_id, position_ms, duration_ms, watched_ms, completed, updated_at)
       values ($1, $2, $3::integer, 60000, $3::integer, $3::integer > 55000,
         timestamptz '2026-01-01 00:00:00Z' + $4::integer * interval '1 minute')`,
      [who.accountId, uuidOf(content), positionMs, minutes],
    );
  let videos: string[] = [];
  before(async () => {
    videos = [];
    for (let index = 0; index < 5; index += 1) {
      const video = await publish(api, bert, `Watched ${index}`);
      videos.push(video);
      await watch(anna, video, 10_000 * index + 20_000, index);
    }
    await watch(carl, videos[0] ?? '', 1_000, 9);
  });

  it('lists watched contents and positions, latest first', async () => {
    const whole = await readWhole(
      async (page) =>
        (await api.ok(anna, `{ watchHistory(${page}) { ${PAGE} edges { cursor node { content { id } } } } }`))
          .watchHistory,
      (node: { content: { id: string } }) => node.content.id,
    );
    assert.deepEqual(whole, videos.toReversed());
    const { edges, totalCount } = await history(carl);
    assert.equal(totalCount, 1);
    const { id, ...rest } = edges[0].node;
    assert.deepEqual(rest, {
      positionMs: 1_000,
      durationMs: 60_000,
      completed: false,
      watchedAt: '2026-01-01T00:09:00.000Z',
      content: { id: videos[0] },
    });
    assert.deepEqual(
      await api.ok(carl, 'query ($id: DID!) { node(id: $id) { __typename ... on WatchedContent { positionMs } } }', {
        id,
      }),
      {
        node: { __typename: 'WatchedContent', positionMs: 1_000 },
      },
    );
  });

  it('keeps the entry of a hidden content, without the content', async () => {
    const [video = ''] = videos;
    await api.ok(bert, 'mutation ($id: DID!) { updateContent(id: $id, input: { visibility: PRIVATE }) { id } }', {
      id: video,
    });
    const { edges, totalCount } = await history(carl);
    assert.deepEqual([totalCount, edges[0].node.content], [1, null]);
    await api.ok(bert, 'mutation ($id: DID!) { updateContent(id: $id, input: { visibility: PUBLIC }) { id } }', {
      id: video,
    });
  });

  it('removes one entry idempotently, or all, of this account only', async () => {
    const remove = 'mutation ($id: DID!) { removeFromHistory(id: $id) { ok } }';
    for (let times = 0; times < 2; times += 1) {
      assert.deepEqual(await api.ok(anna, remove, { id: videos[2] }), { removeFromHistory: { ok: true } });
      assert.equal((await history(anna)).totalCount, 4);
    }
    assert.deepEqual(await api.ok(anna, 'mutation { clearHistory { ok } }'), { clearHistory: { ok: true } });
    assert.deepEqual(await history(anna), { totalCount: 0, edges: [] });
    assert.equal((await history(carl)).totalCount, 1);
    const error = await api.refused(anna, remove, { id: anna.channel });
    assert.deepEqual([error.code, error.field], ['INVALID_INPUT', 'id']);
    for (const mutation of [`removeFromHistory(id: "${videos[0]}") { ok }`, 'clearHistory { ok }']) {
      assert.equal((await api.refused(null, `mutation { ${mutation} }`)).code, 'UNAUTHENTICATED');
    }
  });

  it('drops purged contents, also from the count', async () => {
    await api.rows('delete from contents where id = $1', [uuidOf(videos[0] ?? '')]);
    assert.deepEqual(await history(carl), { totalCount: 0, edges: [] });
  });
});

describe('related contents', () => {
  const related = async (id: string) =>
    readWhole(
      async (page) =>
        (await api.ok(carl, `query ($id: DID!) { content(id: $id) { related(${page}) { ${NODE} } } }`, { id })).content
          .related,
      title,
    );

  it('begin with the next episodes', async () => {
    const dora = await api.person('dora');
    const serie = await publish(api, dora, 'Saga', {}, { kind: 'SERIES' });
    const season = await publish(api, dora, 'Saga 1', {}, { kind: 'SEASON', parent: serie, number: 1 });
    const episodes: string[] = [];
    for (let number = 1; number <= 5; number += 1) {
      episodes.push(await publish(api, dora, `Chapter ${number}`, {}, { kind: 'EPISODE', parent: season, number }));
    }
    assert.deepEqual((await related(episodes[1] ?? '')).slice(0, 4), [
      'Chapter 3',
      'Chapter 4',
      'Chapter 5',
      'Chapter 1',
    ]);
    await api.ok(dora, 'mutation ($id: DID!) { unpublishContent(id: $id) { id } }', { id: episodes[2] });
    assert.deepEqual((await related(episodes[1] ?? '')).slice(0, 3), ['Chapter 4', 'Chapter 5', 'Chapter 1']);
  });

  it('share keywords, categories, title words or the channel, and exclude the content itself', async () => {
    const [emil, fred] = [await api.person('emil'), await api.person('fred')];
    const song = await publish(api, emil, 'Harbour song', { keywords: ['Shanty', 'sea'] });
    await publish(api, emil, 'Unrelated');
    await publish(api, emil, 'Harbour song, live');
    await publish(api, fred, 'Other shanty', { keywords: ['shanty', 'SEA'] });
    const classed = await publish(api, fred, 'Classed alike');
    await publish(api, fred, 'Nothing alike');
    for (const id of [song, classed]) {
      await api.rows('insert into content_categories (content_id, category_id, position) values ($1, $2, 0)', [
        uuidOf(id),
        MUSIC.slice(-36),
      ]);
    }
    const list = await related(song);
    assert.deepEqual(list.slice(0, 2), ['Other shanty', 'Harbour song, live']);
    assert.ok(list.indexOf('Classed alike') < list.indexOf('Unrelated'));
    assert.ok(!list.includes('Nothing alike') && !list.includes('Harbour song'));
  });

  it('are read for a page of contents in one statement', async () => {
    const counted = await api.counted(() =>
      api.ok(carl, `{ features(first: 5) { edges { node { related(first: 3) { ${NODE} } } } } }`),
    );
    assert.deepEqual([counted.roundTrips, counted.statements], [1, 1]);
  });
});
