import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { CursorCodec } from './statements/cursor.ts';
import { makeToyGraph } from '../../server/src/gql/testing/fixture-graph.ts';
import { openToyWorld, type ToyWorld } from '../../server/src/gql/testing/fixtures.ts';

const graph = makeToyGraph();
let world: ToyWorld;
before(async () => {
  world = await openToyWorld(graph.schema(), { makers: 6, thingsPerMaker: 6, tagsPerThing: 2 });
});
after(() => world.close());

async function data(query: string, variables?: Record<string, unknown>): Promise<unknown> {
  const { body } = await world.run(query, variables);
  assert.equal(body.errors, undefined, JSON.stringify(body.errors));
  return JSON.parse(JSON.stringify(body.data));
}

/** Round trips and statements that a query takes. */
async function counted(query: string, variables?: Record<string, unknown>): Promise<{ roundTrips: number; statements: number }> {
  const before = { ...world.db.statistics };
  await data(query, variables);
  return { roundTrips: world.db.statistics.roundTrips - before.roundTrips, statements: world.db.statistics.statements - before.statements };
}

const makerDid = (index: number) => `did:toys:channel/${world.data.makers[index]?.id}`;

describe('round trips', () => {
  const one = { roundTrips: 1, statements: 1 };
  const cases: Array<[name: string, query: string, expected: { roundTrips: number; statements: number }]> = [
    ['the viewer', '{ me { username } }', one],
    [
      'a list with total and page information',
      '{ makers(first: 2) { totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor node { name } } } }',
      one,
    ],
    ['a list with to-one rows', '{ things { edges { node { title maker { name favourite { title } } newestTag { label } } } } }', one],
    [
      'lists nested three deep',
      '{ makers(first: 2) { edges { node { things(first: 2) { edges { node { tags(first: 1) { edges { node { label } } } } } } } } } }',
      one,
    ],
    ['a list under the viewer', '{ me { makers { edges { node { name } } } } }', one],
    [
      'two sibling lists',
      '{ makers(first: 2) { edges { node { things(first: 1) { edges { node { title } } } tags(first: 1) { edges { node { label } } } } } } }',
      { roundTrips: 1, statements: 2 },
    ],
    [
      'the same list twice with other arguments',
      '{ makers(first: 2) { edges { node { a: things(first: 1) { edges { node { title } } } b: things(first: 2) { edges { node { title } } } } } } }',
      { roundTrips: 1, statements: 2 },
    ],
    [
      'the same list twice with the same arguments',
      '{ makers(first: 2) { edges { node { a: things(first: 1) { edges { node { title } } } b: things(first: 1) { edges { node { id } } } } } } }',
      one,
    ],
    ['totals without lists', '{ makers(first: 2) { edges { node { things { totalCount } tags { totalCount } } } } }', one],
    ['three root fields', '{ me { username } makers { totalCount } things { totalCount } }', { roundTrips: 1, statements: 3 }],
    ['a resolver beside a read', '{ clock makers { totalCount } }', one],
    ['introspection', '{ __type(name: "Maker") { name } }', one],
  ];
  for (const [name, query, expected] of cases) {
    test(`${name}: ${expected.statements} statement(s), ${expected.roundTrips} round trip(s)`, async () => {
      assert.deepEqual(await counted(query), expected);
      assert.deepEqual(await counted(query), expected, 'compiled');
    });
  }

  test('objects of two kinds by identifier take one statement each in one round trip', async () => {
    const thing = world.data.things[0];
    assert.deepEqual(
      await counted('query($ids: [DID!]!) { nodes(ids: $ids) { id } }', {
        ids: [makerDid(0), makerDid(1), `did:toys:content/feature/${thing?.id}`],
      }),
      { roundTrips: 1, statements: 2 },
    );
    assert.deepEqual(await counted('query($id: DID!) { node(id: $id) { id } }', { id: makerDid(0) }), { roundTrips: 1, statements: 1 });
  });

  test('nothing runs for parts left out by @skip and @include', async () => {
    const query =
      'query($no: Boolean!) { makers(first: 2) { edges { node { name things(first: 1) @skip(if: $no) { edges { node { title } } } tags(first: 1) @include(if: false) { edges { node { label } } } } } } }';
    assert.deepEqual(await counted(query, { no: false }), { roundTrips: 1, statements: 1 });
    const answer = await data(query, { no: true });
    assert.deepEqual(Object.keys((answer as { makers: { edges: Array<{ node: object }> } }).makers.edges[0]?.node ?? {}), ['name']);
  });
});

