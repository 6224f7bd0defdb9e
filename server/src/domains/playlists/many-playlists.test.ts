import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../catalog/testing.ts';
import { containsContent } from './playlist-visibility.sql.ts';

const MANY = 10_000;
const CHOICES =
  'query ($content: DID!, $first: Int, $last: Int, $after: String) { channel { playlists(first: $first, last: $last, ' +
  'after: $after) { totalCount edges { node { id itemsCount metadata { title } containsContent(id: $content) } } ' +
  'pageInfo { endCursor } } } }';
const ITEMS =
  'query ($id: DID!, $last: Int) { playlist(id: $id) { items(last: $last) { totalCount edges { node { index } } } } }';

/** A node of EXPLAIN (ANALYZE, FORMAT JSON). */
interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** How many rows of a table the plan read. */
function rowsRead(node: PlanNode, table: string): number {
  const own = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  const below = (node.Plans ?? []).map((child) => rowsRead(child, table));
  return below.reduce((sum, count) => sum + count, node['Relation Name'] === table ? own : 0);
}

describe('a channel with 10,000 playlists, one of them with 10,000 items', () => {
  let api: TestCatalog;
  let anna: Person;
  let content: string;
  let longest: string;

  before(async () => {
    api = await openTestCatalog();
    anna = await api.person('anna');
    content = await api.content(anna, { status: 'PUBLISHED' });
    await api.rows(
      `insert into playlists (id, channel_id, title, created_at)
       select gen_random_uuid(), $1, 'Evening ' || n, now() - n * interval '1 minute'
       from generate_series(1, $2::int) n`,
      [anna.channelId, MANY],
    );
    const { playlists } = (await api.ok(anna, CHOICES, { content, first: 1 })).channel;
    longest = playlists.edges[0].node.id;
    // Every playlist has the content, and the longest has others, too.
    await api.rows(
      `insert into playlist_items (id, playlist_id, content_id, position, open)
       select gen_random_uuid(), p.id, $1, 'a0', true from playlists p`,
      [uuidOf(content)],
    );
    await api.rows(
      `with made as (insert into contents (id, channel_id, kind, title, status, published_at)
         select gen_random_uuid(), $2, 'FEATURE', 'Film ' || n, 'PUBLISHED', now() from generate_series(2, $3::int) n
         returning id)
       insert into playlist_items (id, playlist_id, content_id, position, open)
       select gen_random_uuid(), $1, m.id, 'b' || lpad((row_number() over ())::text, 5, '0'), true from made m`,
      [uuidOf(longest), anna.channelId, MANY],
    );
    for (const table of ['playlists', 'playlist_items', 'contents', 'channel_members'])
      await api.rows(`vacuum analyze ${table}`);
  });
  after(() => api.close());

  it('is read page by page, each in one statement', async () => {
    let cursor: string | null = null;
    for (const first of [1, 26, 51]) {
      const { result, statements } = await api.counted(() =>
        api.ok(anna, CHOICES, { content, first: 25, after: cursor }),
      );
      const { edges, totalCount, pageInfo } = result.channel.playlists;
      assert.deepEqual(
        [statements, totalCount, edges.length, edges[0].node.metadata.title, edges[0].node.containsContent],
        [1, MANY, 25, `Evening ${first}`, true],
      );
      cursor = pageInfo.endCursor;
    }
    const { edges } = (await api.ok(anna, CHOICES, { content, last: 2 })).channel.playlists;
    assert.deepEqual(
      edges.map(({ node }: { node: { metadata: { title: string } } }) => node.metadata.title),
      ['Evening 9999', 'Evening 10000'],
    );
  });

  it('shows which playlists have a content by one entry each, however many there are', async () => {
    const contains = containsContent('p', '$2', { viewer: 'v', credential: 'session' });
    const [row] = await api.rows<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (analyze, format json) select ${contains}
       from (select $3::uuid as account_id) v, lateral (select * from playlists p where p.channel_id = $1
         order by p.created_at desc, p.id desc limit 25) p`,
      [anna.channelId, uuidOf(content), anna.accountId],
    );
    const plan = row?.['QUERY PLAN'][0].Plan;
    assert.ok(plan);
    assert.equal(rowsRead(plan, 'playlist_items'), 25);
    assert.equal(rowsRead(plan, 'playlists'), 25);
  });

  it('has a last page of items with their places', async () => {
    const { items } = (await api.ok(anna, ITEMS, { id: longest, last: 2 })).playlist;
    assert.deepEqual(items, { totalCount: MANY, edges: [{ node: { index: 9_998 } }, { node: { index: 9_999 } }] });
  });
});
