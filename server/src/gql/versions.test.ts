import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { lifecycle } from '@reelgraph/sql-planner';
import { getIntrospectionQuery, type IntrospectionQuery } from 'graphql';
import { ApiVersions } from '../kernel/api-versions.ts';
import type { Engine } from './engine.ts';
import type { Graph } from './graph.ts';
import type { GraphqlRequest } from './requests.ts';
import { fixtureGraph } from './testing/fixture-graph.ts';
import { type Fixture, openFixture, requestOf } from './testing/fixtures.ts';
import { documentIdOf } from './trusted-documents.ts';

/** One is superseded, one is current, one is in preparation. */
const VERSIONS = new ApiVersions([
  { name: '2027-01', publishedOn: '2027-01-12', retiredOn: null },
  { name: '2027-04', publishedOn: '2027-04-02', retiredOn: null },
  { name: '2027-07', publishedOn: null, retiredOn: null },
]);

/** `shelves` became `makers` in 2027-04, `count` goes in 2027-07, `gadgets` are tried out. */
function versionedGraph(): Graph {
  const graph = fixtureGraph();
  const title = { type: 'String', description: 'x', sql: (s: { t: string }) => `${s.t}.title` } as const;
  const Gadget = graph.entity('Gadget', {
    description: 'x',
    table: 'things',
    lifecycle: { preview: true },
    fields: (f) => ({ title: f.column(title) }),
  });
  const list = {
    access: 'public',
    description: 'x',
    where: () => 'true',
    order: (child: string) => [`${child}.id`],
    total: () => '(select count(*)::int from makers)',
  } as const;
  graph.queryConnection('gadgets', { ...list, type: Gadget });
  const Shelf = graph.entity('Shelf', {
    description: 'x',
    table: 'makers',
    fields: (f) => ({ name: f.column({ type: 'String', description: 'x', sql: (s) => `${s.t}.name` }) }),
  });
  graph.queryConnection('shelves', {
    ...list,
    type: Shelf,
    lifecycle: {
      until: '2027-04',
      deprecated: { use: 'Use makers.', period: { since: '2026-01', removal: '2027-04' } },
    },
  });
  const Unit = graph.builder.enumType('Unit', {
    description: 'x',
    values: { ONE: { description: 'x' }, DOZEN: { description: 'x', ...lifecycle({ since: '2027-04' }) } } as const,
  });
  const By = graph.builder.inputType('By', {
    description: 'x',
    fields: (t) => ({
      unit: t.field({ type: Unit, description: 'x' }),
      weight: t.int({ description: 'x', ...lifecycle({ preview: true }) }),
    }),
  });
  graph.queryResolve('count', {
    access: 'public',
    type: Unit,
    description: 'x',
    lifecycle: {
      until: '2027-07',
      deprecated: { use: 'Use things.totalCount.', period: { since: '2026-07', removal: '2027-07' } },
    },
    args: (t) => ({ by: t.field({ type: By, description: 'x' }) }),
    resolve: () => 'DOZEN',
  });
  return graph;
}

let fixture: Fixture;
let engine: Engine;
before(async () => {
  fixture = await openFixture(versionedGraph().schema(), { makers: 2, thingsPerMaker: 2, tagsPerThing: 0 });
  engine = fixture.engineWith({ versions: VERSIONS });
});
after(() => fixture.close());

const ask = (query: string, version?: string, more: Partial<GraphqlRequest> = {}) =>
  engine.execute(requestOf(query, fixture.key, { version, ...more }));

