import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { printSchema, validateSchema } from 'graphql';
import { exampleGraph } from '../testing/example-graph.ts';
import { Graph } from './graph.ts';
import { type Lifecycle, lifecycle } from './lifecycle.ts';
import { schemaView } from './rebuild-schema.ts';

const PREVIEW: Lifecycle = { preview: true };
const isPreview = ({ preview }: Lifecycle) => preview === true;

/** A graph whose every kind of element has one in the preview. */
function previewGraph(): Graph {
  const graph = new Graph({ name: 'GlobalId', description: 'Identifier.' });
  const Node = graph.interface('Node', {
    description: 'x',
    fields: (f) => ({ id: f.field({ type: 'GlobalId', description: 'x' }) }),
  });
  const Colour = graph.builder.enumType('Colour', {
    description: 'x',
    values: { RED: { description: 'x' }, GREEN: { description: 'x', ...lifecycle(PREVIEW) } } as const,
  });
  const Shade = graph.builder.enumType('Shade', {
    description: 'x',
    values: { DARK: { description: 'x', ...lifecycle(PREVIEW) } } as const,
  });
  const Filter = graph.builder.inputType('Filter', {
    description: 'x',
    fields: (t) => ({
      colour: t.field({ type: Colour, description: 'x' }),
      shade: t.field({ type: Shade, description: 'x' }),
      size: t.int({ description: 'x', ...lifecycle(PREVIEW) }),
    }),
  });
  const id = { type: 'GlobalId', description: 'x', sql: () => 'x' } as const;
  const Draft = graph.entity('Draft', {
    description: 'x',
    table: 'drafts',
    lifecycle: PREVIEW,
    interfaces: [Node],
    fields: (f) => ({ id: f.column(id) }),
  });
  const Page = graph.entity('Page', {
    description: 'x',
    table: 'pages',
    interfaces: [Node],
    fields: (f) => ({
      id: f.column(id),
      colour: f.column({ type: Colour, description: 'x', sql: () => 'x' }),
      author: f.column({ type: 'String', description: 'x', lifecycle: PREVIEW, sql: () => 'x' }),
      drafts: f.connection({
        type: Draft,
        description: 'x',
        where: () => 'true',
        order: (child) => [`${child}.id`],
        total: () => '0',
      }),
    }),
  });
  const list = { access: 'public', description: 'x', where: () => 'true', total: () => '0' } as const;
  const order = (child: string) => [`${child}.id`];
  graph.queryConnection('drafts', { ...list, type: Draft, order });
  graph.queryConnection('pages', {
    ...list,
    order,
    type: Page,
    args: (t) => ({
      filter: t.field({ type: Filter, description: 'x' }),
      shade: t.field({ type: Shade, description: 'x' }),
      deep: t.boolean({ description: 'x', ...lifecycle(PREVIEW) }),
    }),
  });
  graph.queryResolve('shaded', {
    access: 'public',
    type: 'Boolean',
    description: 'x',
    args: (t) => ({ shade: t.field({ type: Shade, required: true, description: 'x' }) }),
    resolve: () => true,
  });
  graph.mutation('makeDraft', {
    access: 'public',
    description: 'x',
    type: Draft,
    command: async () => '',
  });
  return graph;
}

const withoutDescriptions = (text: string) => text.replace(/ *"""[\s\S]*?"""\n/g, '').replaceAll('\n\n  ', '\n  ');

describe('a view of a schema', () => {
  test('lacks hidden elements, what needs them, and what nothing leads to', () => {
    const view = schemaView(previewGraph().schema(), isPreview);
    assert.deepEqual(validateSchema(view), []);
    assert.equal(
      withoutDescriptions(printSchema(view)),
      `directive @semanticNonNull(
  levels: [Int!]! = [0]
) on FIELD_DEFINITION

enum Colour {
  RED
}

input Filter {
  colour: Colour
}

scalar GlobalId

interface Node {
  id: GlobalId!
}

type Page implements Node {
  colour: Colour!
  id: GlobalId!
}

type PageConnection {
  edges: [PageEdge!]!
  pageInfo: PageInfo!
  totalCount: Int!
}

type PageEdge {
  cursor: String!
  node: Page!
}

type PageInfo {
  endCursor: String
  hasNextPage: Boolean!
  hasPreviousPage: Boolean!
  startCursor: String
}

type Query {
  pages(
    after: String
    before: String
    filter: Filter
    first: Int
    last: Int
  ): PageConnection
}`,
    );
  });

  test('keeps what declarations attached, descriptions and the scalars themselves', () => {
    const schema = previewGraph().schema();
    const view = schemaView(schema, isPreview);
    const [whole, part] = [schema, view].map((each) => each.getQueryType()?.getFields()['pages']);
    assert.equal(part?.extensions.plan, whole?.extensions.plan);
    assert.equal(part?.extensions.access, 'public');
    assert.equal(part?.description, 'x');
    assert.equal(view.getType('GlobalId'), schema.getType('GlobalId'));
  });

  test('sends values of an enum that it lacks, and does not take them', () => {
    const Colour = schemaView(previewGraph().schema(), isPreview).getType('Colour');
    assert.ok(Colour && 'serialize' in Colour);
    assert.equal(Colour.serialize('GREEN'), 'GREEN');
    assert.throws(() => Colour.parseValue('GREEN'), /Value "GREEN" does not exist/);
  });

  test('is the schema itself when nothing is hidden', () => {
    const schema = exampleGraph().schema();
    assert.equal(
      schemaView(schema, () => true),
      schema,
    );
    const other = previewGraph().schema();
    assert.equal(
      schemaView(other, () => false),
      other,
    );
  });

  test('does not exist for a type of rows that all versions list', () => {
    const graph = new Graph({ name: 'GlobalId', description: 'x' });
    const fields = (f: Parameters<Parameters<Graph['entity']>[1]['fields']>[0]) => ({
      id: f.column({ type: 'GlobalId', description: 'x', sql: (s) => `${s.t}.id` }),
    });
    const Any = graph.supertype('Any', { description: 'x', table: 'rows', typename: () => "'One'", fields });
    graph.entity('One', { description: 'x', table: 'rows', lifecycle: PREVIEW, interfaces: [Any], fields });
    graph.queryOne('any', { access: 'public', type: Any, description: 'x', missing: 'null', on: () => 'true' });
    assert.throws(() => graph.schema(), /One is in lists of Any in all versions/);
  });
});
