import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { buildSchema, findBreakingChanges } from 'graphql';
import { describeChange, schemaChanges } from './schema-changes.ts';

/** Everything that a change can concern. */
const BEFORE = `
  type Query { a(x: Int, y: Int! = 1): String  list: [Int!]  named: Named  any: Any  in(i: In): Int }
  interface Named { name: String! }
  interface Sized { size: Int }
  type T implements Named { name: String!  e: E }
  type U implements Named & Sized { name: String!  size: Int }
  union Any = T | U
  enum E { RED BLUE }
  enum Asked { UP DOWN }
  input In { f: Int  g: Int! = 2  asked: Asked }
`;

/** A change of one place of the schema, and what it is. */
const CHANGES: readonly (readonly [from: string, to: string, expected: readonly string[]])[] = [
  // Additions.
  ['type Query {', 'type Query { b: Int!', ['safe Query.b added: `Int!`']],
  ['a(x: Int', 'a(z: [Int!], x: Int', ['safe Query.a(z:) added: `[Int!]`']],
  ['a(x: Int', 'a(z: Int!, x: Int', ['breaking Query.a(z:) added: `Int!`, required']],
  ['a(x: Int', 'a(z: Int! = 3, x: Int', ['safe Query.a(z:) added: `Int!`']],
  ['input In {', 'input In { h: Int', ['safe In.h added: `Int`']],
  ['input In {', 'input In { h: Int!', ['breaking In.h added: `Int!`, required']],
  ['enum E {', 'enum E { GREEN', ['dangerous E.GREEN added']],
  ['enum Asked {', 'enum Asked { LEFT', ['safe Asked.LEFT added']],
  ['union Any', 'type New { n: Int } union Any', ['safe New added: object']],
  ['Any = T | U', 'Any = T | U | Query', ['dangerous Any = Query added']],
  [
    'type T implements Named {',
    'type T implements Named & Sized { size: Int',
    ['dangerous T implements Sized added', 'safe T.size added: `Int`'],
  ],
  // Removals.
  ['list: [Int!]', '', ['breaking Query.list removed: `[Int!]`']],
  ['x: Int, ', '', ['breaking Query.a(x:) removed: `Int`']],
  ['f: Int', '', ['breaking In.f removed: `Int`']],
  ['BLUE', '', ['breaking E.BLUE removed']],
  ['Any = T | U', 'Any = T', ['breaking Any = U removed']],
  ['U implements Named & Sized', 'U implements Named', ['breaking U implements Sized removed']],
  // Other types.
  ['): String', '): Int', ['breaking Query.a changed: `Int`, was `String`']],
  ['list: [Int!]', 'list: [Int!]!', ['safe Query.list changed: `[Int!]!`, was `[Int!]`']],
  ['list: [Int!]', 'list: [Int]', ['breaking Query.list changed: `[Int]`, was `[Int!]`']],
  ['list: [Int!]', 'list: Int', ['breaking Query.list changed: `Int`, was `[Int!]`']],
  ['a(x: Int', 'a(x: Int!', ['breaking Query.a(x:) changed: `Int!`, was `Int`']],
  ['y: Int! = 1', 'y: Int = 1', ['safe Query.a(y:) changed: `Int`, was `Int!`']],
  ['f: Int', 'f: [Int]', ['breaking In.f changed: `[Int]`, was `Int`']],
  ['union Any = T | U', 'type Any { a: Int }', ['breaking Any changed: object, was union']],
  // Defaults.
  ['y: Int! = 1', 'y: Int! = 2', ['breaking Query.a(y:) changed: default `2`, was `1`']],
  ['g: Int! = 2', 'g: Int! = 3', ['breaking In.g changed: default `3`, was `2`']],
  ['a(x: Int', 'a(x: Int = 5', ['breaking Query.a(x:) changed: default `5`, was `none`']],
  // Deprecations.
  ['list: [Int!]', 'list: [Int!] @deprecated(reason: "Use b.")', ['safe Query.list deprecated: Use b.']],
  ['BLUE', 'BLUE @deprecated(reason: "Use RED.")', ['safe E.BLUE deprecated: Use RED.']],
  ['f: Int', 'f: Int @deprecated(reason: "Use h.")', ['safe In.f deprecated: Use h.']],
];

describe('a change of a schema', () => {
  for (const [from, to, expected] of CHANGES) {
    test(`${from} → ${to || 'nothing'}: ${expected.join('; ')}`, () => {
      const [before, after] = [buildSchema(BEFORE), buildSchema(BEFORE.replace(from, to))];
      const found = schemaChanges(before, after);
      assert.deepEqual(
        found.map((change) => `${change.severity} ${describeChange(change)}`),
        expected,
      );
      const breaking = found.some(({ severity }) => severity === 'breaking');
      assert.ok(breaking || findBreakingChanges(before, after).length === 0, 'graphql-js calls it breaking');
    });
  }

  test('is none when only descriptions or the order differ', () => {
    const other = `"All." ${BEFORE.trim().replace('RED BLUE', 'BLUE RED')}`;
    assert.deepEqual(schemaChanges(buildSchema(BEFORE), buildSchema(other)), []);
  });

  test('is also the end of a deprecation', () => {
    const deprecated = buildSchema(BEFORE.replace('list: [Int!]', 'list: [Int!] @deprecated(reason: "Old.")'));
    assert.deepEqual(schemaChanges(deprecated, buildSchema(BEFORE)).map(describeChange), [
      'Query.list changed: not deprecated any more',
    ]);
  });

  test('of a type that no schema has any more is one change', () => {
    const after = BEFORE.replace('any: Any', '').replace('union Any = T | U', '');
    assert.deepEqual(schemaChanges(buildSchema(BEFORE), buildSchema(after)).map(describeChange), [
      'Any removed: union',
      'Query.any removed: `Any`',
    ]);
  });
});
