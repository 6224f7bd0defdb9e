import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parse } from 'graphql';
import { DEFAULT_LIMITS, measureDocument } from './cost.ts';

const LIMITS = { ...DEFAULT_LIMITS, maxDepth: 3, maxAliases: 2, maxRootFields: 3, maxFields: 8 };

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
    });
    assert.match(error?.message ?? '', /fields; at most 8/);
  });
});
