import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../testing.ts';
import { titleOrder } from './channel-contents.sql.ts';

const LIST =
  'query ($id: DID!, $kinds: [ContentKind!], $statuses: [ContentStatus!], $visibilities: [Visibility!], ' +
  '$query: String, $sort: ChannelContentSort!, $first: Int, $after: String) { channel(id: $id) { contents(kinds: ' +
  '$kinds, statuses: $statuses, visibilities: $visibilities, query: $query, sort: $sort, first: $first, after: ' +
  '$after) { totalCount edges { node { metadata { title } } } pageInfo { hasNextPage endCursor } } } }';

interface Page {
  readonly totalCount: number;
  readonly edges: readonly { readonly node: { readonly metadata: { readonly title: string } } }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
}

describe('the contents of a channel, for its members', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  before(async () => {
    api = await openTestCatalog();
    [anna, bert] = [await api.person('anna'), await api.person('bert')];
    const contents = [
      ['Émile', 'PUBLISHED', 'PUBLIC', 'FEATURE', 3, 0, 2],
      ['zebra', 'DRAFT', 'PRIVATE', 'FEATURE', 0, 0, 0],
      ['Apple', 'READY', 'UNLISTED', 'SHORT', 5, 1, 1],
      ['emil 100%', 'PUBLISHED', 'PRIVATE', 'FEATURE', 1, 4, 3],
    ] as const;
    for (const [title, status, visibility, kind, views, comments, likes] of contents) {
      const id = uuidOf(await api.content(anna, { title, status, visibility, kind }));
      for (const [scope, value] of Object.entries({ views, comments, likes })) {
        await api.rows('insert into counters (scope, key, shard, value) values ($1, $2, 0, $3)', [
          `content:${scope}`,
          id,
          value,
        ]);
      }
    }
    await api.content(bert, { title: "Bert's" });
  });
  after(() => api.close());

  const page = async (variables: object): Promise<Page> =>
    (await api.ok(anna, LIST, { id: anna.channel, sort: 'NEWEST', ...variables })).channel.contents;
  const titles = ({ edges }: Page) => edges.map(({ node }) => node.metadata.title);

  const sorts: readonly (readonly [string, readonly string[]])[] = [
    ['NEWEST', ['emil 100%', 'Apple', 'zebra', 'Émile']],
    ['OLDEST', ['Émile', 'zebra', 'Apple', 'emil 100%']],
    ['TITLE', ['Apple', 'emil 100%', 'Émile', 'zebra']],
    ['TITLE_REVERSED', ['zebra', 'Émile', 'emil 100%', 'Apple']],
    ['MOST_VIEWED', ['Apple', 'Émile', 'emil 100%', 'zebra']],
    ['LEAST_VIEWED', ['zebra', 'emil 100%', 'Émile', 'Apple']],
    ['MOST_COMMENTED', ['emil 100%', 'Apple', 'zebra', 'Émile']],
    ['LEAST_COMMENTED', ['Émile', 'zebra', 'Apple', 'emil 100%']],
    ['MOST_LIKED', ['emil 100%', 'Émile', 'Apple', 'zebra']],
    ['LEAST_LIKED', ['zebra', 'Apple', 'Émile', 'emil 100%']],
  ];
  for (const [sort, expected] of sorts) {
    it(`are sorted by ${sort}, page by page`, async () => {
      const found: string[] = [];
      for (let after: string | null = null; ; ) {
        const { result, roundTrips } = await api.counted(() => page({ sort, first: 2, after }));
        assert.equal(roundTrips, 1);
        found.push(...titles(result));
        if (!result.pageInfo.hasNextPage) break;
        after = result.pageInfo.endCursor;
      }
      assert.deepEqual(found, expected);
    });
  }

  const filters: readonly (readonly [string, object, readonly string[]])[] = [
    ['states', { statuses: ['PUBLISHED', 'READY'] }, ['emil 100%', 'Apple', 'Émile']],
    ['kinds and states', { kinds: ['FEATURE', 'FEATURE'], statuses: ['DRAFT'] }, ['zebra']],
    ['visibilities', { visibilities: ['PRIVATE', 'UNLISTED'] }, ['emil 100%', 'Apple', 'zebra']],
    ['no state', { statuses: [] }, []],
    ['a part of the title, ignoring case and accents', { query: 'EMIL' }, ['emil 100%', 'Émile']],
    ['a text that a pattern would take for more', { query: '%' }, ['emil 100%']],
    ['everything', { query: 'é', statuses: ['PUBLISHED'], visibilities: ['PUBLIC'], kinds: ['FEATURE'] }, ['Émile']],
  ];
  for (const [name, variables, expected] of filters) {
    it(`are filtered by ${name}, and counted`, async () => {
      const found = await page(variables);
      assert.deepEqual([titles(found), found.totalCount], [expected, expected.length]);
    });
  }

  it('refuse an empty query, one that is too long, and a cursor of another order', async () => {
    const refused = async (variables: object) => {
      const { code, field } = await api.refused(anna, LIST, { id: anna.channel, sort: 'NEWEST', ...variables });
      return [code, field];
    };
    assert.deepEqual(await refused({ query: ' ' }), ['FIELD_REQUIRED', 'query']);
    assert.deepEqual(await refused({ query: 'x'.repeat(201) }), ['INVALID_INPUT', 'query']);
    const { endCursor } = (await page({ first: 1, sort: 'TITLE' })).pageInfo;
    assert.deepEqual(await refused({ after: endCursor }), ['INVALID_INPUT', 'after']);
  });

  it('are for members only', async () => {
    assert.equal((await api.ok(bert, LIST, { id: anna.channel, sort: 'TITLE' })).channel.contents, null);
  });

  it('are read by title from the index, in order', async () => {
    const rows = await api.rows<{ 'QUERY PLAN': string }>(
      `explain select * from contents c where channel_id = '${anna.channelId}' and deleted_at is null
       order by ${titleOrder('c')}, id limit 21`,
    );
    assert.match(rows.map((row) => row['QUERY PLAN']).join('\n'), /contents_channel_title/);
  });
});
