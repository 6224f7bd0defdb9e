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
    const other = await api.content(anna, { status: 'PUBLISHED' });
    await api.rows(
      `insert into playlists (id, channel_id, title, visibility, created_at)
       select gen_random_uuid(), $1, 'Evening ' || n, 'PRIVATE', now() - n * interval '1 minute'
       from generate_series(1, $2::int) n`,
      [anna.channelId, MANY],
    );
    const { playlists } = (await api.ok(anna, CHOICES, { content, first: 1 })).channel;
    longest = playlists.edges[0].node.id;
    // Every playlist has the content, and the longest has others in front of it.
    await api.rows(
      `insert into playlist_items (id, playlist_id, content_id, position, open)
       select gen_random_uuid(), p.id, $1, 'z0', true from playlists p`,
      [uuidOf(content)],
    );
    await api.rows(
      `insert into playlist_items (id, playlist_id, content_id, position, open)
       select gen_random_uuid(), $1, $2, 'b' || lpad(n::text, 5, '0'), true from generate_series(2, $3::int) n`,
      [uuidOf(longest), uuidOf(other), MANY],
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
    const contains = containsContent('p', `'${uuidOf(content)}'::uuid`, { viewer: 'v', credential: 'session' });
    // So small a table is faster read whole; what counts is what its index finds.
    await api.rows(
      `create function explained(text) returns json language plpgsql set enable_seqscan = off as $$
       declare plan json; begin execute 'explain (analyze, format json) ' || $1 into plan; return plan; end $$`,
    );
    const { plan } = await api.row<{ plan: PlanNode }>('select explained($1) -> 0 -> $2 as plan', [
      `select ${contains} from (select '${anna.accountId}'::uuid as account_id) v,
         lateral (select * from playlists p where p.channel_id = '${anna.channelId}'
           order by p.created_at desc, p.id desc limit 25) p`,
      'Plan',
    ]);
    assert.equal(rowsRead(plan, 'playlist_items'), 25);
    assert.equal(rowsRead(plan, 'playlists'), 25);
  });

  it('has a last page of items with their places', async () => {
    const { items } = (await api.ok(anna, ITEMS, { id: longest, last: 2 })).playlist;
    assert.deepEqual(items, { totalCount: MANY, edges: [{ node: { index: 9_998 } }, { node: { index: 9_999 } }] });
  });
});
