import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { buildSchema, type GraphQLInputType, parseType, parseValue, typeFromAST, valueFromAST } from 'graphql';
import { compileValue } from './values.ts';

const schema = buildSchema(`
  enum Colour { RED GREEN }
  input Inner { a: Int! b: String = "b" }
  input Outer { name: String! colour: Colour = RED inner: Inner inners: [Inner!] tags: [String] n: Float }
  type Query { x(o: Outer): Int }
`);

describe('compiled values', () => {
  const cases: Array<[type: string, literal: string, variables: Record<string, unknown>]> = [
    ['Int', '5', {}],
    ['Int', '$i', { i: 5 }],
    ['Int', '$i', {}],
    ['Int', '$i', { i: null }],
    ['[Int]', '[1, $i]', { i: 2 }],
    ['[Int]', '[1, $i]', {}],
    ['[Int]', '3', {}],
    ['Outer', '{ name: "x" }', {}],
    ['Outer', '{ name: $s }', { s: 'y' }],
    ['Outer', '{ name: $s, colour: $c, n: 1 }', { s: 'y', c: 'GREEN' }],
    ['Outer', '{ name: $s, colour: $c }', { s: 'y' }],
    ['Outer', '{ name: $s, colour: null, tags: null }', { s: 'y' }],
    [
      'Outer',
      '{ name: "x", inner: { a: $i }, inners: [{ a: 1 }, { a: $i, b: $s }], tags: ["t", $s] }',
      { i: 3, s: 'z' },
    ],
    ['Outer', '{ name: "x", inners: { a: $i } }', { i: 3 }],
    ['Outer', '{ name: "x", inner: $inner }', { inner: { a: 1, b: 'b' } }],
  ];
  for (const [type, literal, variables] of cases) {
    test(`${type} ${literal} with ${JSON.stringify(variables)} matches the reference`, () => {
      const node = parseValue(literal);
      // The types named here are input types of the schema above.
      const input = typeFromAST(schema, parseType(type) as never) as GraphQLInputType;
      const expected = valueFromAST(node, input, variables);
      assert.deepEqual(plain(compileValue(node, input)(variables)), plain(expected));
    });
  }
});

function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
