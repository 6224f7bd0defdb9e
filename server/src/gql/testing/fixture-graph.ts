import type { EntityRef } from '@reelgraph/sql-planner';
import { AppError } from '../../kernel/errors.ts';
import { fact, type Policy, permission } from '../../kernel/policy.ts';
import { Graph } from '../graph.ts';
import { declareResolvers } from './fixture-resolvers.ts';

const noMaker = (field: string) => new AppError('RESOURCE_NOT_FOUND', undefined, { field });
const OWN_MAKER: Policy<{ readonly own: boolean }> = { missing: noMaker, requires: [permission(fact('own'), noMaker)] };

const newestFirst = (child: string) => [`${child}.made_at`, `${child}.id`];

/** A small schema over the fixture's tables. */
export function fixtureGraph(): Graph {
  const graph = new Graph();
  const Kind = declareKind(graph);
  const Thing: EntityRef = declareThing(graph, () => Maker);
  const Maker: EntityRef = declareMaker(graph, Thing, Kind);
  declareQueries(graph, Thing, Maker);
  declareMutations(graph, { Kind, Thing, Maker });
  declareResolvers(graph);
  return graph;
}

function declareKind(graph: Graph) {
  return graph.builder.enumType('ThingKind', {
    description: 'Kinds of things.',
    values: { Book: { description: 'To read.' }, Tool: { description: 'To use.' } } as const,
  });
}

function declareThing(graph: Graph, Maker: () => EntityRef): EntityRef {
  return graph.entity('Thing', {
    description: 'A thing.',
    table: 'things',
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Identifier.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('feature', id),
      }),
      title: f.column({ type: 'String', description: 'Title.', sql: (s) => `${s.t}.title` }),
      maker: f.one({ type: Maker, description: 'Maker.', on: (child, s) => `${child}.id = ${s.t}.maker_id` }),
    }),
  });
}

function declareMaker(graph: Graph, Thing: EntityRef, Kind: ReturnType<typeof declareKind>): EntityRef {
  return graph.entity('Maker', {
    description: 'Someone who makes things.',
    table: 'makers',
    fields: (f) => ({
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
        total: (s) => `(select count(*)::int from things x where x.maker_id = ${s.t}.id)`,
      }),
    }),
  });
}

function declareQueries(graph: Graph, Thing: EntityRef, Maker: EntityRef): void {
  const Me = graph.part('Me', {
    description: 'The viewer.',
    fields: (f) => ({ username: f.column({ type: 'String', description: 'Name.', sql: (s) => `${s.t}.username` }) }),
  });

  graph.queryViewer('me', { access: 'account:read', type: Me, description: 'The viewer.' });
  graph.queryOne('maker', {
    access: 'channel:read',
    type: Maker,
    description: 'One maker.',
    missing: { field: 'id' },
    args: (t) => ({ id: t.field({ type: 'DID', required: true, description: 'Which.' }) }),
    on: (child, _s, args) => `${child}.id = ${args.id('id', ['channel'])}`,
  });
  graph.queryConnection('makers', {
    access: 'channel:read',
    type: Maker,
    description: 'All makers.',
    where: () => 'true',
    order: newestFirst,
    total: () => '(select count(*)::int from makers)',
  });
  graph.queryConnection('things', {
    access: 'public',
    type: Thing,
    description: 'Things that are not hidden.',
    where: (child) => `not ${child}.hidden`,
    order: newestFirst,
    total: () => '(select count(*)::int from things where not hidden)',
  });
}

interface MutationTypes {
  readonly Kind: ReturnType<typeof declareKind>;
  readonly Thing: EntityRef;
  readonly Maker: EntityRef;
}

function declareMutations(graph: Graph, { Kind, Thing, Maker }: MutationTypes): void {
  const MakeThingInput = graph.builder.inputType('MakeThingInput', {
    description: 'A new thing.',
    fields: (t) => ({
      title: t.string({ required: true, description: 'Title.' }),
      kind: t.field({ type: Kind, description: 'Kind.' }),
      weight: t.field({ type: 'BigInt', description: 'Weight.' }),
    }),
  });
  graph.mutation('makeThing', {
    access: 'content:create',
    description: 'Makes a thing.',
    args: (t) => ({
      maker: t.field({ type: 'DID', required: true, description: 'For whom.' }),
      input: t.field({ type: MakeThingInput, required: true, description: 'What.' }),
    }),
    type: Thing,
    command: async () => '',
  });
  graph.mutation('renameMaker', {
    access: 'content:update',
    description: 'Renames a maker.',
    args: (t) => ({
      id: t.field({ type: 'DID', required: true, description: 'Which.' }),
      name: t.string({ required: true, description: 'New name.' }),
    }),
    type: Maker,
    statement: {
      prepare: (args, env) => ({ id: env.parseDid(args.id, ['channel'], 'id').id, name: args.name }),
      payload: (input) => input.id,
      target: {
        field: 'id',
        from: (s) => `join makers m on m.id = ${s.value((input) => input.id, 'uuid')}`,
        columns: (s) => ({ id: 'm.id', own: `m.owner_id = ${s.viewer}.account_id` }),
      },
      policy: OWN_MAKER,
      writes: (s) => ({
        changed:
          `update makers m set name = ${s.value((input) => input.name)} from permitted t where m.id = t.id ` +
          'returning m.*',
      }),
      row: 'changed',
    },
  });
}
