import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateClientOperations } from './client-operations.ts';

const SCHEMA = `
  scalar DID
  "How it feels."
  enum Mood { CALM WILD }
  input Filter { "Which mood." mood: Mood }
  interface Node { id: DID! }
  "A movie."
  type Movie implements Node {
    id: DID!
    "What it is called."
    title: String!
    mood: Mood
    poster(width: Int!): String
    facts: Facts!
    next: Movie
    studio: Studio
    cast(first: Int, after: String): MovieConnection
  }
  type Facts { minutes: Int! studio: Studio }
  type Studio implements Node { id: DID! name: String! }
  type PageInfo { endCursor: String hasNextPage: Boolean! }
  type MovieEdge { cursor: String! node: Movie! }
  type MovieConnection { edges: [MovieEdge!]! pageInfo: PageInfo! totalCount: Int! }
  type Query {
    "One movie."
    movie(id: DID!): Movie
    films(first: Int, after: String, filter: Filter): MovieConnection!
    node(id: DID!): Node
  }
  type Payload { movie: Movie! ok: Boolean! }
  type Mutation { make(title: String!, mood: Mood! = CALM): Payload! forget(id: DID!): Boolean! }
  type Subscription { created(after: String): Movie }
`;
const NODE = 'fragment Node on Node { __typename id ... on Movie { ...Movie } }';

const flat = (text: string): string => text.replace(/\s+/g, ' ');
const generate = (text = '') =>
  flat(generateClientOperations(SCHEMA, [{ path: 'a.graphql', text: `${NODE} ${text}` }]));

const CASES: readonly { readonly name: string; readonly written?: string; readonly expected: string }[] = [
  {
    name: 'a root field as a method that answers it',
    expected: '/** One movie. */ movie(variables: MovieVariables, options?: CallOptions): Promise<Movie>;',
  },
  {
    name: 'a list as a method with pages',
    expected: 'readonly films: ListMethod<FilmsVariables, MovieConnection, false>;',
  },
  {
    name: 'a subscription as an iterator',
    expected: 'created(variables?: CreatedVariables, options?: FollowOptions): AsyncIterableIterator<Movie>;',
  },
  {
    name: 'a value as itself',
    expected: 'forget(variables: ForgetVariables, options?: CallOptions): Promise<boolean>;',
  },
  {
    name: 'arguments, optional where they have a default',
    expected: 'export interface MakeVariables { readonly title: string; readonly mood?: Mood | null | undefined; }',
  },
  { name: 'inputs and enums with their descriptions', expected: '/** How it feels. */ export type Mood = ' },
  {
    name: 'members of inputs with their descriptions',
    expected: '{ /** Which mood. */ readonly mood?: Mood | null | undefined; }',
  },
  {
    name: 'fields with their descriptions, under the name of their type',
    expected: '/** A movie. */ export type Movie = {',
  },
  {
    name: 'of a node its values and parts, but no fields that need arguments, no lists and no other nodes',
    expected: "const MovieText = 'fragment Movie on Movie{id title mood facts{...Facts}}';",
  },
  {
    name: 'of a part the nodes in it, whole',
    expected: "const FactsText = 'fragment Facts on Facts{minutes studio{...Studio}}';",
  },
  {
    name: 'of a payload what it holds',
    expected: "const PayloadText = 'fragment Payload on Payload{movie{...Movie}ok}';",
  },
  {
    name: 'other nodes by the fragment for mentions, where there is one',
    written: 'fragment StudioRef on Studio { name }',
    expected: "const MovieText = 'fragment Movie on Movie{id title mood facts{...Facts}studio{...StudioRef}}';",
  },
  {
    name: 'a selection that a file writes',
    written: 'fragment Movie on Movie { title }',
    expected: "const MovieText = 'fragment Movie on Movie{title}';",
  },
  {
    name: 'an operation that a file writes, instead of the one that would be generated',
    written: 'query Movie($id: DID!) { movie(id: $id) { title } }',
    expected:
      'movieQuery: Document< { /** One movie. */ readonly movie: { /** What it ' +
      'is called. */ readonly title: string; } | null; }, MovieVariables >',
  },
  {
    name: 'a list further down, that may be missing',
    written:
      'query Cast($id: DID!, $first: Int, $after: String) { movie(id: $id) { cast(first: $first, after: $after) ' +
      '{ ...MovieConnection } } }',
    expected: 'readonly cast: ListMethod<CastVariables, MovieConnection, true>;',
  },
];

for (const { name, written, expected } of CASES) {
  test(`writes ${name}`, () => {
    const source = generate(written);
    assert.ok(source.includes(expected), `${source}\nlacks\n${expected}`);
  });
}

test('a document has the path to its result and its fragments', () => {
  const written = 'query Cast($id: DID!) { movie(id: $id) { cast { ...MovieConnection } } }';
  assert.match(
    generate(written),
    /new Document\('query', 'Cast', '[^']+', \['movie', 'cast'\], \[MovieConnectionText, PageInfoText, MovieText,/,
  );
});

test('invalid operations are refused with file and line', () => {
  assert.throws(
    () => generate('query Movie($id: DID!) {\n  movie(id: $id) { colour }\n}'),
    /Cannot query field "colour"[\s\S]*a\.graphql:2/,
  );
  assert.throws(
    () => generate('query Two { movie(id: "a") { id } }\nquery Two { movie(id: "b") { id } }'),
    /only one operation named "Two"/,
  );
});

test('a union needs a written selection', () => {
  const schema = `${SCHEMA} union Found = Movie extend type Query { found: Found }`;
  assert.throws(() => generateClientOperations(schema, []), /has no fragment Found/);
});
