import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Graph, lifecycle } from '@reelgraph/sql-planner';
import { buildSchema, type GraphQLSchema } from 'graphql';
import { lifecycleProblems } from './schema-rules.ts';

const VERSIONS = ['2027-01', '2028-01'];
const NO_DATES = 'declare its deprecation with `lifecycle`: what to use instead, since when, and the earliest removal';

function schemaWith(declared: Parameters<typeof lifecycle>[0]): GraphQLSchema {
  const graph = new Graph({ name: 'DID', description: 'x' });
  graph.queryResolve('a', {
    access: 'public',
    type: 'String',
    description: 'x',
    args: (t) => ({ b: t.int({ description: 'x', ...lifecycle(declared) }) }),
    resolve: () => 'x',
  });
  return graph.schema();
}

describe('what an element declares about its versions', () => {
  const use = 'Use c.';
  const deprecated = { use, period: { since: '2027-01', removal: '2028-01' } };

  test('may be a preview, a first version, a deprecation, and a removal that it announced', () => {
    for (const declared of [
      { preview: true },
      { since: '2028-01' },
      { deprecated },
      { deprecated, until: '2028-01' },
    ] as const)
      assert.deepEqual(lifecycleProblems(schemaWith(declared), VERSIONS), []);
  });

  for (const [declared, problem] of [
    [{ since: '2027-04' }, 'names 2027-04, which is not a version'],
    [{ until: '2028-01' }, 'is removed in 2028-01, which no deprecation has announced'],
    [{ until: '2027-01', deprecated }, 'is removed in 2027-01, which no deprecation has announced'],
    [{ preview: true, deprecated }, 'is in the preview only'],
    [
      { deprecated: { use, period: { since: '2027-01', removal: '2027-10' } } },
      'removed in 2027-10, less than 12 months later',
    ],
    [
      { deprecated: { use, period: { since: '2026-10', removal: '2028-01' } } },
      'deprecated since 2026-10, which is not a version',
    ],
    [{ deprecated: { use, period: { since: '2027-01', removal: '2029-02' } } }, NO_DATES],
    [{ deprecated: { use } }, NO_DATES],
  ] as const) {
    test(`is refused: ${problem}`, () => {
      assert.deepEqual(lifecycleProblems(schemaWith(declared), VERSIONS), [`Query.a(b:): ${problem}`]);
    });
  }

  test('is a deprecation without dates before the first version', () => {
    assert.deepEqual(lifecycleProblems(schemaWith({ deprecated: { use } }), []), []);
    assert.deepEqual(lifecycleProblems(schemaWith({ deprecated }), []), [
      'Query.a(b:): deprecated since 2027-01, which is not a version',
    ]);
  });

  test('is required of every @deprecated, of fields, arguments, input fields and values', () => {
    const schema = buildSchema(`
      type Query { a(b: Int @deprecated(reason: "Old."), i: I, e: E): Int @deprecated }
      input I { f: Int @deprecated(reason: "Use g. Deprecated since 2027-01; removed soon.") }
      enum E { V @deprecated(reason: "No. Deprecated since 2027-01; removed in 2028-01 at the earliest.") W }
    `);
    assert.deepEqual(
      lifecycleProblems(schema, VERSIONS).map((line) => line.split(' ')[0]),
      ['I.f:', 'Query.a:', 'Query.a(b:):'],
    );
  });
});
