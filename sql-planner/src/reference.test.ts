import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { NaiveToys } from './testing/reference-implementation.ts';
import { QueryMaker, randomOf } from './testing/random-query.ts';
import { makeToyGraph } from '../../server/src/gql/testing/fixture-graph.ts';
import { openToyWorld, type ToyWorld } from '../../server/src/gql/testing/fixtures.ts';

const QUERIES = 60;

describe('planned reads against a naive implementation', () => {
  const schema = makeToyGraph().schema();
  let world: ToyWorld;
  let naive: NaiveToys;

  before(async () => {
    world = await openToyWorld(schema, { makers: 5, thingsPerMaker: 7, tagsPerThing: 3 });
    naive = await NaiveToys.over(schema, world.db, world.data, world.person.id);
  });
  after(() => world.close());

  test(`${QUERIES} random selections have the same answers, interpreted and compiled`, async () => {
    const { makers, things, tags } = world.data;
    const dids = [
      ...makers.map((row) => `did:toys:channel/${row.id}`),
      ...things.slice(0, 12).map((row) => `did:toys:content/${row.kind === 'Book' ? 'feature' : 'short'}/${row.id}`),
      ...tags.slice(0, 5).map((row) => `did:toys:job/${row.id}`),
    ];
    const engine = world.engineWith({
      limits: {
        maxCost: 1e9,
        bucketCapacity: 1e9,
        maxDepth: 50,
        maxAliases: 1e4,
        maxFields: 1e4,
        maxMergedPairs: 1e6,
        maxVariables: 1e4,
        maxFragments: 1e4,
      },
    });
    for (let seed = 1; seed <= QUERIES; seed += 1) {
      const { text, variables } = new QueryMaker(schema, dids, randomOf(seed)).make();
      const expected = plain(naive.run(text, variables));
      assert.ok(!Object.hasOwn(Object(expected), 'errors'), `seed ${seed} made an invalid query: ${JSON.stringify(expected)} ${text}`);
      const request = {
        query: text,
        variables,
        credential: world.key,
        queriesOnly: true,
        requestId: 'r',
        signal: new AbortController().signal,
      };
      for (const way of ['interpreted', 'compiled']) {
        const { body } = await engine.execute(request);
        assert.deepEqual(
          plain({ data: body.data, errors: body.errors }),
          expected,
          `seed ${seed}, ${way}: ${text} ${JSON.stringify(variables)}`,
        );
      }
    }
    assert.deepEqual(world.errors, []);
  });

  test('paging forwards and backwards to the end meets every row once, in order', async () => {
    for (const size of [1, 2, 3, 7]) {
      for (const [field, opposite, from, more] of [
        ['first', 'last', 'after', 'hasNextPage'],
        ['last', 'first', 'before', 'hasPreviousPage'],
      ] as const) {
        const query = `query($cursor: String) { things(${field}: ${size}, ${from}: $cursor) { totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor node { id } } } }`;
        const met: string[] = [];
        let cursor: string | null = null;
        for (let pages = 0; pages < 50; pages += 1) {
          const { body } = await world.engineWith({}).execute({
            query,
            variables: { cursor },
            credential: world.key,
            queriesOnly: true,
            requestId: 'r',
            signal: new AbortController().signal,
          });
          assert.deepEqual(plain({ data: body.data }), plain(naive.run(query, { cursor })), `${field} ${size} ${opposite}`);
          // The schema says what this is; the naive answer above is the same.
          const page = (body.data as { things: { pageInfo: Record<string, boolean & string>; edges: Array<{ node: { id: string } }> } })
            .things;
          const ids = page.edges.map((edge) => edge.node.id);
          if (field === 'first') met.push(...ids);
          else met.unshift(...ids);
          cursor = page.pageInfo[field === 'first' ? 'endCursor' : 'startCursor'] ?? null;
          if (!page.pageInfo[more]) break;
        }
        const all = naive.run('{ things(first: 100) { edges { node { id } } } }', {}).data as {
          things: { edges: Array<{ node: { id: string } }> };
        };
        assert.deepEqual(
          met,
          all.things.edges.map((edge) => edge.node.id),
        );
      }
    }
  });

  test('windows between two cursors agree with the naive list', async () => {
    const { data } = naive.run('{ things(first: 100) { edges { cursor } } }', {});
    const cursors = (data as { things: { edges: Array<{ cursor: string }> } }).things.edges.map((edge) => edge.cursor);
    const query = (way: string) =>
      `query($a: String, $b: String) { things(${way}, after: $a, before: $b) { pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { node { title } } } }`;
    for (const [a, b] of [
      [0, 5],
      [3, 4],
      [3, 3],
      [6, 2],
      [0, cursors.length - 1],
    ] as const) {
      for (const way of ['first: 2', 'last: 2', 'first: 50', 'last: 50']) {
        const variables = { a: cursors[a], b: cursors[b] };
        const { body } = await world.run(query(way), variables);
        if (a < b) assert.deepEqual(plain({ data: body.data }), plain(naive.run(query(way), variables)), `${way} ${a} ${b}`);
        else
          assert.deepEqual(
            (body.data as { things: { edges: unknown[] } }).things.edges,
            [],
            'a window that ends before it begins is empty',
          );
      }
    }
  });
});

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
