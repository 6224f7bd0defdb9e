import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { exampleGraph } from '../testing/example-graph.ts';
import { DocumentCache } from './document-cache.ts';
import { DEFAULT_DOCUMENT_LIMITS } from './document-limits.ts';
import { firstFieldIn } from './error-paths.ts';

const LIMITS = { ...DEFAULT_DOCUMENT_LIMITS, maxDepth: 5 };

describe('the path of an error of a document', () => {
  const documents = new DocumentCache(exampleGraph().schema(), LIMITS);
  const pathsOf = (text: string) => {
    const found = documents.find(text, undefined);
    assert.ok(found.kind === 'invalid', text);
    return found.errors.errors.map(({ path }) => path);
  };

  for (const [what, text, path] of [
    ['an unknown root field', '{ nope }', ['nope']],
    [
      'an unknown field further down, by its aliases',
      '{ a: makers { e: edges { node { nope } } } }',
      ['a', 'e', 'node', 'nope'],
    ],
    ['an unknown argument', '{ makers(nope: 1) { totalCount } }', ['makers']],
    ['a wrong value of an argument', '{ makers(first: "x") { totalCount } }', ['makers']],
    ['an unknown directive', '{ makers { totalCount @nope } }', ['makers', 'totalCount']],
    ['a field without a selection', '{ makers }', ['makers']],
    ['an inline fragment', '{ makers { ... on MakerConnection { nope } } }', ['makers', 'nope']],
    [
      'a fragment where it is used first',
      'fragment F on Maker { nope } { a: makers { edges { node { ...F } } } }',
      ['a', 'edges', 'node', 'nope'],
    ],
    [
      'a fragment within a fragment',
      'query { makers { ...A } } fragment A on MakerConnection { edges { ...B } } fragment B on MakerEdge { nope }',
      ['makers', 'edges', 'nope'],
    ],
    ['an unknown fragment', '{ makers { ...Nope } }', ['makers']],
    ['a variable that is not defined', '{ makers(first: $nope) { totalCount } }', ['makers']],
    [
      'a variable of an unknown type, where it is used',
      'query ($x: Nope) { me { username } makers(first: $x) { totalCount } }',
      ['makers'],
    ],
    ['a variable that nothing uses: the first root field', 'query ($x: Int) { a: me { username } }', ['a']],
    [
      'too many levels: the first root field',
      '{ makers { edges { node { things { edges { cursor } } } } } }',
      ['makers'],
    ],
    ['an unused fragment', '{ me { username } } fragment F on Maker { id }', undefined],
    ['a text that is no document', '{ me', undefined],
  ] as const)
    test(`is that of ${what}`, () => assert.deepEqual(pathsOf(text)[0], path));

  test('is that of the first field with a variable that has a wrong value', () => {
    const text =
      'query ($n: Int, $m: Int) { me { username } makers(first: $n) { totalCount } things(first: $m) { totalCount } }';
    const found = documents.find(text, undefined);
    assert.ok(found.kind === 'operation');
    const { errors } = found.operation.coerce({ n: 1, m: 'x' });
    assert.deepEqual(
      errors?.errors.map(({ path }) => path),
      [['things']],
    );
  });
});

describe('the first field in a text', () => {
  for (const [text, path] of [
    ['{ me { id } other }', ['me']],
    ['query ($x: In = { a: [{ b: 1 }] }) @d(x: { y: 1 }) { a: me { id } }', ['a']],
    ['fragment F on Maker { id things(first: 1) { totalCount } } mutation M { done }', ['done']],
    ['query fragment { me }', ['me']],
    ['{ ...F }', null],
    ['fragment F on Maker { id }', null],
    ['# nothing', null],
    ['{ me "', ['me']],
    ['nothing of GraphQL?', null],
    [`query (${'$x: Int '.repeat(400)}) { me }`, null],
  ] as const)
    test(`is ${JSON.stringify(path)} in ${text.slice(0, 60)}`, () => assert.deepEqual(firstFieldIn(text), path));
});
