import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { parse } from 'graphql';
import { generateWebOperations, operationsIndex } from './web-operations.ts';

const SCHEMA = `
  scalar DID
  enum Mood { CALM WILD }
  input Filter { mood: Mood = CALM, words: [String!]!, inner: Filter }
  interface Node { id: DID! }
  type Movie implements Node {
    id: DID! title: String! mood: Mood length: Float next: Movie tags: [String!]! cast: [Person]!
  }
  type Person implements Node { id: DID! name: String! }
  type Query { movie(id: DID!, filter: Filter): Movie  node(id: DID!): Node }
  type Mutation { forget(id: DID!): Boolean! }
`;

const flat = (text: string): string => text.replace(/\s+/g, ' ');
const generate = (text: string) => generateWebOperations(SCHEMA, [{ path: 'a.graphql', text }]);
const writtenFor = (text: string): string => {
  const { types, handles } = generate(text);
  return flat([types, ...handles.values()].join(' '));
};

const CASES: readonly { name: string; operation: string; expected: string }[] = [
  {
    name: 'non-null, nullable and enum fields',
    operation: 'query A { movie(id: "x") { title length mood } }',
    expected:
      'readonly movie: { readonly title: string; readonly length: number | null; readonly mood: Mood | null; } | null;',
  },
  {
    name: 'lists of nullable objects',
    operation: 'query A { movie(id: "x") { tags cast { name } } }',
    expected: 'readonly tags: readonly (string)[]; readonly cast: readonly ({ readonly name: string; } | null)[];',
  },
  {
    name: 'fragments merged with direct selections of the same field',
    operation: 'query A { movie(id: "x") { next { id } ...F } } fragment F on Movie { next { title } }',
    expected: 'readonly next: { readonly id: string; readonly title: string; } | null;',
  },
  {
    name: 'aliases',
    operation: 'query A { first: movie(id: "x") { name: title } }',
    expected: 'readonly first: { readonly name: string; } | null;',
  },
  {
    name: 'an interface as a union when a selection depends on the type',
    operation: 'query A { node(id: "x") { __typename id ... on Movie { title } } }',
    expected:
      "({ readonly __typename: 'Movie'; readonly id: string; readonly title: " +
      "string; } | { readonly __typename: 'Person'; readonly id: string; })",
  },
  {
    name: 'an interface as one type when all are selected alike',
    operation: 'query A { node(id: "x") { __typename id } }',
    expected: "readonly node: { readonly __typename: 'Movie' | 'Person'; readonly id: string; } | null;",
  },
  {
    name: '@include as optional',
    operation: 'query A($b: Boolean!) { movie(id: "x") { title @include(if: $b) } }',
    expected: 'readonly title?: string;',
  },
  {
    name: 'a field as present when it is selected without condition too',
    operation: 'query A($b: Boolean!) { movie(id: "x") { title title @skip(if: $b) } }',
    expected: '{ readonly title: string; }',
  },
  {
    name: 'required and optional variables',
    operation: 'query A($id: DID!, $filter: Filter) { movie(id: $id, filter: $filter) { id } }',
    expected: 'AVariables = { readonly id: string; readonly filter?: Filter | null | undefined; }',
  },
  {
    name: 'input objects that refer to themselves',
    operation: 'query A($filter: Filter) { movie(id: "x", filter: $filter) { id } }',
    expected:
      'interface Filter { readonly mood?: Mood | null | undefined; readonly words: ' +
      'readonly (string)[]; readonly inner?: Filter | null | undefined; }',
  },
  {
    name: 'no variables',
    operation: 'query A { movie(id: "x") { id } }',
    expected: 'AVariables = Record<string, never>;',
  },
  {
    name: 'the kind of an operation',
    operation: 'mutation A { forget(id: "x") }',
    expected: "name: 'A', kind: 'mutation'",
  },
];

for (const { name, operation, expected } of CASES) {
  test(`writes ${name}`, () => {
    const types = writtenFor(operation);
    assert.ok(types.includes(expected), `${types}\nlacks\n${expected}`);
  });
}

test('handles are in a module of their area, which the index exports', () => {
  const { handles } = generateWebOperations(SCHEMA, [
    { path: 'web/src/features/watch/watch.graphql', text: 'query A { movie(id: "x") { id } }' },
    { path: 'web/src/features/studio/edit/edit.graphql', text: 'query B { movie(id: "x") { id } }' },
    { path: 'web/src/gql/shared.graphql', text: 'query C { movie(id: "x") { id } }' },
  ]);
  assert.deepEqual([...handles.keys()], ['watch', 'studio-edit', 'app']);
  assert.match(
    handles.get('studio-edit') ?? '',
    /export const B: .*= \{ id: '[\w-]{12}', name: 'B', kind: 'query' \};/,
  );
  assert.match(operationsIndex(handles.keys()), /'\.\/handles\/app\.gen\.ts';\n.*'\.\/handles\/studio-edit\.gen\.ts';/);
});

test('a trusted document is named by its digest and holds the fragments it reaches, and no others', () => {
  const { trusted } = generate(`
    query A { movie(id: "x") { ...F } }
    query B { movie(id: "x") { id } }
    fragment F on Movie { next { ...G } }
    fragment G on Movie { title }
  `);
  const documents = Object.entries(trusted);
  assert.equal(documents.length, 2);
  for (const [id, text] of documents)
    assert.equal(id, createHash('sha256').update(text).digest('base64url').slice(0, 12));
  const names = documents.map(([, text]) =>
    parse(text).definitions.map((node) => ('name' in node ? node.name?.value : undefined)),
  );
  assert.deepEqual(names, [['A', 'F', 'G'], ['B']]);
});

test('an operation that does not fit the schema is refused with its file and line', () => {
  assert.throws(
    () => generate('query A {\n  movie(id: "x") { colour }\n}'),
    /Cannot query field "colour"[\s\S]*a\.graphql:2/,
  );
});
