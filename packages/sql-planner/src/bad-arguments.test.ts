import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { CursorCodec } from './statements/cursor.ts';
import { Example } from './testing/example.ts';
import { exampleGraph } from './testing/example-graph.ts';

let example: Example;
before(async () => {
  example = await Example.open(exampleGraph().schema(), { makers: 6, thingsPerMaker: 1, tagsPerThing: 0 });
});
after(() => example.close());

const data = (query: string, variables?: Record<string, unknown>) => example.dataOf(query, variables);

const makerId = (index: number) => `maker/${example.data.makers[index]?.id}`;

describe('bad arguments', () => {
  const cases: Array<[name: string, args: string, field: string]> = [
    ['zero', 'first: 0', 'first'],
    ['negative', 'last: -1', 'last'],
    ['more than 100', 'first: 101', 'first'],
    ['both ends', 'first: 1, last: 1', 'last'],
    ['no cursor', 'after: "x"', 'after'],
    ['an empty cursor', 'before: ""', 'before'],
  ];
  for (const [name, args, field] of cases) {
    test(`${name} (${args}) is refused with field ${field}`, async () => {
      const { errors } = await example.run(`{ makers(${args}) { totalCount edges { node { name } } } }`);
      assert.deepEqual([errors[0]?.code, errors[0]?.field, errors[0]?.path], ['INVALID_ARGUMENT', field, ['makers']]);
    });
  }

  test('an invalid cursor or size is refused for any selection', async () => {
    const below = '{ makers(first: 1) { edges { node { things(ARGS) { totalCount } } } } }';
    for (const [args, field] of [
      ['after: "x"', 'after'],
      ['before: "x"', 'before'],
      ['first: 1, after: $cursor', 'after'],
      ['first: 0', 'first'],
    ] as const) {
      for (const query of ['{ makers(ARGS) { totalCount } }', '{ makers(ARGS) { __typename } }', below]) {
        const named = `${args.includes('$') ? 'query($cursor: String)' : ''}${query.replace('ARGS', args)}`;
        const { errors } = await example.run(named, { cursor: 'x' });
        const { code, field: refused } = errors[0] ?? {};
        assert.deepEqual([code, refused, errors[0]?.path], ['INVALID_ARGUMENT', field, ['makers']], named);
      }
    }
  });

  test('cursors do not change the total', async () => {
    const { makers } = (await data('{ makers(first: 1) { edges { cursor } } }')) as {
      makers: { edges: Array<{ cursor: string }> };
    };
    for (const cursor of [makers.edges[0]?.cursor, null]) {
      const query = 'query($cursor: String) { makers(after: $cursor) { totalCount } }';
      assert.deepEqual(await data(query, { cursor }), { makers: { totalCount: 6 } });
    }
  });

  test('a cursor of another list is refused', async () => {
    const { makers } = (await data('{ makers(first: 1) { edges { cursor } } }')) as {
      makers: { edges: Array<{ cursor: string }> };
    };
    const { errors } = await example.run(
      'query($after: String) { things(after: $after) { edges { node { title } } } }',
      {
        after: makers.edges[0]?.cursor,
      },
    );
    assert.deepEqual([errors[0]?.code, errors[0]?.field], ['INVALID_ARGUMENT', 'after']);
  });

  test('a forged cursor with impossible values is refused', async () => {
    for (const values of [
      ['yesterday', 'x'],
      ['2026-02-31 00:00:00+00', '00000000-0000-0000-0000-000000000000'],
      ['2026-01-01 00:00:00+00', 'x'],
    ]) {
      const { data: found, errors } = await example.run(
        'query($after: String) { makers(after: $after) { edges { node { name } } } me { username } }',
        { after: new CursorCodec('Query.makers', 2).encode(values) },
      );
      assert.deepEqual(
        [found, errors[0]?.code, errors[0]?.path],
        [{ makers: null, me: { username: 'ada' } }, 'INVALID_ARGUMENT', ['makers']],
      );
    }
  });

  test('an identifier of another kind, or none, is refused; an unknown one is not found', async () => {
    const codeFor = async (id: string) => {
      const { data: found, errors } = await example.run('query($id: GlobalId!) { maker(id: $id) { name } }', { id });
      assert.deepEqual(found, { maker: null });
      return [errors[0]?.code, errors[0]?.field];
    };
    assert.deepEqual(await codeFor(`book/${example.data.things[0]?.id}`), ['INVALID_ARGUMENT', 'id']);
    assert.deepEqual(await codeFor('7'), ['INVALID_ARGUMENT', 'id']);
    assert.deepEqual(await codeFor('maker/00000000-0000-7000-8000-000000000000'), ['NOT_FOUND', 'id']);
  });

  test('an invalid argument of one root field does not affect the others', async () => {
    const { data: found, errors } = await example.run('{ maker(id: "7") { name } makers { totalCount } }');
    assert.deepEqual(found, { maker: null, makers: { totalCount: 6 } });
    assert.equal(errors.length, 1);
  });

  test('one of many identifiers that is none is null, and a single one is refused', async () => {
    const many = await example.run('query($ids: [GlobalId!]!) { nodes(ids: $ids) { __typename } }', {
      ids: ['7', makerId(0), 'maker/', '', 'nothing/x'],
    });
    assert.deepEqual([many.errors, many.data], [[], { nodes: [null, { __typename: 'Maker' }, null, null, null] }]);
    const { errors } = await example.run('{ node(id: "7") { __typename } }');
    assert.deepEqual([errors[0]?.code, errors[0]?.field], ['INVALID_ARGUMENT', 'id']);
  });

  test('more than 100 identifiers are refused', async () => {
    const { errors } = await example.run('query($ids: [GlobalId!]!) { nodes(ids: $ids) { id } }', {
      ids: Array(101).fill(makerId(0)),
    });
    assert.deepEqual([errors[0]?.code, errors[0]?.field], ['INVALID_ARGUMENT', 'ids']);
  });
});
