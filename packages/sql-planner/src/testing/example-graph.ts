import { Graph } from '../schema/graph.ts';
import type { EntityRef } from '../schema/types.ts';
import { declareMaker, declareMe } from './example-makers.ts';
import { declareKind, declareMutations } from './example-mutations.ts';
import { declareItems, declareTag, declareThing } from './example-things.ts';
import { newestFirst } from './newest-first.ts';

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

  const Tag = declareTag(graph, Node, () => Thing);
  const Thing: EntityRef = declareThing(graph, { Kind, Node, Fact, Tag, Maker: () => Maker });
  const Item = declareItems(graph, { Node, Tag, Maker: () => Maker });
  const Maker: EntityRef = declareMaker(graph, { Kind, Node, Thing, Tag, Item });
  const Me = declareMe(graph, Maker);

  declareRowQueries(graph, { Me, Node, Maker, Thing });
  declareResolvedQueries(graph);
  declareMutations(graph, { Kind, Thing, Maker, Fact });
  return graph;
}

/** Queries that a statement answers. */
function declareRowQueries(
  graph: Graph,
  { Me, Node, Maker, Thing }: Readonly<Record<'Me' | 'Node' | 'Maker' | 'Thing', EntityRef>>,
): void {
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
}

/** Queries that a function answers. */
function declareResolvedQueries(graph: Graph): void {
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
}