describe('statements', () => {
  test('are named, differ by page size, and are shared by all values', async () => {
    const sent = new Set<string>();
    const spy = graphEngine((calls) => {
      for (const call of calls) sent.add(call.statement.name);
    });
    for (const first of [1, 2, 3, 2, 1]) {
      for (const id of [makerDid(0), makerDid(1)])
        await spy('query($id: DID!, $first: Int) { maker(id: $id) { things(first: $first) { edges { node { title } } } } }', { id, first });
    }
    assert.equal(sent.size, 3);
    for (const name of sent) assert.match(name, /^Query\.maker:[\w-]{14}$/);
  });

  test('put no value into their text', async () => {
    const texts: string[] = [];
    const spy = graphEngine((calls) => {
      for (const call of calls) texts.push(call.statement.text);
    });
    await spy(
      `{ maker(id: "${makerDid(0)}") { things(like: "x'); drop table things; --", kind: Tool) { totalCount edges { node { shout(times: 1) } } } } }`,
    );
    assert.equal(texts.length, 1);
    assert.doesNotMatch(texts[0] ?? '', /drop table|Tool/);
    assert.equal((await data('{ things { totalCount } }')) !== null, true);
  });
});

function graphEngine(onCalls: (calls: ReadonlyArray<{ statement: { name: string; text: string } }>) => void) {
  const db = {
    together: (calls: Parameters<ToyWorld['db']['together']>[0]) => {
      onCalls(calls);
      return world.db.together(calls);
    },
  };
  const engine = world.engineWith({ db });
  return async (query: string, variables: Record<string, unknown> = {}) => {
    const { body } = await engine.execute({
      query,
      variables,
      credential: world.key,
      queriesOnly: false,
      requestId: 'r',
      signal: new AbortController().signal,
    });
    assert.equal(body.errors, undefined, JSON.stringify(body.errors));
  };
}

