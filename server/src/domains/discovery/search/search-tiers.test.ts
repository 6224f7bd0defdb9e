import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { rebuildSearch, refreshTiers } from '../lists/refresh.store.ts';
import { refreshLists } from '../lists/refresh-lists.ts';
import { publish } from '../testing.ts';

const MANY = 4_200;
/** Inserted at a time: a statement may take ten seconds, also on a slow machine. */
const BATCH = 600;

describe('search in many documents', THOROUGH, () => {
  let api: TestCatalog;
  let anna: Person;
  /** When the last one was published. */
  const lastMs = Date.now() - 3_600_000;
  before(async () => {
    api = await openTestCatalog({ env: { RATE_LIMIT_POINTS: '1000000' } });
    anna = await api.person('anna');
    // One per minute, the last an hour ago; every second one mentions the harbour, and the first hundred have it in the
    // title.
    for (let first = 1; first <= MANY; first += BATCH)
      await api.rows(
        `insert into contents (id, channel_id, kind, title, summary, status, published_at, created_at, updated_at)
         select uuidv7(make_interval(mins => n - ${MANY})), $1, 'FEATURE', case when n % 20 = 0
           and n <= 100 then 'Harbour lights ' || n else 'Film ' || n end,
           case when n % 2 = 0 then 'At the harbour.' else 'Elsewhere.' end, 'PUBLISHED', t, t, t
         from generate_series($2::int, $3::int) n cross
           join lateral (select $4::timestamptz - make_interval(mins => ${MANY} - n) as t) x`,
        [anna.channelId, first, first + BATCH - 1, new Date(lastMs).toISOString()],
      );
    await api.rows('analyze search_documents');
  });
  after(() => api.close());

  const SEARCH = `query ($query: String!, $after: String, $filter: SearchFilter) { search(query: $query,
    filter: $filter, first: 100, after: $after) {
    totalCount pageInfo { hasNextPage endCursor } edges { node { content { metadata { title } } } } } }`;
  async function search(query: string, variables: object = {}): Promise<{ total: number; titles: string[] }> {
    const titles: string[] = [];
    for (let after: string | null = null; ; ) {
      const { search: page } = await api.ok(anna, SEARCH, { query, after, ...variables });
      titles.push(
        ...page.edges.map(
          (edge: { node: { content: { metadata: { title: string } } } }) => edge.node.content.metadata.title,
        ),
      );
      if (!page.pageInfo.hasNextPage) return { total: page.totalCount, titles };
      after = page.pageInfo.endCursor;
    }
  }
  const sizes = () =>
    api.rows<{ tier: number; documents: number }>(
      'select tier, count(*)::int as documents from search_documents group by 1 order by 1',
    );
  const tierOf = async (title: string) =>
    (await api.row<{ tier: number }>('select tier from search_documents where title = $1', [title])).tier;

  async function findsTheSame(): Promise<void> {
    const common = await search('harbour');
    assert.deepEqual([common.total, new Set(common.titles).size], [1_000, 1_000]);
    assert.deepEqual(common.titles.slice(0, 5).sort(), [100, 20, 40, 60, 80].map((n) => `Harbour lights ${n}`).sort());
    assert.deepEqual(await search('harbour lights 40'), { total: 1, titles: ['Harbour lights 40'] });
    assert.deepEqual(await search('film 4199'), { total: 1, titles: ['Film 4199'] });
    assert.deepEqual((await search('harbour', { filter: { kinds: ['SHORT'] } })).total, 0);
    const before = new Date(lastMs - (MANY - 60) * 60_000 + 1_000).toISOString();
    assert.equal((await search('harbour', { filter: { publishedBefore: before } })).total, 30);
  }

  it('finds 1,000 of them, title matches first, before tiers are assigned', findsTheSame);

  it('finds the same after the newest moved to the first tiers in batches', async () => {
    assert.deepEqual(await api.row('select search_refresh_tiers(500) as moved'), { moved: 500 });
    assert.equal((await sizes())[0]?.documents, MANY + 1 - 500);
    await refreshTiers(api.platform.db);
    assert.deepEqual(
      (await sizes()).map(({ documents }) => documents),
      [1_000, 2_000, MANY + 1 - 3_000],
    );
    await findsTheSame();
    const { titles } = await search('harbour');
    const newest = new Set(Array.from({ length: 490 }, (_, n) => `Film ${MANY - 2 * n}`));
    assert.deepEqual(
      [...newest].filter((title) => !titles.includes(title)),
      [],
    );
  });

  it('moves popular and new documents to the first tier', async () => {
    assert.equal(await tierOf('Film 7'), 2);
    const id = (await api.row<{ id: string }>(`select id from contents where title = 'Film 7'`)).id;
    await api.rows(`select counter_add('content:views', $1, 5000)`, [id]);
    await api.rows('insert into stats_dirty_queue (id) values ($1)', [id]);
    const fresh = await publish(api, anna, 'Just now');
    assert.equal(await tierOf('Just now'), 0);
    await refreshLists(api.platform);
    assert.deepEqual([await tierOf('Film 7'), await tierOf('Just now')], [0, 0]);
    assert.equal((await sizes())[0]?.documents, 1_000);
    await api.rows('delete from contents where id = $1', [uuidOf(fresh)]);
  });

  it('skips locked documents until the next pass, without waiting', async () => {
    await api.rows(`update search_documents set tier = 15 where title = 'Film ${MANY}'`);
    await api.platform.db.transaction(async (tx) => {
      await tx.executeSql(`update search_documents set summary = summary where title = 'Film ${MANY}'`);
      await refreshTiers(api.platform.db);
    });
    assert.equal(await tierOf(`Film ${MANY}`), 15);
    await refreshTiers(api.platform.db);
    assert.equal(await tierOf(`Film ${MANY}`), 0);
  });

  it('moves the others to samples that double in size', async () => {
    const samples = await api.rows<{ tier: number; n: number }>(
      'select search_sample_tier(gen_random_uuid()) as tier, count(*)::int as n from generate_series(1, 40000) ' +
        'group by 1 order by 1',
    );
    assert.deepEqual(
      samples.map(({ tier }) => tier),
      [5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    );
    for (const [index, size] of [10_000, 20_000].entries())
      assert.ok(Math.abs((samples[9 + index]?.n ?? 0) - size) < 600);
  });

  it('finds the same after a rebuild', async () => {
    await rebuildSearch(api.platform.db);
    assert.equal((await sizes())[0]?.documents, 1_000);
    await findsTheSame();
  });
});
