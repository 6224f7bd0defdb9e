import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { buildSchema } from 'graphql';
import { breaksOf } from './contracts.ts';
import { withPublication } from './publication.ts';

const CONTRACT = 'type Query { a(x: Int): String b: [Int!]! } enum Colour { RED BLUE } type T { colour: Colour! }';

describe('the contract of a published version', () => {
  const breaks = (now: string, decisions = '') =>
    breaksOf('2027-01', buildSchema(CONTRACT), buildSchema(now), decisions);

  test('is kept by additions', () => {
    assert.deepEqual(breaks(CONTRACT.replace('b:', 'c: Int b:').replace('RED', 'RED GREEN')), []);
  });

  for (const [what, from, to, expected] of [
    ['a removed field', 'b: [Int!]!', '', 'Breaking 2027-01: Query.b removed: `[Int!]!`'],
    ['another type', 'a(x: Int): String', 'a(x: Int): Int', 'Breaking 2027-01: Query.a changed: `Int`, was `String`'],
    ['a required argument', 'x: Int', 'x: Int, y: Int!', 'Breaking 2027-01: Query.a(y:) added: `Int!`, required'],
    ['a removed enum value', ' BLUE', '', 'Breaking 2027-01: Colour.BLUE removed'],
    [
      'a field that may be null',
      'colour: Colour!',
      'colour: Colour',
      'Breaking 2027-01: T.colour changed: `Colour`, was `Colour!`',
    ],
  ] as const) {
    test(`is broken by ${what}, unless a decision names it for this version`, () => {
      const now = CONTRACT.replace(from, to);
      assert.deepEqual(breaks(now), [expected]);
      assert.deepEqual(breaks(now, `# 99. Why\n\n${expected}\n`), []);
      assert.deepEqual(breaks(now, expected.replace('2027-01', '2027-04')), [expected]);
    });
  }
});

describe('publishing a version', () => {
  const TABLE = `[
    { name: '2027-01', publishedOn: '2027-01-12', retiredOn: null },
    { name: '2027-04', publishedOn: null, retiredOn: null },
  ]`;

  test('writes its day into the table', () => {
    assert.equal(
      withPublication(TABLE, '2027-04', '2027-04-02'),
      TABLE.replace('publishedOn: null', "publishedOn: '2027-04-02'"),
    );
  });

  test('is refused for a version that is published', () => {
    assert.throws(() => withPublication(TABLE, '2027-01', '2027-04-02'), /2027-01 is published already/);
  });
});
