import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { attempt, EXPORT, insertComment, linesOf, order, READ, work } from './exports.fixture.ts';

const TITLES = '{ contents { edges { node { metadata { title } } } } }';
const PAGE = `query ($after: String) { contents(first: 100, after: $after) {
  edges { node { id metadata { title } } } pageInfo { hasNextPage endCursor }
} }`;

describe('exports', () => {
  let api: TestCatalog;
  let anna: Person;
  let carl: Person;
  const ids: string[] = [];

  before(async () => {
    api = await openTestCatalog({ jobs: true });
    [anna, carl] = [await api.person('anna'), await api.person('carl')];
    for (let n = 0; n < 205; n += 1) ids.push(await api.content(anna, { title: `Video ${n}`, status: 'PUBLISHED' }));
  });
  after(() => api.close());

  const comment = (content: string, body: string, parent?: string) =>
    insertComment(api, anna, content, { body, parent: parent ?? null });
  const rows = async () => (await api.row<{ n: number }>('select count(*)::int as n from data_exports')).n;

  it('have the lines of the pages, in their order, and tell when they are complete', async () => {
    const id = await order(
      api,
      anna,
      'query Own { contents(first: 7) { totalCount pageInfo { endCursor } ' +
        'edges { cursor node { id metadata { title } } } } }',
    );
    assert.equal((await api.ok(anna, READ, { id })).dataExport.status, 'QUEUED');
    await work(api, id);
    const expected: unknown[] = [];
    for (let after: string | null = null, more = true; more; ) {
      const { contents } = await api.ok(anna, PAGE, { after });
      expected.push(...contents.edges.map(({ node }: { node: unknown }) => node));
      [after, more] = [contents.pageInfo.endCursor, contents.pageInfo.hasNextPage];
    }
    const lines = await linesOf(api, id);
    assert.equal(lines.length, 205);
    assert.deepEqual(lines, expected);
    const { dataExport } = await api.ok(anna, READ, { id });
    const bytes = lines.reduce((sum: number, line) => sum + Buffer.byteLength(JSON.stringify(line)) + 1, 0);
    assert.deepEqual([dataExport.status, dataExport.objectCount, dataExport.sizeBytes], ['COMPLETE', 205, bytes]);
    assert.equal(Date.parse(dataExport.expiresAt) - Date.parse(dataExport.finishedAt), 7 * 86_400_000);
    assert.match(dataExport.url, /\/exports\/[0-9a-f-]{36}\/\d+\.[\w-]{43}\/contents-\d{4}-\d\d-\d\d\.jsonl$/);
    const events = await api.rows('select type, channel_id, payload from events where subject_id = $1', [uuidOf(id)]);
    assert.deepEqual(events, [
      {
        type: 'export.completed',
        channel_id: anna.channelId,
        payload: { objectCount: 205, sizeBytes: bytes },
      },
    ]);
  });

  it('have the objects of connections after their parent, page after page', async () => {
    const [talked] = [ids[100] ?? ''];
    const first: string[] = [];
    for (let n = 0; n < 23; n += 1) first.push(await comment(talked, `Comment ${n}`));
    const replies: string[] = [];
    for (let n = 0; n < 12; n += 1) replies.push(await comment(talked, `Reply ${n}`, first[22]));
    const query = `query ($deep: Boolean!) { contents {
      edges { node { id __typename ...Talk ... on Short { talk: comments { edges { node { id } } } } } }
    } }
    fragment Talk on Feature { talk: comments { totalCount edges { node { id parent { id }
      replies @include(if: $deep) { edges { node { body } } } } } } }`;
    const id = await order(api, anna, query, { deep: true });
    await work(api, id);
    const lines = await linesOf(api, id);
    const roots = lines.filter((line) => line.__parentId === undefined);
    assert.deepEqual(
      roots.map(({ id: own }) => own),
      [...ids].reverse(),
    );
    const at = lines.findIndex((line) => line.id === talked);
    const below = lines.slice(at + 1, at + 1 + 35);
    assert.deepEqual(
      below.filter((line) => line.__parentId === talked).map((line) => [line.id, line.__parentField]),
      [...first].reverse().map((own) => [own, 'talk']),
    );
    assert.deepEqual(
      below.filter((line) => line.__parentId !== talked),
      Array.from({ length: 12 }, (_, n) => ({
        body: `Reply ${n}`,
        __parentId: first[22],
        __parentField: 'replies',
      })),
    );
    assert.equal(lines.length, 205 + 35);
  });

  it('start after a cursor, and end with an empty file', async () => {
    const { contents } = await api.ok(anna, PAGE, {});
    const after = contents.pageInfo.endCursor;
    const query = 'query ($after: String) { contents(after: $after) { edges { node { id } } } }';
    const rest = await order(api, anna, query, { after });
    await work(api, rest);
    assert.equal((await linesOf(api, rest)).length, 105);
    const none = await order(
      api,
      anna,
      '{ contents(filter: { query: "nothing of the kind" }) { edges { node { id } } } }',
    );
    await work(api, none);
    const { dataExport } = await api.ok(anna, READ, { id: none });
    assert.deepEqual([dataExport.status, dataExport.objectCount, dataExport.sizeBytes], ['COMPLETE', 0, 0]);
  });

  it('read the connections of an object', async () => {
    const query = `query ($id: DID!) { node(id: $id) { ... on Channel { members { edges { node { role } } } } } }`;
    const id = await order(api, anna, query, { id: anna.channel });
    await work(api, id);
    assert.deepEqual(await linesOf(api, id), [{ role: 'OWNER' }]);
    const error = await api.refused(carl, EXPORT, { input: { query, variables: { id: anna.channel } } });
    assert.deepEqual([error.code, error.field], ['UNAUTHORIZED', 'input.query']);
  });

  const refusals: [what: string, query: string, variables: unknown, code: string, field: string, message: RegExp][] = [
    ['nothing', '', {}, 'GRAPHQL_VALIDATION_FAILED', 'input.query', /Syntax Error/],
    [
      'an unknown field',
      '{ contents { edges { node { titel } } } }',
      {},
      'GRAPHQL_VALIDATION_FAILED',
      'input.query',
      /Cannot query field "titel" on type "Content".*\(line 1, column 29\)/,
    ],
    ['a mutation', 'mutation { deleteContent(id: "x") { id } }', {}, 'INVALID_INPUT', 'input.query', /A mutation/],
    [
      'a subscription',
      'subscription { jobUpdated(id: "x") { id } }',
      {},
      'INVALID_INPUT',
      'input.query',
      /A subscription/,
    ],
    [
      'two operations',
      `query A ${TITLES} query B ${TITLES}`,
      {},
      'GRAPHQL_VALIDATION_FAILED',
      'input.query',
      /several operations/,
    ],
    [
      'two connections',
      '{ contents { edges { node { id } } } channels { edges { node { id } } } }',
      {},
      'INVALID_INPUT',
      'input.query',
      /one connection, and query selects contents and channels/,
    ],
    [
      'no connection',
      '{ me { profile { displayName } } }',
      {},
      'INVALID_INPUT',
      'input.query',
      /me\.profile\.displayName is not a connection/,
    ],
    ['no objects', '{ contents { totalCount } }', {}, 'INVALID_INPUT', 'input.query', /contents selects no objects/],
    ['the schema', '{ __schema { types { name } } }', {}, 'INVALID_INPUT', 'input.query', /schema/],
    ['a secret', '{ webhooks { edges { node { secret } } } }', {}, 'INVALID_INPUT', 'input.query', /secret/],
    [
      'the last entries',
      '{ contents(last: 3) { edges { node { id } } } }',
      {},
      'INVALID_INPUT',
      'input.query',
      /contents has the argument last/,
    ],
    [
      'a nested cursor',
      '{ contents { edges { node { comments(after: "x") { edges { node { id } } } } } } }',
      {},
      'INVALID_INPUT',
      'input.query',
      /contents\.comments has the argument after/,
    ],
    [
      'four levels',
      '{ contents { edges { node { comments { edges { node { replies { edges { node { replies { totalCount } } } } ' +
        '} } } } } } }',
      {},
      'INVALID_INPUT',
      'input.query',
      /contents\.comments\.replies\.replies is the 4th level of connections; an export has 3 at most/,
    ],
    [
      'a connection of an inner object',
      '{ contents { edges { node { channel { playlists { edges { node { id } } } } ' + '} } } }',
      {},
      'INVALID_INPUT',
      'input.query',
      /contents\.channel\.playlists is a connection of contents\.channel/,
    ],
    [
      'an alias of ours',
      '{ contents { edges { node { __parentId: id } } } }',
      {},
      'INVALID_INPUT',
      'input.query',
      /__parentId/,
    ],
    [
      'a missing variable',
      'query ($s: ContentSort!) { contents(sort: $s) { edges { node { id } } } }',
      {},
      'GRAPHQL_VALIDATION_FAILED',
      'input.variables',
      /"\$s"/,
    ],
    ['variables that are no object', TITLES, [1], 'INVALID_INPUT', 'input.variables', /object/],
    [
      'a cursor of another list',
      '{ contents(after: "x") { edges { node { id } } } }',
      {},
      'INVALID_INPUT',
      'input.query',
      /after/,
    ],
    [
      'another channel',
      `query ($c: DID!) { webhooks(channel: $c) { edges { node { id } } } }`,
      { c: 'did:reelgraph:channel/01a1fbd9-f9ef-7000-a2d5-0118192635b4' },
      'UNAUTHORIZED',
      'input.query',
      /may not read/,
    ],
    [
      'what only sessions may read',
      '{ invitations { edges { node { id } } } }',
      {},
      'UNAUTHORIZED',
      'input.query',
      /operator/,
    ],
  ];
  for (const [what, query, variables, code, field, message] of refusals)
    it(`refuse ${what} and store nothing`, async () => {
      const before = await rows();
      const error = await api.refused(anna, EXPORT, { input: { query, variables } });
      assert.deepEqual([error.code, error.field], [code, field]);
      assert.match(error.message, message);
      assert.equal(await rows(), before);
    });

  it('are five at a time for an account, whatever is requested at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => api.run(carl, EXPORT, { input: { query: TITLES } })),
    );
    const refused = answers.flatMap(({ errors }) => errors);
    assert.deepEqual(
      refused.map(({ code }) => code),
      Array(3).fill('RATE_LIMIT_EXCEEDED'),
    );
    const done = answers.find(({ data }) => data?.exportData)?.data.exportData.export.id;
    await api.ok(carl, 'mutation ($id: DID!) { cancelDataExport(id: $id) { export { status } } }', { id: done });
    await order(api, carl, TITLES);
    await api.rows('delete from data_exports where account_id = $1', [carl.accountId]);
  });

  it('are not charged to the points of the account', async () => {
    const points = () => api.domains.engine.quotaOf(anna.accountId).remaining;
    const id = await order(api, anna, TITLES);
    const before = points();
    await work(api, id);
    assert.equal(points(), before);
  });

  it('stop when they are cancelled, and keep nothing', async () => {
    const id = await order(api, anna, TITLES);
    let puts = 0;
    const store = {
      ...api.platform.store,
      put: async (...args: Parameters<typeof api.platform.store.put>) => {
        puts += 1;
        if (puts === 2)
          await api.ok(anna, 'mutation ($id: DID!) { cancelDataExport(id: $id) { export { status } } }', { id });
        return api.platform.store.put(...args);
      },
    };
    await attempt(api, id, { platform: { store }, partBytes: 1 });
    assert.equal(puts, 2);
    assert.deepEqual(await linesOf(api, id), []);
    const purges = 'select count(*)::int as n from object_purges where key_prefix = $1';
    assert.deepEqual(await api.row(purges, [`exports/${uuidOf(id)}/`]), { n: 2 });
    const { dataExport } = await api.ok(anna, READ, { id });
    assert.deepEqual([dataExport.status, dataExport.url], ['CANCELLED', null]);
    const again = await api.ok(anna, 'mutation ($id: DID!) { cancelDataExport(id: $id) { export { status } } }', {
      id,
    });
    assert.equal(again.cancelDataExport.export.status, 'CANCELLED');
    await attempt(api, id);
    assert.deepEqual(await linesOf(api, id), []);
  });
});
