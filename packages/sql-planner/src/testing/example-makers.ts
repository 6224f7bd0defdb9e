import type { FieldFactory } from '../schema/fields.ts';
import type { Graph } from '../schema/graph.ts';
import type { EntityRef } from '../schema/types.ts';
import type { declareKind } from './example-mutations.ts';
import { newestFirst } from './newest-first.ts';

interface MakerTypes {
  readonly Kind: ReturnType<typeof declareKind>;
  readonly Node: EntityRef;
  readonly Thing: EntityRef;
  readonly Tag: EntityRef;
  readonly Item: EntityRef;
}

/** Declares Maker, with lists of every kind. */
export function declareMaker(graph: Graph, types: MakerTypes): EntityRef {
  const { Node, Thing } = types;
  return graph.entity('Maker', {
    description: 'Someone who makes things.',
    table: 'makers',
    interfaces: [Node],
    node: { kinds: ['maker'], where: () => 'true' },
    fields: (f) => ({
      id: f.column({
        type: 'GlobalId',
        description: 'Identifier.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string]) => `maker/${id}`,
      }),
      name: f.column({ type: 'String', description: 'Name.', sql: (s) => `${s.t}.name` }),
      favourite: f.one({
        type: Thing,
        nullable: true,
        description: 'Best thing.',
        on: (child, s) => `${child}.id = ${s.t}.favourite_id`,
      }),
      ...makerLists(f, types),
    }),
  });
}

function makerLists(f: FieldFactory, { Kind, Thing, Tag, Item }: MakerTypes) {
  return {
    things: f.connection({
      type: Thing,
      description: 'Things.',
      args: (t) => ({
        kind: t.field({ type: Kind, description: 'Only these.' }),
        like: t.string({ description: 'Only titles with this.' }),
      }),
      where: (child, s, args) =>
        [
          `${child}.maker_id = ${s.t}.id`,
          ...(args.given('kind') ? [`${child}.kind = ${args.param('kind')}`] : []),
          ...(args.given('like') ? [`strpos(${child}.title, ${args.param('like')}) > 0`] : []),
        ].join(' and '),
      order: newestFirst,
      total: (s, args) =>
        `(select count(*)::int from things x where x.maker_id = ${s.t}.id and ` +
        `(${args.param('kind')}::text is null or x.kind = ${args.param('kind')}))`,
    }),
    tags: f.connection({
      type: Tag,
      description: 'Tags on things.',
      where: (child, s) => `${child}.maker_id = ${s.t}.id`,
      order: newestFirst,
      total: (s) => `(select count(*)::int from tags x where x.maker_id = ${s.t}.id)`,
    }),
    hiddenThings: f.connection({
      type: Thing,
      nullable: true,
      description: 'Hidden things, for the owner.',
      where: (child, s) => `${child}.maker_id = ${s.t}.id and ${child}.hidden`,
      order: newestFirst,
      total: (s) => `(select count(*)::int from things x where x.maker_id = ${s.t}.id and x.hidden)`,
      visibleIf: (s) => `${s.t}.owner_id = ${s.viewer}.id`,
    }),
    items: f.connection({
      type: Item,
      description: 'Things as items.',
      where: (child, s) => `${child}.maker_id = ${s.t}.id`,
      order: newestFirst,
      total: () => '0',
    }),
  };
}

/** Declares Me: the viewer. */
export function declareMe(graph: Graph, Maker: EntityRef): EntityRef {
  return graph.part('Me', {
    description: 'The viewer.',
    fields: (f) => ({
      username: f.column({ type: 'String', description: 'Name.', sql: (s) => `${s.t}.username` }),
      makers: f.connection({
        type: Maker,
        description: 'Own makers.',
        where: (child, s) => `${child}.owner_id = ${s.t}.id`,
        order: newestFirst,
        total: (s) => `(select count(*)::int from makers x where x.owner_id = ${s.t}.id)`,
      }),
    }),
  });
}
