import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Example } from './testing/example.ts';
import { exampleGraph } from './testing/example-graph.ts';

let example: Example;
before(async () => {
  example = await Example.open(exampleGraph().schema(), { makers: 6, thingsPerMaker: 6, tagsPerThing: 2 });
});
after(() => example.close());

const data = (query: string, variables?: Record<string, unknown>) => example.dataOf(query, variables);
const counted = (query: string, variables?: Record<string, unknown>) => example.countsOf(query, variables);

const makerId = (index: number) => `maker/${example.data.makers[index]?.id}`;

describe('round trips', () => {
  const one = { roundTrips: 1, statements: 1 };
  const cases: Array<[name: string, query: string, expected: { roundTrips: number; statements: number }]> = [
    ['the viewer', '{ me { username } }', one],
    [
      'a list with total and page information',
      '{ makers(first: 2) { totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges ' +
        '{ cursor node { name } } } }',
      one,
    ],
    [
      'a list with to-one rows',
      '{ things { edges { node { title maker { name favourite { title } } newestTag { label } } } } }',
      one,
    ],
    [
      'lists nested three deep',
      '{ makers(first: 2) { edges { node { things(first: 2) { edges { node { tags(first: 1) { edges { node ' +
        '{ label } } } } } } } } } }',
      one,
    ],
    ['a list under the viewer', '{ me { makers { edges { node { name } } } } }', one],
    [
      'two sibling lists',
      '{ makers(first: 2) { edges { node { things(first: 1) { edges { node { title } } } tags(first: 1) { edges ' +
        '{ node { label } } } } } } }',
      one,
    ],
    [
      'two sibling lists, one with a list below its entries',
      '{ makers(first: 2) { edges { node { things(first: 1) { edges { node { title tags(first: 1) { edges ' +
        '{ node { label } } } } } } tags(first: 1) { edges { node { label } } } } } } }',
      one,
    ],
    [
      'two sibling lists of more than 20 entries',
      '{ makers(first: 2) { edges { node { things(first: 21) { edges { node { title } } } tags(first: 21) { edges ' +
        '{ node { label } } } } } } }',
      { roundTrips: 1, statements: 2 },
    ],
    [
      'the same list twice with other arguments',
      '{ makers(first: 2) { edges { node { a: things(first: 1) { edges { node { title } } } b: things(first: 2) ' +
        '{ edges { node { title } } } } } } }',
      one,
    ],
    [
      'the same list twice with the same arguments',
      '{ makers(first: 2) { edges { node { a: things(first: 1) { edges { node { title } } } b: things(first: 1) ' +
        '{ edges { node { id } } } } } } }',
      one,
    ],
    [
      'totals without lists',
      '{ makers(first: 2) { edges { node { things { totalCount } tags { totalCount } } } } }',
      one,
    ],
    [
      'three root fields',
      '{ me { username } makers { totalCount } things { totalCount } }',
      { roundTrips: 1, statements: 3 },
    ],
    ['a resolver beside a read', '{ clock makers { totalCount } }', one],
    ['introspection', '{ __type(name: "Maker") { name } }', one],
  ];
  for (const [name, query, expected] of cases) {
    test(`${name}: ${expected.statements} statement(s), ${expected.roundTrips} round trip(s)`, async () => {
      assert.deepEqual(await counted(query), expected);
      assert.deepEqual(await counted(query), expected, 'with the plan that is kept');
    });
  }

  test('objects of two kinds by identifier take one statement each in one round trip', async () => {
    const thing = example.data.things[0];
    assert.deepEqual(
      await counted('query($ids: [GlobalId!]!) { nodes(ids: $ids) { id } }', {
        ids: [makerId(0), makerId(1), `book/${thing?.id}`],
      }),
      { roundTrips: 1, statements: 2 },
    );
    assert.deepEqual(await counted('query($id: GlobalId!) { node(id: $id) { id } }', { id: makerId(0) }), {
      roundTrips: 1,
      statements: 1,
    });
  });

  test('nothing runs for parts excluded by @skip and @include', async () => {
    const query =
      'query($no: Boolean!) { makers(first: 2) { edges { node { name things(first: 1) @skip(if: $no) { edges ' +
      '{ node { title } } } tags(first: 1) @include(if: false) { edges { node { label } } } } } } }';
    assert.deepEqual(await counted(query, { no: false }), { roundTrips: 1, statements: 1 });
    const answer = await data(query, { no: true });
    assert.deepEqual(
      Object.keys((answer as { makers: { edges: Array<{ node: object }> } }).makers.edges[0]?.node ?? {}),
      ['name'],
    );
  });
});

