import { randomUUID } from 'node:crypto';
import type { Graph } from '../schema/graph.ts';
import type { EntityRef } from '../schema/types.ts';
import { ExampleError, type ExamplePolicy, ids } from './example-ports.ts';

const ANY_MAKER: ExamplePolicy = { requires: null };
const OWN_MAKER: ExamplePolicy = { requires: 'own' };

/** Input and payload types of the example's mutations. */
interface ExampleTypes {
  readonly Kind: ReturnType<typeof declareKind>;
  readonly Thing: EntityRef;
  readonly Maker: EntityRef;
  readonly Fact: EntityRef;
}

export function declareKind({ builder }: Graph) {
  return builder.enumType('ThingKind', {
    description: 'Kinds of things.',
    values: { Book: { description: 'To read.' }, Tool: { description: 'To use.' } } as const,
  });
}

/**
 * Mutations of every kind: one statement, with and without its row, with a precondition, with a transaction, without
 * rows.
 */
export function declareMutations(graph: Graph, types: ExampleTypes): void {
  declareMakeThing(graph, types);
  declareRemoveThing(graph, types);
  declareRenameMaker(graph, types);
  declareOtherRenames(graph, types);
  declareCommands(graph, types);
}

function declareMakeThing(graph: Graph, { Kind, Thing }: ExampleTypes): void {
  const MakeThingInput = graph.builder.inputType('MakeThingInput', {
    description: 'A new thing.',
    fields: (t) => ({
      title: t.string({ required: true, description: 'Title.' }),
      kind: t.field({ type: Kind, description: 'Kind.' }),
      weight: t.field({ type: 'BigInt', description: 'Weight.' }),
    }),
  });
  graph.mutation('makeThing', {
    access: 'write',
    description: 'Makes a thing.',
    args: (t) => ({
      maker: t.field({ type: 'GlobalId', required: true, description: 'For whom.' }),
      input: t.field({ type: MakeThingInput, required: true, description: 'What.' }),
    }),
    type: Thing,
    statement: {
      prepare: (args) => ({
        id: randomUUID(),
        maker: ids.require(args.maker, ['maker'], 'maker').id,
        title: '',
        kind: args.input.kind ?? 'Book',
        weight: args.input.weight ?? null,
      }),
      parse: async (prepared, { input: { title } }) => {
        if (title.trim() === '') throw new ExampleError('INVALID_ARGUMENT', 'input.title');
        return { ...prepared, title };
      },
      payload: (input) => input.id,
      target: {
        field: 'maker',
        from: (s) => `join makers m on m.id = ${s.value((input) => input.maker, 'uuid')}`,
        columns: (s) => ({ id: 'm.id', own: `m.owner_id = ${s.viewer}.id` }),
      },
      policy: OWN_MAKER,
      writes: (s) => ({
        made: `insert into things (id, maker_id, kind, title, weight, made_at)
               select ${s.value((input) => input.id, 'uuid')}, permitted.id, ${s.value((input) => input.kind)},
                 ${s.value((input) => input.title)}, ${s.value((input) => input.weight, 'bigint')}, ${s.now}
                 from permitted returning id`,
      }),
    },
  });
}

function declareRemoveThing(graph: Graph, { Maker }: ExampleTypes): void {
  graph.mutation('removeThing', {
    access: 'write',
    description: 'Removes a thing.',
    args: (t) => ({ id: t.field({ type: 'GlobalId', required: true, description: 'Which.' }) }),
    payload: (f) => ({
      id: f.value({ type: 'GlobalId', description: 'Which it was.' }),
      maker: f.read({ type: Maker, description: 'Its maker.' }),
    }),
    statement: {
      prepare: (args) => ids.require(args.id, ['book', 'tool'], 'id'),
      payload: ({ kind, id }, _env, { maker_id: maker }) => ({ id: `${kind}/${id}`, maker }),
      target: {
        field: 'id',
        from: (s) => `
          join things h on h.id = ${s.value((input) => input.id, 'uuid')} join makers m on m.id = h.maker_id`,
        columns: (s) => ({ id: 'h.id', maker_id: 'm.id', own: `m.owner_id = ${s.viewer}.id` }),
        payloadColumns: ['maker_id'],
      },
      policy: OWN_MAKER,
      writes: () => ({ removed: 'delete from things h using permitted t where h.id = t.id' }),
    },
  });
}

