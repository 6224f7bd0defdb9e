import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Example } from './testing/example.ts';
import { exampleGraph } from './testing/example-graph.ts';
import { QueryMaker, randomOf } from './testing/random-query.ts';
import { ReferenceImplementation } from './testing/reference-implementation.ts';

const QUERIES = 60;

describe('planned reads against the reference implementation', () => {
  const schema = exampleGraph().schema();
  let example: Example;
  let reference: ReferenceImplementation;

  before(async () => {
    example = await Example.open(schema, { makers: 5, thingsPerMaker: 7, tagsPerThing: 3 });
    reference = await ReferenceImplementation.over(schema, example.db, example.data, example.personId);
  });
  after(() => example.close());

  test(`${QUERIES} random selections have the same responses, to the order of their fields`, async () => {
    const { makers, things, tags } = example.data;
    const ids = [
      ...makers.map((row) => `maker/${row.id}`),
      ...things.slice(0, 12).map((row) => `${row.kind.toLowerCase()}/${row.id}`),
      ...tags.slice(0, 5).map((row) => `tag/${row.id}`),
    ];
    for (let seed = 1; seed <= QUERIES; seed += 1) {
      const { text, variables } = new QueryMaker(schema, ids, randomOf(seed)).make();
      const expected = reference.run(text, variables);
      assert.equal(expected.errors, undefined, `seed ${seed} made an invalid query: ${text}`);
      // As JSON, which has the order of the fields.
      const response = JSON.stringify(await example.dataOf(text, variables));
      assert.equal(response, JSON.stringify(expected.data), `seed ${seed}: ${text} ${JSON.stringify(variables)}`);
    }
  });

  test('paging forwards and backwards returns every row once, in order', async () => {
    for (const size of [1, 2, 3, 7]) {
      for (const [field, opposite, from, more] of [
        ['first', 'last', 'after', 'hasNextPage'],
        ['last', 'first', 'before', 'hasPreviousPage'],
      ] as const) {
        const query =
          `query($cursor: String) { things(${field}: ${size}, ${from}: $cursor) { totalCount pageInfo ` +
          '{ hasNextPage hasPreviousPage startCursor endCursor } edges { cursor node { id } } } }';
        const met: string[] = [];
        let cursor: string | null = null;
        for (let pages = 0; pages < 50; pages += 1) {
          const data = await example.dataOf(query, { cursor });
          assert.deepEqual(data, plain(reference.run(query, { cursor }).data), `${field} ${size} ${opposite}`);
          // The schema defines the type; the reference's response above is equal.
          const page = (
            data as { things: { pageInfo: Record<string, boolean & string>; edges: Array<{ node: { id: string } }> } }
          ).things;
          const ids = page.edges.map((edge) => edge.node.id);
          if (field === 'first') met.push(...ids);
          else met.unshift(...ids);
          cursor = page.pageInfo[field === 'first' ? 'endCursor' : 'startCursor'] ?? null;
          if (!page.pageInfo[more]) break;
        }
        const all = reference.run('{ things(first: 100) { edges { node { id } } } }', {}).data as {
          things: { edges: Array<{ node: { id: string } }> };
        };
        assert.deepEqual(
          met,
          all.things.edges.map((edge) => edge.node.id),
        );
      }
    }
  });

  test('windows between two cursors agree with the reference', async () => {
    const { data } = reference.run('{ things(first: 100) { edges { cursor } } }', {});
    const cursors = (data as { things: { edges: Array<{ cursor: string }> } }).things.edges.map((edge) => edge.cursor);
    const query = (way: string) =>
      `query($a: String, $b: String) { things(${way}, after: $a, before: $b) { pageInfo ` +
      '{ hasNextPage hasPreviousPage startCursor endCursor } edges { node { title } } } }';
    for (const [a, b] of [
      [0, 5],
      [3, 4],
      [3, 3],
      [6, 2],
      [0, cursors.length - 1],
    ] as const) {
      for (const way of ['first: 2', 'last: 2', 'first: 50', 'last: 50']) {
        const variables = { a: cursors[a], b: cursors[b] };
        const data = await example.dataOf(query(way), variables);
        if (a < b) assert.deepEqual(data, plain(reference.run(query(way), variables).data), `${way} ${a} ${b}`);
        else
          assert.deepEqual(
            (data as { things: { edges: unknown[] } }).things.edges,
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