describe('statements', () => {
  test('are named, differ by page size, and are shared by all values', async () => {
    const before = example.db.sent.length;
    for (const first of [1, 2, 3, 2, 1]) {
      for (const id of [makerId(0), makerId(1)])
        await data(
          'query($id: GlobalId!, $first: Int) { maker(id: $id) { things(first: $first) { edges { node { title } } ' +
            '} } }',
          {
            id,
            first,
          },
        );
    }
    const names = new Set(example.db.sent.slice(before).map(({ statement }) => statement.name));
    assert.equal(names.size, 3);
    for (const name of names) assert.match(name, /^Query\.maker:[\w-]{14}$/);
  });

  test('put no value into their text', async () => {
    const before = example.db.sent.length;
    await data(
      `{ maker(id: "${makerId(0)}") { things(like: "x'); drop table things; --", kind: Tool) { totalCount edges ` +
        '{ node { shout(times: 1) } } } } }',
    );
    const [sent, ...others] = example.db.sent.slice(before);
    assert.equal(others.length, 0);
    assert.doesNotMatch(sent?.statement.text ?? '', /drop table|Tool/);
  });
});

describe('responses', () => {
  test('hold empty lists, absent to-one rows and hidden parts', async () => {
    const answer = await data(
      `{ maker(id: "${makerId(5)}") { favourite { title } things { totalCount edges { cursor } pageInfo ` +
        '{ hasNextPage startCursor } } hiddenThings { totalCount } } }',
    );
    assert.deepEqual(answer, {
      maker: {
        favourite: null,
        things: { totalCount: 0, edges: [], pageInfo: { hasNextPage: false, startCursor: null } },
        hiddenThings: null,
      },
    });
  });

  test('hold the same values in a list by itself and beside another one', async () => {
    const shouts = Array.from({ length: 120 }, (_, index) => `s${index}: shout(times: ${index % 3})`).join(' ');
    for (const page of ['first: 3', 'last: 2']) {
      const things =
        `things(${page}) { totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor ` +
        `node { id kind madeAt weight facts { name value } newestTag { label } ${shouts} tags { totalCount } } } }`;
      const alone = await data(`{ maker(id: "${makerId(1)}") { ${things} } }`);
      const beside = await data(
        `{ maker(id: "${makerId(1)}") { ${things} tags(first: 1) { edges { node { id } } } } }`,
      );
      // As selected.
      const read = (answer: unknown) => (answer as { maker: { things: { edges: unknown[] } } }).maker.things;
      assert.deepEqual(read(beside), read(alone), page);
      assert.equal(read(beside).edges.length, page === 'first: 3' ? 3 : 2);
    }
  });

  test('show owner-only lists to the owner', async () => {
    const answer = await data(
      `{ maker(id: "${makerId(0)}") { hiddenThings { totalCount edges { node { title secretLooks { title } } } } } }`,
    );
    assert.deepEqual(answer, {
      maker: {
        hiddenThings: {
          totalCount: 1,
          edges: [
            {
              node: {
                title: 'thing 0.4 "quoted" \\ ünïcode',
                secretLooks: { title: 'looking at thing 0.4 "quoted" \\ ünïcode' },
              },
            },
          ],
        },
      },
    });
  });

  test('name the type of every object, also of rows with their own type name', async () => {
    const answer = await data(
      `{ node(id: "${makerId(1)}") { __typename ... on Maker { items(first: 2) { __typename edges { node ` +
        '{ __typename title } } } } } }',
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

  test('are of one of several types: what these have in common is read once', async () => {
    const answer = await data(
      `{ node(id: "${makerId(1)}") { ... on Maker { items(first: 2) { edges { node { maker { name } looks { title ` +
        '... on ToolLooks { handle } } ... on Book { newestTag { label } looks { cover } } } } } } } }',
    );
    const book = { title: 'item thing 1.2 "quoted" \\ ünïcode', cover: 'cover thing 1.2 "quoted" \\ ünïcode' };
    const tool = { title: 'item thing 1.1 "quoted" \\ ünïcode', handle: 'handle thing 1.1 "quoted" \\ ünïcode' };
    const maker = { name: 'maker 1' };
    assert.deepEqual(answer, {
      node: {
        items: {
          edges: [
            { node: { maker, looks: book, newestTag: { label: 'tag 1.2.1' } } },
            { node: { maker, looks: tool } },
          ],
        },
      },
    });
    const { statement } = example.db.sent.at(-1) ?? assert.fail('a statement was sent');
    const joined = [...statement.text.matchAll(/join (?:lateral \(select t\d+\.\* from )?(\w+)/g)];
    assert.deepEqual(
      joined.map(([, table]) => table),
      ['makers', 'things', 'makers', 'tags'],
    );
  });

  test('of several identifiers keep their order, with null for missing ones', async () => {
    const missing = 'maker/00000000-0000-7000-8000-000000000000';
    const answer = await data('query($ids: [GlobalId!]!) { nodes(ids: $ids) { ... on Maker { name } } }', {
      ids: [makerId(2), missing, makerId(0), makerId(2)],
    });
    assert.deepEqual(answer, { nodes: [{ name: 'maker 2' }, null, { name: 'maker 0' }, { name: 'maker 2' }] });
  });

  test('keep the order of equal instants, ascending lists too, whatever the page size', async () => {
    const all = (await data('{ names(first: 100) { edges { node { name } } } }')) as {
      names: { edges: Array<{ node: { name: string } }> };
    };
    const names = all.names.edges.map((edge) => edge.node.name);
    assert.deepEqual(names, [...names].sort());
    const last = (await data(
      '{ names(last: 2) { pageInfo { startCursor hasPreviousPage hasNextPage } edges { node { name } } } }',
    )) as {
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

  test('support aliases', async () => {
    const query =
      '{ __proto__: makers(last: 1) { __proto__: edges { __proto__: node { __proto__: name } ' +
      '} toString: totalCount } me { __proto__: username } }';
    const { data: found } = await example.run(query);
    const makers = '{"__proto__":[{"__proto__":{"__proto__":"maker 3"}}],"toString":6}';
    assert.equal(JSON.stringify(found), `{"__proto__":${makers},"me":{"__proto__":"ada"}}`);
  });

  test('apply the defaults of arguments and variables', async () => {
    const id = makerId(0);
    const query =
      'query($id: GlobalId!, $times: Int = 1, $first: Int! = 1) { maker(id: $id) { things(first: $first) { edges ' +
      '{ node { a: shout b: shout(times: $times) } } } } }';
    const title = 'thing 0.2 "quoted" \\ ünïcode';
    assert.deepEqual(await data(query, { id }), {
      maker: { things: { edges: [{ node: { a: title + title, b: title } }] } },
    });
  });
});

describe('points', () => {
  test('are estimated for full pages, and actual for the results', async () => {
    // Root 1, list 1, then for each of 10 entries 1 and for its favourite 1; there are 6 makers, 5 of them with a
    // favourite.
    const { cost, points } = await example.run('{ makers(first: 10) { edges { node { name favourite { title } } } } }');
    assert.deepEqual([cost, points], [22, 13]);
  });
});

describe('missing non-null values', () => {
  test('are errors with a path, and null up to the nearest nullable field', async () => {
    await example.db.query(`update things set title = '' where id = $1`, [example.data.things[0]?.id]);
    const { data: found, errors } = await example.run(
      `{ node(id: "book/${example.data.things[0]?.id}") { ... on Thing { named: nonEmptyTitle kind } } clock }`,
    );
    assert.deepEqual(found, { node: null, clock: '2026-03-01T12:00:00.000Z' });
    assert.deepEqual(
      errors.map(({ path }) => path),
      [['node', 'named']],
    );
  });
});