describe('an operation is answered by the contract of its version', () => {
  const SHELVES = '{ shelves(first: 1) { totalCount edges { node { name } } } }';
  const GADGETS = '{ gadgets(first: 1) { totalCount } }';
  const COUNT = '{ count }';
  for (const [query, versions] of [
    [SHELVES, ['2027-01']],
    [GADGETS, ['preview']],
    [COUNT, ['2027-01', undefined, '2027-04']],
    ['{ things(first: 1) { totalCount } }', ['2027-01', undefined, '2027-04', 'preview']],
    ['{ count(by: { unit: ONE }) }', ['2027-01', undefined, '2027-04']],
    ['{ count(by: { unit: DOZEN }) }', [undefined, '2027-04']],
    ['{ count(by: { weight: 1 }) }', []],
  ] as const) {
    test(`${query} by ${versions.map((version) => version ?? 'the current one').join(', ') || 'none'}`, async () => {
      const answered: (string | undefined)[] = [];
      for (const version of ['2027-01', undefined, '2027-04', 'preview']) {
        const { failure, body } = await ask(query, version);
        if (failure === null) answered.push(version);
        else assert.equal(failure, 'GRAPHQL_VALIDATION_FAILED', JSON.stringify(body));
      }
      assert.deepEqual(answered, versions);
    });
  }

  test('with data, as long as the version is supported', async () => {
    assert.deepEqual((await ask(SHELVES, '2027-01')).body.data, {
      shelves: { totalCount: 2, edges: [{ node: { name: 'maker 1' } }] },
    });
    assert.match((await ask(SHELVES)).body.errors?.[0]?.message ?? '', /Cannot query field "shelves"/);
  });

  test('variables, too', async () => {
    const query = 'query ($by: By) { count(by: $by) }';
    const by = (unit: string) => ({ variables: { by: { unit } } });
    assert.equal((await ask(query, '2027-01', by('ONE'))).failure, null);
    assert.equal((await ask(query, '2027-01', by('DOZEN'))).failure, 'GRAPHQL_VALIDATION_FAILED');
    assert.equal((await ask(query, '2027-04', by('DOZEN'))).failure, null);
  });

  test('a value that the version lacks is sent nevertheless, with and without errors beside it', async () => {
    assert.deepEqual((await ask(COUNT, '2027-01')).body.data, { count: 'DOZEN' });
    const { data } = (await ask('{ count maker(id: "did:fixture:channel/none") { name } }', '2027-01')).body;
    assert.deepEqual({ ...(data as object) }, { count: 'DOZEN', maker: null });
  });

  test('trusted documents, too', async () => {
    const documentId = documentIdOf(SHELVES);
    const trusting = fixture.engineWith({ versions: VERSIONS, trustedDocuments: new Map([[documentId, SHELVES]]) });
    const send = (version: string | undefined) =>
      trusting.execute(requestOf('', { kind: 'anonymous' }, { query: undefined, documentId, version }));
    assert.equal((await send('2027-01')).failure, null);
    assert.notEqual((await send(undefined)).failure, null);
  });

  test('subscriptions, too', async () => {
    const start = (version: string) =>
      engine.subscribe(requestOf('subscription { shelves { name } }', fixture.key, { version }));
    const { kind } = await start('2027-01');
    assert.equal(kind, 'answer');
  });

  test('introspection shows the version', async () => {
    const fieldsIn = async (version: string | undefined) => {
      const { data, errors } = (await ask(getIntrospectionQuery(), version)).body;
      assert.equal(errors, undefined);
      const { types } = (data as IntrospectionQuery).__schema;
      const query = types.find(({ name }) => name === 'Query');
      const names = query && 'fields' in query ? query.fields.map(({ name }) => name) : [];
      return ['count', 'gadgets', 'shelves'].filter((name) => names.includes(name));
    };
    assert.deepEqual(await fieldsIn('2027-01'), ['count', 'shelves']);
    assert.deepEqual(await fieldsIn(undefined), ['count']);
    assert.deepEqual(await fieldsIn('preview'), ['gadgets']);
  });

  test('an expired session falls back to the same version', async () => {
    const text = '{ shelves(first: 1) { totalCount } }';
    const trusting = fixture.engineWith({
      versions: VERSIONS,
      trustedDocuments: new Map([[documentIdOf(text), text]]),
    });
    const request = requestOf('', { kind: 'session', token: 'over' }, { version: '2027-01' });
    const result = await trusting.execute({ ...request, query: undefined, documentId: documentIdOf(text) });
    assert.deepEqual([result.failure, result.sessionOver], [null, true]);
  });
});

describe('an operation that uses what is deprecated', () => {
  test('gets notices with dates, also when it fails', async () => {
    const notice = {
      element: 'Query.count',
      use: 'Use things.totalCount.',
      since: '2026-07-01',
      removal: '2027-07-01',
    };
    const { body, deprecations } = await ask('{ count }');
    assert.deepEqual(body.extensions.deprecations, [notice]);
    assert.deepEqual(deprecations, [notice]);
    assert.ok(body.extensions.cost.requested > 0);
    const failed = await ask('{ count maker(id: "none") { name } }');
    assert.deepEqual(failed.body.extensions.deprecations, [notice]);
  });

  test('is the only one', async () => {
    const { body, deprecations } = await ask('{ things(first: 1) { totalCount } }');
    assert.deepEqual([Object.keys(body.extensions), deprecations], [['cost'], undefined]);
  });
});

test('versions without a difference share their documents, others have their own', async () => {
  const own = await openFixture(fixtureGraph().schema(), { makers: 1, thingsPerMaker: 1, tagsPerThing: 0 });
  const counting = own.engineWith({ versions: VERSIONS });
  for (const version of ['2027-01', undefined, '2027-04', 'preview'])
    await counting.execute(requestOf('{ me { username } }', own.key, { version }));
  assert.equal(counting.statistics.documents, 1);
  await own.close();
  const before = engine.statistics.documents;
  for (const version of ['2027-01', '2027-04', 'preview']) await ask('{ me { username } }', version);
  assert.equal(engine.statistics.documents, before + 3);
});