describe('answers', () => {
  test('hold empty lists, absent to-one rows and hidden parts', async () => {
    const answer = await data(
      `{ maker(id: "${makerDid(5)}") { favourite { title } things { totalCount edges { cursor } pageInfo { hasNextPage startCursor } } hiddenThings { totalCount } } }`,
    );
    assert.deepEqual(answer, {
      maker: {
        favourite: null,
        things: { totalCount: 0, edges: [], pageInfo: { hasNextPage: false, startCursor: null } },
        hiddenThings: null,
      },
    });
  });

  test('show owner-only lists to the owner', async () => {
    const answer = await data(
      `{ maker(id: "${makerDid(0)}") { hiddenThings { totalCount edges { node { title secretLooks { title } } } } } }`,
    );
    assert.deepEqual(answer, {
      maker: {
        hiddenThings: {
          totalCount: 1,
          edges: [{ node: { title: 'thing 0.4 "quoted" \\ ünïcode', secretLooks: { title: 'looking at thing 0.4 "quoted" \\ ünïcode' } } }],
        },
      },
    });
  });

  test('name the type of every object, also of rows that say it themselves', async () => {
    const answer = await data(
      `{ node(id: "${makerDid(1)}") { __typename ... on Maker { items(first: 2) { __typename edges { node { __typename title } } } } } }`,
    );
    assert.deepEqual(answer, {
      node: {
        __typename: 'Maker',
        items: {
          __typename: 'ItemConnection',
          edges: [
            { node: { __typename: 'Book', title: 'thing 1.2 "quoted" \\ ünïcode' } },
            { node: { __typename: 'Tool', title: 'tool: thing 1.1 "quoted" \\ ünïcode' } },
          ],
        },
      },
    });
  });

  test('of several identifiers come in their order, with nulls for what is not there', async () => {
    const missing = 'did:toys:channel/00000000-0000-7000-8000-000000000000';
    const answer = await data('query($ids: [DID!]!) { nodes(ids: $ids) { ... on Maker { name } } }', {
      ids: [makerDid(2), missing, makerDid(0), makerDid(2)],
    });
    assert.deepEqual(answer, { nodes: [{ name: 'maker 2' }, null, { name: 'maker 0' }, { name: 'maker 2' }] });
  });

  test('keep the order of equal instants, ascending lists too, whatever the page size', async () => {
    const all = (await data('{ names(first: 100) { edges { node { name } } } }')) as {
      names: { edges: Array<{ node: { name: string } }> };
    };
    const names = all.names.edges.map((edge) => edge.node.name);
    assert.deepEqual(names, [...names].sort());
    const last = (await data('{ names(last: 2) { pageInfo { startCursor hasPreviousPage hasNextPage } edges { node { name } } } }')) as {
      names: { pageInfo: { startCursor: string }; edges: Array<{ node: { name: string } }> };
    };
    assert.deepEqual(
      last.names.edges.map((edge) => edge.node.name),
      names.slice(-2),
    );
    const earlier = await data(
      'query($before: String) { names(last: 2, before: $before) { edges { node { name } } pageInfo { hasNextPage } } }',
      { before: last.names.pageInfo.startCursor },
    );
    assert.deepEqual(earlier, {
      names: { edges: names.slice(-4, -2).map((name) => ({ node: { name } })), pageInfo: { hasNextPage: true } },
    });
  });

  test('make the defaults of arguments and variables count', async () => {
    const id = makerDid(0);
    const query =
      'query($id: DID!, $times: Int = 1, $first: Int! = 1) { maker(id: $id) { things(first: $first) { edges { node { a: shout b: shout(times: $times) } } } } }';
    const title = 'thing 0.2 "quoted" \\ ünïcode';
    assert.deepEqual(await data(query, { id }), { maker: { things: { edges: [{ node: { a: title + title, b: title } }] } } });
  });
});

