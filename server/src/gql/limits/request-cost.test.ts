import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parse } from 'graphql';
import { DEFAULT_LIMITS, listPoints, requestPoints } from './request-cost.ts';
import { measureDocument } from '../../../../sql-planner/src/documents/measure-document.ts';

const LIMITS = {
  ...{ ...DEFAULT_LIMITS, maxDepth: 3, maxAliases: 2, maxRootFields: 3, maxFields: 8, maxDirectives: 2, maxOperations: 2 },
  ...{ maxFragments: 3, maxVariables: 2, maxNesting: 3, maxMergedPairs: 3 },
};

describe('limits of a document', () => {
  const cases: Array<[name: string, document: string, fault: RegExp | null]> = [
    ['depth at the limit', '{ a { b { c } } }', null],
    ['depth beyond it', '{ a { b { c { d } } } }', /4 fields deep; at most 3/],
    ['depth through fragments', '{ a { ...F } } fragment F on A { b { ...G } } fragment G on B { c { d } }', /4 fields deep/],
    ['depth through inline fragments', '{ a { ... on A { b { ... { c } } } } }', null],
    ['deep introspection', '{ __schema { types { fields { type { ofType { name } } } } } }', null],
    ['aliases at the limit', '{ x: a y: a }', null],
    ['aliases beyond it', '{ x: a y: a z: a }', /3 aliases; at most 2/],
    ['root fields beyond the limit', '{ a b c d }', /4 root fields; at most 3/],
    ['root fields in fragments', '{ ...F d } fragment F on Query { a b c }', /4 root fields/],
    ['many fields through fragments', '{ a { ...F } b { ...F } c { ...F } } fragment F on A { x y }', /9 fields; at most 8/],
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
    ['the same field in fragments', '{ a { b ...F ... { b } ...G } } fragment F on A { b } fragment G on A { b }', /More than 3 pairs/],
    ['the same fields below the same fields', '{ a { b } a { b } a { b c } }', /More than 3 pairs/],
    ['any operation of the document', 'query A { a } query B { a { b { c { d } } } }', /4 fields deep/],
  ];
  for (const [name, text, fault] of cases) {
    test(`${name}: ${fault ? 'refused' : 'accepted'}`, () => {
      const [error] = measureDocument(parse(text), LIMITS);
      if (fault) assert.match(error?.message ?? '', fault);
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

describe('points for the text of a request', () => {
  const query = (length: number) => ({ query: 'x'.repeat(length) });
  const cases: Array<[name: string, size: Parameters<typeof requestPoints>[0], points: number]> = [
    ['a small request', { ...query(200), bytes: 400 }, 0],
    ['a document of one KiB', { ...query(1_024), bytes: 1_100 }, 0],
    ['a document of a little more', { ...query(1_025), bytes: 1_100 }, 1],
    ['a document of 100 KiB', { ...query(102_400), bytes: 102_500 }, 99],
    ['variables of 4 KiB', { ...query(100), bytes: 4_196 }, 0],
    ['variables of a little more', { ...query(100), bytes: 4_197 }, 1],
    ['a body of 1 MiB', { ...query(100), bytes: 1_048_576 }, 255],
    ['a trusted document, whose text is ours', { documentId: 'sha256:00', bytes: 300 }, 0],
    ['a request that did not come over HTTP', query(100), 0],
  ];
  for (const [name, size, points] of cases) test(`${name}: ${points}`, () => assert.equal(requestPoints(size), points));
});

describe('points for lists of a mutation', () => {
  const ids = (count: number) => Array.from({ length: count }, () => 'did:x');
  const cases: Array<[name: string, args: unknown, points: number]> = [
    ['no arguments', {}, 0],
    ['ten entries', { ids: ids(10) }, 0],
    ['a hundred entries', { ids: ids(100) }, 90],
    ['entries in an input', { input: { items: ids(30) } }, 20],
    ['lists in entries', { input: { items: [{ keywords: ids(8) }, { keywords: ids(8) }] } }, 8],
    ['null', { ids: null }, 0],
  ];
  for (const [name, args, points] of cases) test(`${name}: ${points}`, () => assert.equal(listPoints(args), points));
});
