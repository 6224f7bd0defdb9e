import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { GraphQLObjectType, GraphQLSchema, GraphQLString, printSchema } from 'graphql';
import { exampleGraph } from '../testing/example-graph.ts';
import { checkSchema } from './build-schema.ts';
import { Graph } from './graph.ts';
import { printWithNullability } from './semantic-non-null.ts';

const newGraph = () => new Graph({ name: 'GlobalId', description: 'x' });

describe('building a schema', () => {
  test('creates connections, edges and page information with descriptions', () => {
    const text = printSchema(exampleGraph().schema());
    assert.match(
      text,
      /type MakerConnection \{[^}]*edges: \[MakerEdge!\]![^}]*pageInfo: PageInfo![^}]*totalCount: Int!/,
    );
    assert.match(text, /type MakerEdge \{[^}]*cursor: String![^}]*node: Maker!/);
    assert.match(text, /nodes\([^)]*\): \[Node\]\n/);
  });

  test('makes every root field nullable, and marks those that are null only with an error', () => {
    const text = printWithNullability(exampleGraph().schema());
    assert.match(text, /^ {2}renameMaker\([^)]*\): RenameMakerPayload @semanticNonNull$/m);
    assert.match(text, /^ {2}nodes\([^)]*\): \[Node\] @semanticNonNull$/m);
    assert.match(text, /^ {2}node\([^)]*\): Node$/m);
    assert.match(text, /^ {2}name: String!$/m);
  });

  test('keeps the access of each root field', () => {
    const schema = exampleGraph().schema();
    for (const type of [schema.getQueryType(), schema.getMutationType()]) {
      for (const field of Object.values(type?.getFields() ?? {}))
        assert.equal(typeof field.extensions.access, 'string', field.name);
    }
  });

  test('fails without a description', () => {
    const graph = newGraph();
    graph.queryResolve('a', { access: 'public', type: 'String', description: ' ', resolve: () => 'x' });
    assert.throws(() => graph.schema(), /Query\.a has no description/);
  });

  test('fails without a description of an argument or enum value', () => {
    const graph = newGraph();
    const Colour = graph.builder.enumType('Colour', { description: 'Colours.', values: ['RED'] as const });
    graph.queryResolve('a', {
      access: 'public',
      type: Colour,
      description: 'x',
      args: (t) => ({ dark: t.boolean({}) }),
      resolve: () => 'RED',
    });
    assert.throws(
      () => graph.schema(),
      (error) =>
        error instanceof Error &&
        error.message.includes('Colour.RED has no description') &&
        error.message.includes('Query.a(dark) has no description'),
    );
  });

  test('fails when a root field declares no access', () => {
    const query = new GraphQLObjectType({
      name: 'Query',
      description: 'x',
      fields: { open: { type: GraphQLString, description: 'x' } },
    });
    assert.throws(() => checkSchema(new GraphQLSchema({ query })), /Query\.open states no access/);
  });

  test('fails when a type omits a field of its interface', () => {
    const graph = newGraph();
    const Named = graph.interface('Named', {
      description: 'x',
      fields: (f) => ({ name: f.field({ type: 'String', description: 'x' }) }),
    });
    const Cat = graph.entity('Cat', { description: 'x', table: 'cats', interfaces: [Named], fields: () => ({}) });
    graph.queryOne('cat', { access: 'public', type: Cat, description: 'x', missing: 'null', on: () => 'true' });
    assert.throws(() => graph.schema(), /Cat\.name has no plan/);
  });

  test('rejects duplicate names, and declarations after the build', () => {
    const graph = newGraph();
    const declare = () =>
      graph.queryResolve('a', { access: 'public', type: 'String', description: 'x', resolve: () => 'x' });
    declare();
    assert.throws(declare, /declared twice/);
    graph.schema();
    assert.throws(
      () => graph.queryResolve('b', { access: 'public', type: 'String', description: 'x', resolve: () => 'x' }),
      /after the schema was built/,
    );
  });

  test('adds fields of a later declaration to a type', () => {
    const graph = newGraph();
    const Cat = graph.entity('Cat', {
      description: 'x',
      table: 'cats',
      fields: (f) => ({ a: f.column({ type: 'String', description: 'x', sql: () => '1' }) }),
    });
    graph.queryOne('cat', { access: 'public', type: Cat, description: 'x', missing: 'null', on: () => 'true' });
    graph.extend(Cat, (f) => ({ b: f.column({ type: 'String', description: 'x', sql: () => '2' }) }));
    assert.match(printSchema(graph.schema()), /type Cat \{[^}]*a: String![^}]*b: String!/);
  });

  test('requires exactly one kind of command', () => {
    const graph = newGraph();
    const Done = graph.object('Done', {
      description: 'x',
      fields: (f) => ({ ok: f.value({ type: 'Boolean', description: 'x' }) }),
    });
    assert.throws(
      () => graph.mutation('go', { access: 'content:create', description: 'x', type: Done }),
      /either command or statement/,
    );
  });
});
