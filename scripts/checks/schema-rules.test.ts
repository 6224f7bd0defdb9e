import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { unnamedBreakingChanges } from './schema-rules.ts';

const RELEASED = 'type Query { a(x: Int): String b: [Int!]! } enum Colour { RED BLUE } type T { colour: Colour! }';

describe('a change of the released schema', () => {
  test('that adds something is not breaking', () => {
    assert.deepEqual(unnamedBreakingChanges(RELEASED, RELEASED.replace('b:', 'c: Int b:'), ''), []);
  });

  for (const [what, from, to] of [
    ['a removed field', 'b: [Int!]!', ''],
    ['another type', 'a(x: Int): String', 'a(x: Int): Int'],
    ['a required argument', 'x: Int', 'x: Int, y: Int!'],
    ['a removed enum value', ' BLUE', ''],
    ['a field that may be null', 'colour: Colour!', 'colour: Colour'],
  ] as const) {
    test(`is detected: ${what}`, () => {
      const found = unnamedBreakingChanges(RELEASED, RELEASED.replace(from, to), '');
      assert.equal(found.length, 1);
      assert.deepEqual(
        unnamedBreakingChanges(RELEASED, RELEASED.replace(from, to), `# 0099\n\nBreaking: ${found[0]}\n`),
        [],
      );
    });
  }
});
