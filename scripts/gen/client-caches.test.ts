import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { nodeTypes } from '@reelgraph/sql-planner';
import { buildSchema, getNamedType, isObjectType } from 'graphql';
import { possibleTypes, typePolicies } from '../../clients/typescript/src/caches/apollo.ts';
import { getDataID } from '../../clients/typescript/src/caches/relay.ts';
import { keys } from '../../clients/typescript/src/caches/urql.ts';
import { platformSchema } from '../../server/src/schema.ts';
import { generateClientCaches } from './client-caches.ts';

const SCHEMA = `
interface Node { id: ID! }
interface Part { size: Int! }
type Book implements Node { id: ID! cover: Cover chapters(sort: Int): [Chapter!]! readers(sort: Int, first: Int,
  after: String, last: Int, before: String): ReaderConnection! }
type Cover implements Part { size: Int! colors: [Color!]! }
type Color { name: String! }
type Chapter { title: String! }
type Appendix implements Part { size: Int! }
type Reader { id: ID! parts: [Part!]! }
type Score { id: ID! points: Int! }
type ReaderConnection { edges: [ReaderEdge!]! pageInfo: PageInfo! }
type ReaderEdge { cursor: String! node: Reader! }
type PageInfo { hasNextPage: Boolean! }
type AddPayload { book: Book score: Score }
type Query { books: [Book!]! scores: [Score!]! }
type Mutation { add: AddPayload }
`;

test('what caches know comes from the schema', () => {
  const text = generateClientCaches(SCHEMA, new Set(['Book']));
  const constant = (name: string) => new RegExp(`const ${name}\\b[^=]*= ([\\s\\S]*?);\\n`).exec(text)?.[1];
  const found = ['PARTS', 'RESPONSE_PARTS', 'OTHER_IDS', 'RESULTS', 'POSSIBLE_TYPES', 'PAGED_LISTS', 'LISTS_OF_PARTS'];
  assert.deepEqual(
    found.map((name) => constant(name)?.replace(/\s+/g, ' ')),
    [
      "[ 'Appendix', 'Chapter', 'Color', 'Cover', ]",
      "[ 'Reader', ]",
      "[ 'Score', ]",
      "[ 'AddPayload', ]",
      "{ Node: ['Book'], Part: ['Appendix', 'Cover'], }",
      "{ Book: { readers: ['sort'], }, }",
      "{ Book: ['chapters'], Cover: ['colors'], Reader: ['parts'], }",
    ],
  );
});

describe('caches of the platform', () => {
  const schema = buildSchema(readFileSync(join(import.meta.dirname, '../../schema.graphql'), 'utf8'));
  const objects = Object.values(schema.getTypeMap()).filter(isObjectType);
  const outputs = objects.filter(({ name }) => !/^(__|(Query|Mutation|Subscription)$)/.test(name));
  const nodes = nodeTypes(platformSchema());

  test('know every object that is part of another', () => {
    const ofPages = /(Connection|Edge)$|^PageInfo$/;
    const withoutId = outputs.filter((type) => !('id' in type.getFields()) && !ofPages.test(type.name));
    const results = new Set(
      Object.values(schema.getMutationType()?.getFields() ?? {}).map(({ type }) => getNamedType(type).name),
    );
    assert.deepEqual(
      withoutId.filter(({ name }) => !typePolicies[name]?.merge && !results.has(name)),
      [],
    );
    assert.deepEqual(
      withoutId.filter(({ name }) => keys[name]?.() !== null),
      [],
    );
    assert.deepEqual(
      ['FeatureMetadata', 'ContentLikes'].map((name) => typePolicies[name]?.merge),
      [true, true],
    );
  });

  test('identify objects by their id only if node(id) returns them, and others within their type', () => {
    const id = 'did:x';
    const shared = outputs.filter((type) => 'id' in type.getFields() && getDataID({ id }, type.name) === id);
    assert.deepEqual(
      shared.map(({ name }) => name),
      [...nodes].sort(),
    );
    assert.deepEqual(
      [getDataID({ id }, 'Me'), getDataID({ id }, 'SearchHit'), getDataID({}, 'Me')],
      [`Me:${id}`, null, null],
    );
    assert.deepEqual(
      objects.filter(({ name }) => nodes.has(name) && (typePolicies[name]?.merge || keys[name])),
      [],
    );
  });

  test('join the pages of every list', () => {
    const lists = [...outputs, schema.getQueryType()].flatMap((type) =>
      Object.values(type?.getFields() ?? {}).flatMap(({ name, type: of }) =>
        /Connection$/.test(getNamedType(of).name) ? [`${type?.name}.${name}`] : [],
      ),
    );
    const withPages = Object.entries(typePolicies).flatMap(([type, { fields = {} }]) =>
      Object.entries(fields).flatMap(([name, { keyArgs }]) => (keyArgs ? [`${type}.${name}`] : [])),
    );
    assert.deepEqual(withPages.sort(), lists.sort());
    assert.deepEqual(
      typePolicies.Query?.fields?.search?.keyArgs?.({ query: 'a', first: 2, after: 'b', filter: null }),
      ['query'],
    );
    assert.deepEqual(possibleTypes.Likeable?.includes('Comment'), true);
  });
});
