import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parse } from 'graphql';
import { DEFAULT_DOCUMENT_LIMITS } from './document-limits.ts';
import { measureDocument } from './measure-document.ts';

const LIMITS = {
  ...{
    ...DEFAULT_DOCUMENT_LIMITS,
    maxDepth: 3,
    maxAliases: 2,
    maxRootFields: 3,
    maxFields: 8,
    maxDirectives: 2,
    maxOperations: 2,
  },
  ...{ maxFragments: 3, maxVariables: 2, maxNesting: 3, maxMergedPairs: 3 },
};

describe('limits of a document', () => {
  const cases: Array<[name: string, document: string, expected: RegExp | null]> = [
    ['depth at the limit', '{ a { b { c } } }', null],
    ['depth beyond it', '{ a { b { c { d } } } }', /4 fields deep; at most 3/],
    [
      'depth through fragments',
      '{ a { ...F } } fragment F on A { b { ...G } } fragment G on B { c { d } }',
      /4 fields deep/,
    ],
    ['depth through inline fragments', '{ a { ... on A { b { ... { c } } } } }', null],
    ['deep introspection', '{ __schema { types { fields { type { ofType { name } } } } } }', null],
    ['aliases at the limit', '{ x: a y: a }', null],
    ['aliases beyond it', '{ x: a y: a z: a }', /3 aliases; at most 2/],
    ['root fields beyond the limit', '{ a b c d }', /4 root fields; at most 3/],
    ['root fields in fragments', '{ ...F d } fragment F on Query { a b c }', /4 root fields/],
    [
      'many fields through fragments',
      '{ a { ...F } b { ...F } c { ...F } } fragment F on A { x y }',
      /9 fields; at most 8/,
    ],
    ['a fragment that spreads itself', '{ a { ...F } } fragment F on A { b { ...F } }', null],
    ['a fragment that is missing', '{ a { ...F } }', null],
    ['directives at the limit', '{ a @x @y }', null],
    ['directives beyond it', '{ a @x @y @z }', /more than 2 directives at one place/],
    ['directives of a fragment', '{ ...F } fragment F on A @x @y @z { b }', /more than 2 directives/],
    ['operations beyond the limit', 'query A { a } query B { a } query C { a }', /3 operations; at most 2/],
    [
      'fragments beyond the limit',
      `{ a } ${['F', 'G', 'H', 'I'].map((name) => `fragment ${name} on A { b }`).join(' ')}`,
      /4 fragments; at most 3/,
    ],
    ['variables beyond the limit', 'query ($a: A, $b: B, $c: C) { a }', /3 variables; at most 2/],
    ['lists at the limit', '{ a(b: [[{ c: 1 }]]) }', null],
    ['lists beyond it', '{ a(b: [[{ c: [1] }]]) }', /nested more than 3 levels/],
    ['types beyond it', 'query ($a: [[[[Int]]]]) { a }', /nested more than 3 levels/],
    ['the same field three times', '{ a a a }', null],
    ['the same field four times', '{ a { b b b b } }', /More than 3 pairs/],
    [
      'the same field in fragments',
      '{ a { b ...F ... { b } ...G } } fragment F on A { b } fragment G on A { b }',
      /More than 3 pairs/,
    ],
    ['the same fields below the same fields', '{ a { b } a { b } a { b c } }', /More than 3 pairs/],
    ['any operation of the document', 'query A { a } query B { a { b { c { d } } } }', /4 fields deep/],
  ];
  for (const [name, text, expected] of cases) {
    test(`${name}: ${expected ? 'refused' : 'accepted'}`, () => {
      const [error] = measureDocument(parse(text), LIMITS);
      if (expected) assert.match(error?.message ?? '', expected);
      else assert.equal(error, undefined);
    });
  }

  test('fragments that double at every level are measured at once', () => {
    const levels = 60;
    const fragments = Array.from(
      { length: levels },
      (_, index) => `fragment F${index} on A { x { ...F${index + 1} } y { ...F${index + 1} } }`,
    );
    const [error] = measureDocument(parse(`{ a { ...F0 } } ${fragments.join(' ')} fragment F${levels} on A { z }`), {
      ...LIMITS,
      maxDepth: 100,
      maxFragments: 100,
    });
    assert.match(error?.message ?? '', /fields; at most 8/);
  });
});