describe('bad arguments', () => {
  const cases: Array<[name: string, args: string, field: string]> = [
    ['zero', 'first: 0', 'first'],
    ['negative', 'last: -1', 'last'],
    ['more than 100', 'first: 101', 'first'],
    ['both ends', 'first: 1, last: 1', 'last'],
    ['no cursor', 'after: "x"', 'after'],
    ['an empty cursor', 'before: ""', 'before'],
  ];
  for (const [name, args, field] of cases) {
    test(`${name} (${args}) is INVALID_INPUT with field ${field}`, async () => {
      const { body } = await world.run(`{ makers(${args}) { totalCount edges { node { name } } } }`);
      assert.deepEqual(
        [body.errors?.[0]?.extensions?.code, body.errors?.[0]?.extensions?.field, body.errors?.[0]?.path],
        ['INVALID_INPUT', field, ['makers']],
      );
    });
  }

  test('a cursor that is none is refused whatever of the list is selected, as a size that is none is', async () => {
    const below = '{ makers(first: 1) { edges { node { things(ARGS) { totalCount } } } } }';
    for (const [args, field] of [
      ['after: "x"', 'after'],
      ['before: "x"', 'before'],
      ['first: 1, after: $cursor', 'after'],
      ['first: 0', 'first'],
    ] as const) {
      for (const query of ['{ makers(ARGS) { totalCount } }', '{ makers(ARGS) { __typename } }', below]) {
        const named = `${args.includes('$') ? 'query($cursor: String)' : ''}${query.replace('ARGS', args)}`;
        const { body } = await world.run(named, { cursor: 'x' });
        const { code, field: refused } = body.errors?.[0]?.extensions ?? {};
        assert.deepEqual([code, refused, body.errors?.[0]?.path], ['INVALID_INPUT', field, ['makers']], named);
      }
    }
  });

  test('a cursor of the list does not change its total, nor does one that is null', async () => {
    const { makers } = (await data('{ makers(first: 1) { edges { cursor } } }')) as { makers: { edges: Array<{ cursor: string }> } };
    for (const cursor of [makers.edges[0]?.cursor, null]) {
      const query = 'query($cursor: String) { makers(after: $cursor) { totalCount } }';
      assert.deepEqual(await data(query, { cursor }), { makers: { totalCount: 6 } });
    }
  });

  test('a cursor of another list is INVALID_INPUT', async () => {
    const { makers } = (await data('{ makers(first: 1) { edges { cursor } } }')) as { makers: { edges: Array<{ cursor: string }> } };
    const { body } = await world.run('query($after: String) { things(after: $after) { edges { node { title } } } }', {
      after: makers.edges[0]?.cursor,
    });
    assert.deepEqual([body.errors?.[0]?.extensions?.code, body.errors?.[0]?.extensions?.field], ['INVALID_INPUT', 'after']);
  });

  test('a forged cursor with impossible values is INVALID_INPUT', async () => {
    for (const values of [
      ['yesterday', 'x'],
      ['2026-02-31 00:00:00+00', '00000000-0000-0000-0000-000000000000'],
      ['2026-01-01 00:00:00+00', 'x'],
    ]) {
      const { body } = await world.run('query($after: String) { makers(after: $after) { edges { node { name } } } }', {
        after: new CursorCodec('Query.makers', 2).encode(values),
      });
      assert.equal(body.errors?.[0]?.extensions?.code, 'INVALID_INPUT');
    }
  });

  test('an identifier of another kind, or none, is INVALID_INPUT; an unknown one RESOURCE_NOT_FOUND', async () => {
    const codeFor = async (id: string) => {
      const { body } = await world.run('query($id: DID!) { maker(id: $id) { name } }', { id });
      assert.deepEqual(JSON.parse(JSON.stringify(body.data)), { maker: null });
      return [body.errors?.[0]?.extensions?.code, body.errors?.[0]?.extensions?.field];
    };
    assert.deepEqual(await codeFor(`did:toys:content/feature/${world.data.things[0]?.id}`), ['INVALID_INPUT', 'id']);
    assert.deepEqual(await codeFor('7'), ['INVALID_INPUT', 'id']);
    assert.deepEqual(await codeFor('did:toys:channel/00000000-0000-7000-8000-000000000000'), ['RESOURCE_NOT_FOUND', 'id']);
  });

  test('a bad argument of one root field leaves the others alone', async () => {
    const { body } = await world.run('{ maker(id: "7") { name } makers { totalCount } }');
    assert.deepEqual(JSON.parse(JSON.stringify(body.data)), { maker: null, makers: { totalCount: 6 } });
    assert.equal(body.errors?.length, 1);
  });

  test('more than 100 identifiers are INVALID_INPUT', async () => {
    const { body } = await world.run('query($ids: [DID!]!) { nodes(ids: $ids) { id } }', { ids: Array(101).fill(makerDid(0)) });
    assert.deepEqual([body.errors?.[0]?.extensions?.code, body.errors?.[0]?.extensions?.field], ['INVALID_INPUT', 'ids']);
  });

  test('a text that cannot be stored is INVALID_INPUT, not a fault of the server', async () => {
    const { body } = await world.run(
      'query($id: DID!, $like: String) { maker(id: $id) { things(like: $like) { totalCount edges { node { title } } } } }',
      { id: makerDid(0), like: 'a\0b' },
    );
    assert.equal(body.errors?.[0]?.extensions?.code, 'INVALID_INPUT');
  });
});
