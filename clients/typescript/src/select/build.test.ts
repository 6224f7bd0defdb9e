import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLNamedType,
  getNamedType,
  isAbstractType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  KnownArgumentNamesRule,
  ProvidedRequiredArgumentsRule,
  parse,
  VariablesInAllowedPositionRule,
  validate,
} from 'graphql';
import { mutation, page, query, type Selected, subscription } from './build.ts';

const RULES = [KnownArgumentNamesRule, ProvidedRequiredArgumentsRule, VariablesInAllowedPositionRule];

/** For selections that the compiler refuses, and those that a test computes. */
const loosely = (selection: object, name?: string) => query(selection as never, name);

describe('a selection', () => {
  for (const [what, document, text, variables] of [
    [
      'of values, objects and arguments',
      query({ content: [{ id: 'a' }, { id: true, metadata: { title: true } }] }),
      'query Content($id:DID){content(id:$id){id metadata{title}}}',
      { id: 'a' },
    ],
    [
      'of the same arguments twice',
      query({ 'a: content': [{ id: 'x' }, { id: true }], 'b: content': [{ id: 'y' }, { id: true }] }),
      'query Content($id:DID,$id2:DID){a: content(id:$id){id} b: content(id:$id2){id}}',
      { id: 'x', id2: 'y' },
    ],
    [
      'of types',
      query({ node: [{ id: 'a' }, { on: { Channel: { name: true }, Feature: { id: true } } }] }),
      'query Node($id:DID!){node(id:$id){...on Channel{name} ...on Feature{id}}}',
      { id: 'a' },
    ],
    ['that a program decides on', query({ me: { id: true, username: false } }), 'query Me{me{id}}', {}],
    [
      'without the arguments that are undefined, and with those that are null',
      query({ contents: [{ first: undefined, after: null }, { totalCount: true }] }),
      'query Contents($after2:String){contents(after:$after2){totalCount}}',
      { after2: null },
    ],
    [
      'of the pages of a list, inside of a list of a fixed size',
      query({
        channels: [{ first: 5 }, { edges: { node: { contents: [page, { totalCount: true }] } } }],
      }),
      'query Channels($first2:Int,$first:Int,$after:String){channels(first:$first2){edges{node' +
        '{contents(first:$first,after:$after){totalCount}}}}}',
      { first2: 5 },
    ],
    [
      'of a mutation, with an input as one variable',
      mutation({ createContent: [{ input: { title: '") { id } }' } }, { id: true }] }, 'Announce'),
      'mutation Announce($input:ContentInput!){createContent(input:$input){id}}',
      { input: { title: '") { id } }' } },
    ],
    [
      'of a subscription',
      subscription({ contentUpdated: [{ id: 'a' }, { status: true }] }),
      'subscription ContentUpdated($id:DID!){contentUpdated(id:$id){status}}',
      { id: 'a' },
    ],
  ] as const)
    test(what, () => {
      assert.equal(`${document}`, text);
      assert.deepEqual(document.variables, variables);
    });

  test('is the same text for other values', () => {
    const texts = ['a', '"b"', 'did:…'].map((id) => `${query({ content: [{ id }, { id: true }] })}`);
    assert.equal(new Set(texts).size, 1);
  });

  for (const [what, selection, name, message] of [
    ['nothing', {}, undefined, 'Select at least one field of query.'],
    ['nothing of an object', { me: { id: false } }, undefined, 'Select at least one field of me.'],
    ['a name with other characters', { 'me{id}#': true }, undefined, /^"me\{id\}#" is not a name/],
    ['an alias with other characters', { '1st: me': { id: true } }, undefined, /^"1st" is not a name/],
    [
      'a type with other characters',
      { node: [{ id: 'a' }, { on: { 'A B': { id: true } } }] },
      undefined,
      /^"A B" is not/,
    ],
    [
      'an argument that no field has',
      { me: [{ colour: 'red' }, { id: true }] },
      undefined,
      'me has no argument colour.',
    ],
    ['an operation with a name of other characters', { me: { id: true } }, 'a b', /^"a b" is not a name/],
  ] as const)
    test(`of ${what} throws`, () => {
      assert.throws(() => loosely(selection, name), { name: 'TypeError', message });
    });
});

test('every argument of the schema becomes a variable of a type that fits', () => {
  const schema = buildSchema(readFileSync(join(import.meta.dirname, '../../../../schema.graphql'), 'utf8'));
  /** Selections that lead to objects of a type, with the arguments that are required on the way. */
  const ways = new Map<string, { kind: typeof query; wrap: (inner: object) => object }>();
  const roots = [
    [schema.getQueryType(), query],
    [schema.getMutationType(), mutation],
    [schema.getSubscriptionType(), subscription],
  ] as const;
  const queue: GraphQLNamedType[] = [];
  for (const [type, kind] of roots)
    if (type) {
      ways.set(type.name, { kind: kind as typeof query, wrap: (inner) => inner });
      queue.push(type);
    }
  const some = (args: readonly GraphQLArgument[]) => Object.fromEntries(args.map(({ name }) => [name, 'x']));
  let checked = 0;
  for (let type = queue.shift(); type; type = queue.shift()) {
    const way = ways.get(type.name);
    if (!way) continue;
    const reach = (next: GraphQLNamedType, wrap: (inner: object) => object) => {
      if (ways.has(next.name)) return;
      ways.set(next.name, { kind: way.kind, wrap });
      queue.push(next);
    };
    if (isAbstractType(type))
      for (const part of schema.getPossibleTypes(type))
        reach(part, (inner) => way.wrap({ on: { [part.name]: inner } }));
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const below = getNamedType(field.type);
      const selected = (inner: object) => {
        const chosen = isLeafType(below) ? [some(field.args)] : [some(field.args), inner];
        return way.wrap({ [field.name]: chosen });
      };
      if (!isLeafType(below)) reach(below, selected);
      if (field.args.length === 0) continue;
      const document: Selected<unknown> = way.kind(selected({ __typename: true }) as never);
      assert.deepEqual(validate(schema, parse(`${document}`), RULES).map(String), [], `${type.name}.${field.name}`);
      checked += field.args.length;
    }
  }
  assert.ok(checked > 500, `${checked} arguments`);
});
