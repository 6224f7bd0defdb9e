import type { FieldFactory } from '../schema/fields.ts';
import type { Graph } from '../schema/graph.ts';
import type { EntityRef } from '../schema/types.ts';
import type { declareKind } from './example-mutations.ts';
import { newestFirst } from './newest-first.ts';

/** Declares Tag. */
export function declareTag(graph: Graph, Node: EntityRef, Thing: () => EntityRef): EntityRef {
  return graph.entity('Tag', {
    description: 'A word on a thing.',
    table: 'tags',
    interfaces: [Node],
    node: { kinds: ['tag'], where: () => 'true' },
    fields: (f) => ({
      id: f.column({
        type: 'GlobalId',
        description: 'Identifier.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string]) => `tag/${id}`,
      }),
      label: f.column({ type: 'String', description: 'The word.', sql: (s) => `${s.t}.label` }),
      thing: f.one({
        type: Thing,
        description: 'What it is on.',
        on: (child, s) => `${child}.id = ${s.t}.thing_id`,
      }),
    }),
  });
}

interface ThingTypes {
  readonly Kind: ReturnType<typeof declareKind>;
  readonly Node: EntityRef;
  readonly Fact: EntityRef;
  readonly Tag: EntityRef;
  readonly Maker: () => EntityRef;
}

/** Declares Thing, with fields of every kind. */
export function declareThing(graph: Graph, { Kind, Node, Fact, Tag, Maker }: ThingTypes): EntityRef {
  const ThingLooks = declareLooks(graph, Tag);
  return graph.entity('Thing', {
    description: 'A thing.',
    table: 'things',
    interfaces: [Node],
    node: {
      kinds: ['book', 'tool'],
      where: (child, s) =>
        `not ${child}.hidden or ${child}.maker_id in (select id from makers where owner_id = ${s.viewer}.id)`,
    },
    fields: (f) => ({
      id: f.column({
        type: 'GlobalId',
        description: 'Identifier.',
        sql: (s) => [`${s.t}.kind`, `${s.t}.id`],
        read: ([kind, id]: [string, string]) => `${kind.toLowerCase()}/${id}`,
      }),
      kind: f.column({ type: Kind, description: 'Kind.', sql: (s) => `${s.t}.kind` }),
      title: f.column({ type: 'String', description: 'Title.', sql: (s) => `${s.t}.title` }),
      nonEmptyTitle: f.column({
        type: 'String',
        description: 'Title, which must not be empty.',
        sql: (s) => `nullif(${s.t}.title, '')`,
      }),
      weight: f.column({ type: 'BigInt', nullable: true, description: 'Weight.', sql: (s) => `${s.t}.weight` }),
      madeAt: f.column({ type: 'DateTime', description: 'When.', sql: (s) => `${s.t}.made_at` }),
      facts: f.column({
        type: [Fact],
        description: 'Facts.',
        sql: (s) => `${s.t}.facts`,
        read: ([facts]: [Array<{ name: string; value: number }>]) => facts,
      }),
      shout: f.column({
        type: 'String',
        description: 'The title, some times over.',
        args: (t) => ({ times: t.int({ required: true, defaultValue: 2, description: 'How often.' }) }),
        sql: (s, args) => `repeat(${s.t}.title, ${args.param('times', 'int')})`,
      }),
      ...thingRelations(f, { Tag, ThingLooks, Maker }),
    }),
  });
}

function declareLooks(graph: Graph, Tag: EntityRef): EntityRef {
  return graph.part('ThingLooks', {
    description: 'How a thing looks.',
    fields: (f) => ({
      title: f.column({ type: 'String', description: 'Title as seen.', sql: (s) => `'looking at ' || ${s.t}.title` }),
      tags: f.connection({
        type: Tag,
        description: 'Tags, under the looks.',
        where: (child, s) => `${child}.thing_id = ${s.t}.id`,
        order: newestFirst,
        total: (s) => `(select count(*)::int from tags x where x.thing_id = ${s.t}.id)`,
      }),
    }),
  });
}

