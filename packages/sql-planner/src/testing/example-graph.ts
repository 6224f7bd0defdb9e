import { Graph } from '../schema/graph.ts';
import { declareKind, declareMutations } from './example-mutations.ts';

const newestFirst = (child: string) => [`${child}.made_at`, `${child}.id`];

/** A schema over the example's tables that uses every kind of declaration. */
export function exampleGraph(): Graph {
  const graph = new Graph({ name: 'GlobalId', description: 'Identifier: <kind>/<uuid>.' });

  const Kind = declareKind(graph);
  const Node = graph.interface('Node', {
    description: 'Anything with an identifier.',
    fields: (f) => ({ id: f.field({ type: 'GlobalId', description: 'Identifier.' }) }),
  });
  const Fact = graph.object('Fact', {
    description: 'A fact about a thing.',
    fields: (f) => ({
      name: f.value({ type: 'String', description: 'What it is about.' }),
      value: f.value({ type: 'Int', description: 'How much.' }),
    }),
  });

  const Tag = graph.entity('Tag', {
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
        type: () => Thing,
        description: 'What it is on.',
        on: (child, s) => `${child}.id = ${s.t}.thing_id`,
      }),
    }),
  });

  const ThingLooks = graph.part('ThingLooks', {
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

  const Thing = graph.entity('Thing', {
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
      looks: f.embed({ type: ThingLooks, description: 'Looks.' }),
      secretLooks: f.embed({
        type: ThingLooks,
        nullable: true,
        description: 'Looks of hidden things.',
        visibleIf: (s) => `${s.t}.hidden`,
      }),
      maker: f.one({ type: () => Maker, description: 'Maker.', on: (child, s) => `${child}.id = ${s.t}.maker_id` }),
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
    }),
  });

  const ItemLooks = graph.supertype('ItemLooks', {
    description: 'How an item looks.',
    typename: (s) => `${s.t}.kind || 'Looks'`,
    fields: (f) => ({
      title: f.column({ type: 'String', description: 'Title as seen.', sql: (s) => `'item ' || ${s.t}.title` }),
    }),
  });
  const Item = graph.supertype('Item', {
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
      maker: f.one({ type: () => Maker, description: 'Maker.', on: (child, s) => `${child}.id = ${s.t}.maker_id` }),
      tags: f.connection({
        type: Tag,
        description: 'Tags.',
        where: (child, s) => `${child}.thing_id = ${s.t}.id`,
        order: newestFirst,
        total: () => '0',
      }),
    }),
  });
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
        type: Tag,
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

  const Maker = graph.entity('Maker', {
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
    }),
  });

  const Me = graph.part('Me', {
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

  graph.queryViewer('me', { access: 'read', type: Me, description: 'The viewer.' });
  graph.queryNode({ access: 'read', type: Node, node: 'One object.', nodes: 'Several objects.' });
  graph.queryOne('maker', {
    access: 'read',
    type: Maker,
    description: 'One maker.',
    missing: { field: 'id' },
    args: (t) => ({ id: t.field({ type: 'GlobalId', required: true, description: 'Which.' }) }),
    on: (child, _s, args) => `${child}.id = ${args.id('id', ['maker'])}`,
  });
  graph.queryConnection('makers', {
    access: 'read',
    type: Maker,
    description: 'All makers.',
    where: () => 'true',
    order: newestFirst,
    total: () => '(select count(*)::int from makers)',
  });
  graph.queryConnection('things', {
    access: 'read',
    type: Thing,
    description: 'Things that are not hidden.',
    where: (child) => `not ${child}.hidden`,
    order: newestFirst,
    total: () => '(select count(*)::int from things where not hidden)',
  });
  graph.queryConnection('names', {
    access: 'read',
    type: Maker,
    description: 'Makers by name.',
    where: () => 'true',
    order: { by: (child) => [`${child}.name`], direction: 'asc' },
    total: () => '(select count(*)::int from makers)',
  });
  graph.queryResolve('clock', {
    access: 'read',
    type: 'DateTime',
    description: 'The time.',
    resolve: (context) => context.now,
  });
  graph.queryResolve('broken', {
    access: 'read',
    type: 'String',
    nullable: true,
    description: 'Always fails.',
    resolve: () => Promise.reject(new Error('password=hunter2')),
  });
  graph.queryResolve('slow', {
    access: 'read',
    type: 'String',
    nullable: true,
    description: 'Takes its time.',
    timeoutMs: 20,
    resolve: (context) => new Promise((resolve) => context.signal.addEventListener('abort', () => resolve('late'))),
  });
  graph.queryResolve('secrets', {
    access: 'no one',
    type: 'String',
    nullable: true,
    description: 'Only when signed in.',
    resolve: () => 'secret',
  });

  declareMutations(graph, { Kind, Thing, Maker, Fact });
  return graph;
}
