import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { generateClientArguments, generateClientFields } from './client-fields.ts';

const SCHEMA = `
scalar DID
enum Sort { NEWEST OLDEST }
enum Range { DAY WEEK }
input AddThingInput { title: String! }
"""A thing."""
interface Thing { id: DID! part: Part! things(first: Int, sort: Sort! = NEWEST): [Thing!]! }
type Book implements Thing { id: DID! part: Page! pages: [Page] things(first: Int, sort: Sort! = NEWEST): [Thing!]! }
type Box implements Thing { id: DID! part: Part! things(first: Int, sort: Sort! = NEWEST): [Thing!]! }
interface Part { size: Int! }
type Page implements Part { size: Int! }
type Counts { things(sort: Range): Int }
union Found = Book | Box
type Query { things(first: Int, sort: Sort! = NEWEST): [Thing!]! find(text: String!): Found counts: Counts! }
type Mutation { addThing(input: AddThingInput!): Book changeThing(id: DID!, input: AddThingInput): Book }
`;

describe('fields of the client', () => {
  const text = generateClientFields(SCHEMA, 'export type DID = string;\nexport type Sort = never;\n');
  const typeOf = (name: string) => text.slice(text.indexOf(`interface ${name} `)).split('\n}\n')[0];

  test('are those of an interface where they are the same', () => {
    assert.equal(
      typeOf('BoxFields'),
      `interface BoxFields extends ThingShared {
  /** Name of the object's type. */
  readonly __typename: Leaf<'Box'>;`,
    );
  });

  test('replace those of an interface where they are others, and tell lists and null', () => {
    assert.equal(
      typeOf('BookFields'),
      `interface BookFields extends Omit<ThingShared, 'part'> {
  /** Name of the object's type. */
  readonly __typename: Leaf<'Book'>;
  readonly part: Branch<PageFields>;
  readonly pages: Branch<PageFields, 'list? of one?'>;`,
    );
  });

  test('of interfaces and unions name what they may be', () => {
    assert.match(
      typeOf('ThingFields') ?? '',
      /__typename: Leaf<'Book' \| 'Box'>;\n {2}readonly on: On<\{\n {4}readonly Book/,
    );
    assert.match(
      typeOf('FoundFields') ?? '',
      /readonly on: On<\{\n {4}readonly Book[\s\S]*Box[\s\S]*Thing: ThingFields;\n {2}\}>/,
    );
  });

  test('share the types of equal arguments, and import what the operations export', () => {
    assert.equal(text.match(/readonly first\?: number \| null \| undefined;/g)?.length, 1);
    assert.match(text, /import type \{\n {2}DID,\n {2}Sort,\n\} from/);
    assert.match(text, /export type Range = 'DAY' \| 'WEEK';/);
  });
});

describe('types of arguments of the client', () => {
  test('are by name, by field where it differs, and by the field above where fields differ', () => {
    const table = generateClientArguments(SCHEMA).split('{\n')[1];
    assert.equal(
      table,
      `  'addThing/things.sort': 'Sort!',
  'changeThing.input': 'AddThingInput',
  'changeThing/things.sort': 'Sort!',
  'counts/things.sort': 'Range',
  'find/things.sort': 'Sort!',
  first: 'Int',
  id: 'DID!',
  'query/things.sort': 'Sort!',
  sort: 'Sort!',
  text: 'String!',
  'things/things.sort': 'Sort!',
} as const;
`,
    );
  });

  test('that two fields cannot tell apart are an error of the generator', () => {
    const schema = 'type A { x(n: Int): Int } type B { x(n: String): Int } type Query { a: C } union C = A | B';
    assert.throws(() => generateClientArguments(schema), /a\/x\.n has two types/);
  });
});