function thingRelations(
  f: FieldFactory,
  { Tag, ThingLooks, Maker }: Pick<ThingTypes, 'Tag' | 'Maker'> & { readonly ThingLooks: EntityRef },
) {
  return {
    looks: f.embed({ type: ThingLooks, description: 'Looks.' }),
    secretLooks: f.embed({
      type: ThingLooks,
      nullable: true,
      description: 'Looks of hidden things.',
      visibleIf: (s) => `${s.t}.hidden`,
    }),
    maker: f.one({ type: Maker, description: 'Maker.', on: (child, s) => `${child}.id = ${s.t}.maker_id` }),
    newestTag: f.one({
      type: Tag,
      nullable: true,
      description: 'Newest tag.',
      on: (child, s) => `${child}.thing_id = ${s.t}.id`,
      first: { by: newestFirst },
    }),
    tags: f.connection({
      type: Tag,
      description: 'Tags.',
      where: (child, s) => `${child}.thing_id = ${s.t}.id`,
      order: newestFirst,
      total: (s) => `(select count(*)::int from tags x where x.thing_id = ${s.t}.id)`,
    }),
  };
}

type ItemTypes = Pick<ThingTypes, 'Node' | 'Tag' | 'Maker'>;

/** Declares Item, and what implements it. */
export function declareItems(graph: Graph, types: ItemTypes): EntityRef {
  const ItemLooks = graph.supertype('ItemLooks', {
    description: 'How an item looks.',
    typename: (s) => `${s.t}.kind || 'Looks'`,
    fields: (f) => ({
      title: f.column({ type: 'String', description: 'Title as seen.', sql: (s) => `'item ' || ${s.t}.title` }),
    }),
  });
  const Item = declareItem(graph, types, ItemLooks);
  const looksOf = (name: string, field: string) =>
    graph.part(name, {
      description: 'How it looks.',
      interfaces: [ItemLooks],
      fields: (f) => ({
        [field]: f.column({ type: 'String', description: 'Title.', sql: (s) => `'${field} ' || ${s.t}.title` }),
      }),
    });
  const [BookLooks, ToolLooks] = [looksOf('BookLooks', 'cover'), looksOf('ToolLooks', 'handle')];
  graph.entity('Book', {
    description: 'To read.',
    table: 'things',
    interfaces: [Item],
    fields: (f) => ({
      looks: f.embed({ type: BookLooks, description: 'Looks.' }),
      newestTag: f.one({
        type: types.Tag,
        nullable: true,
        description: 'Newest tag.',
        on: (child, s) => `${child}.thing_id = ${s.t}.id`,
        first: { by: newestFirst },
      }),
    }),
  });
  graph.entity('Tool', {
    description: 'To use.',
    table: 'things',
    interfaces: [Item],
    fields: (f) => ({
      title: f.column({ type: 'String', description: 'Title.', sql: (s) => `'tool: ' || ${s.t}.title` }),
      looks: f.embed({ type: ToolLooks, description: 'Looks.' }),
    }),
  });
  return Item;
}

function declareItem(graph: Graph, { Node, Tag, Maker }: ItemTypes, ItemLooks: EntityRef): EntityRef {
  return graph.supertype('Item', {
    description: 'A thing that says what it is.',
    table: 'things',
    typename: (s) => `${s.t}.kind`,
    interfaces: [Node],
    fields: (f) => ({
      id: f.column({
        type: 'GlobalId',
        description: 'Identifier.',
        sql: (s) => [`${s.t}.kind`, `${s.t}.id`],
        read: ([kind, id]: [string, string]) => `${kind.toLowerCase()}/${id}`,
      }),
      title: f.column({ type: 'String', description: 'Title.', sql: (s) => `${s.t}.title` }),
      looks: f.embed({ type: ItemLooks, description: 'Looks.' }),
      maker: f.one({ type: Maker, description: 'Maker.', on: (child, s) => `${child}.id = ${s.t}.maker_id` }),
      tags: f.connection({
        type: Tag,
        description: 'Tags.',
        where: (child, s) => `${child}.thing_id = ${s.t}.id`,
        order: newestFirst,
        total: () => '0',
      }),
    }),
  });
}