function declareRenameMaker(graph: Graph, { Thing, Maker }: ExampleTypes): void {
  graph.mutation('renameMaker', {
    access: 'write',
    description: 'Renames a maker.',
    args: (t) => ({
      id: t.field({ type: 'GlobalId', required: true, description: 'Which.' }),
      name: t.string({ required: true, description: 'New name.' }),
    }),
    payload: (f) => ({
      maker: f.read({ type: Maker, description: 'The maker.' }),
      beside: f.read({ type: Thing, nullable: true, description: 'Nothing.' }),
    }),
    statement: {
      prepare: (args) => ({ id: ids.require(args.id, ['maker'], 'id').id, name: args.name }),
      payload: (input) => input.id,
      target: {
        field: 'id',
        from: (s) => `join makers m on m.id = ${s.value((input) => input.id, 'uuid')}`,
        columns: (s) => ({ id: 'm.id', own: `m.owner_id = ${s.viewer}.id` }),
      },
      policy: OWN_MAKER,
      writes: (s) => ({
        changed:
          `update makers m set name = ${s.value((input) => input.name)} from permitted t where m.id = t.id ` +
          'returning m.*',
      }),
      row: 'changed',
      ensures: [
        {
          name: 'serious',
          that: `select name <> 'joke' from changed`,
          otherwise: (field) => new ExampleError('INVALID_ARGUMENT', field, 'No jokes.'),
        },
      ],
      conflicts: { makers_name_key: () => new ExampleError('CONFLICT', 'name') },
    },
  });
}

/** Renames without a change and under a precondition. */
function declareOtherRenames(graph: Graph, { Maker }: ExampleTypes): void {
  graph.mutation('touchMaker', {
    access: 'write',
    description: 'Renames a maker that has no such name yet; the name it has is fine too.',
    args: (t) => ({
      id: t.field({ type: 'GlobalId', required: true, description: 'Which.' }),
      name: t.string({ required: true, description: 'New name.' }),
    }),
    type: Maker,
    statement: {
      prepare: (args) => ({ id: ids.require(args.id, ['maker'], 'id').id, name: args.name }),
      payload: (input) => input.id,
      target: {
        field: 'id',
        from: (s) => `join makers m on m.id = ${s.value((input) => input.id, 'uuid')}`,
        columns: () => ({ id: 'm.id' }),
      },
      policy: ANY_MAKER,
      writes: (s) => ({
        changed: `update makers m set name = ${s.value((input) => input.name)} from permitted t
                  where m.id = t.id and m.name <> ${s.value((input) => input.name)} returning m.*`,
      }),
      row: 'changed',
    },
  });

  graph.mutation(
    'limitedRename',
    {
      access: 'write',
      description: 'Renames a maker, under a precondition.',
      args: (a) => ({
        id: a.field({ type: 'GlobalId', required: true, description: 'Which.' }),
        name: a.string({ required: true, description: 'New name.' }),
      }),
      type: Maker,
      statement: {
        prepare: (args) => ({ id: ids.require(args.id, ['maker'], 'id').id, name: args.name }),
        payload: (input) => input.id,
        target: {
          field: 'id',
          from: (s) => `join makers m on m.id = ${s.value((input) => input.id, 'uuid')}`,
          columns: () => ({ id: 'm.id' }),
        },
        policy: ANY_MAKER,
        writes: (s) => ({
          changed:
            `update makers m set name = ${s.value((input) => input.name)} from permitted t where m.id = t.id ` +
            'returning m.*',
        }),
        row: 'changed',
      },
    },
    'limited',
  );
}

/** Mutations with a transaction of their own, and without rows. */
function declareCommands(graph: Graph, { Thing, Maker, Fact }: ExampleTypes): void {
  const Receipt = graph.object('Receipt', {
    description: 'What was done.',
    fields: (f) => ({
      thing: f.read({ type: Thing, nullable: true, description: 'The thing.' }),
      maker: f.read({ type: Maker, description: 'Its maker.' }),
      note: f.value({ type: 'String', description: 'A note.' }),
      fact: f.value({ type: Fact, nullable: true, description: 'A fact.' }),
    }),
  });
  graph.mutation('order', {
    access: 'write',
    description: 'Orders a thing, in a transaction of its own.',
    args: (t) => ({
      maker: t.field({ type: 'GlobalId', required: true, description: 'From whom.' }),
      fail: t.boolean({ description: 'Fail.' }),
    }),
    type: Receipt,
    command: async (context, args) => {
      if (args.fail) throw new ExampleError('INVALID_ARGUMENT', 'fail', 'fail is true.');
      const maker = ids.require(args.maker, ['maker'], 'maker').id;
      return { thing: null, maker, note: `for ${context.viewer?.username}`, fact: { name: 'price', value: 7 } };
    },
  });
  graph.mutation('forget', {
    access: 'write',
    description: 'Returns nothing but values.',
    type: graph.object('Forgotten', {
      description: 'Done.',
      fields: (f) => ({ ok: f.value({ type: 'Boolean', description: 'Whether.' }) }),
    }),
    command: async () => ({ ok: true }),
  });
}
