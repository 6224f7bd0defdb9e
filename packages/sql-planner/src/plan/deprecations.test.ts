import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DocumentCache } from '../documents/document-cache.ts';
import { DEFAULT_DOCUMENT_LIMITS } from '../documents/document-limits.ts';
import { Graph } from '../schema/graph.ts';
import { lifecycle } from '../schema/lifecycle.ts';

const old = (use: string) => ({ deprecated: { use, period: { since: '2027-01', removal: '2028-01' } } }) as const;

function documents(): DocumentCache {
  const graph = new Graph({ name: 'GlobalId', description: 'x' });
  const Order = graph.builder.enumType('Order', {
    description: 'x',
    values: { NEW: { description: 'x' }, OLD: { description: 'x', ...lifecycle(old('Use NEW.')) } } as const,
  });
  const Filter = graph.builder.inputType('Filter', {
    description: 'x',
    fields: (t) => ({
      order: t.field({ type: Order, description: 'x' }),
      sort: t.field({ type: Order, description: 'x', ...lifecycle(old('Use order.')) }),
    }),
  });
  const Result = graph.object('Result', {
    description: 'x',
    fields: (f) => ({
      count: f.value({ type: 'Int', description: 'x' }),
      size: f.value({ type: 'Int', description: 'x', lifecycle: old('Use count.') }),
    }),
  });
  graph.queryResolve('find', {
    access: 'public',
    type: Result,
    description: 'x',
    args: (t) => ({
      filter: t.field({ type: Filter, description: 'x' }),
      text: t.string({ description: 'x', ...lifecycle(old('Use filter.')) }),
    }),
    resolve: () => ({}),
  });
  graph.queryResolve('search', {
    access: 'public',
    type: Result,
    description: 'x',
    lifecycle: old('Use find.'),
    resolve: () => ({}),
  });
  return new DocumentCache(graph.schema(), DEFAULT_DOCUMENT_LIMITS);
}

const cache = documents();
const used = (text: string, name?: string) => {
  const found = cache.find(text, name);
  assert.equal(found.kind, 'operation', JSON.stringify(found));
  return found.kind === 'operation' ? found.operation.deprecations : [];
};

for (const [text, elements] of [
  ['{ find { count } }', []],
  ['{ find(filter: { order: NEW }) { count __typename } }', []],
  ['{ find { size other: size } }', ['Result.size']],
  ['{ search { count } find(text: "x") { count } }', ['Query.search', 'Query.find(text:)']],
  ['{ find(filter: { sort: OLD }) { count } }', ['Filter.sort', 'Order.OLD']],
  ['query ($f: Filter) { find(filter: $f) { ...R } } fragment R on Result { size }', ['Result.size']],
] as const) {
  test(`the deprecated elements of ${text} are ${elements.join(', ') || 'none'}`, () => {
    assert.deepEqual(
      used(text).map(({ element }) => element),
      elements,
    );
  });
}

test('an operation has those of its own text, with their dates', () => {
  const text = 'query A { search { count } } query B { find { count } }';
  assert.deepEqual(used(text, 'A'), [
    {
      element: 'Query.search',
      deprecation: { use: 'Use find.', period: { since: '2027-01', removal: '2028-01' } },
    },
  ]);
  assert.deepEqual(used(text, 'B'), []);
});
