import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { composeCommand } from './command/compose-command.ts';
import { UNMET } from './execution/execution.ts';
import { Example } from './testing/example.ts';
import { exampleGraph } from './testing/example-graph.ts';
import { examplePorts } from './testing/example-ports.ts';

let example: Example;
before(async () => {
  example = await Example.open(exampleGraph().schema(), { makers: 4, thingsPerMaker: 1, tagsPerThing: 0 });
});
after(() => example.close());

// Ada owns makers 0 and 2.
const makerId = (index: number) => `maker/${example.data.makers[index]?.id}`;
const countThings = async () =>
  Number((await example.db.query<{ n: number }>('select count(*) as n from things'))[0]?.n);

describe('commands that are one statement', () => {
  const MAKE =
    'mutation($maker: GlobalId!, $input: MakeThingInput!) { makeThing(maker: $maker, input: $input) ' +
    '{ id title kind weight madeAt maker { name things(first: 1) { totalCount edges { node { title } } } } } }';

  test('change and respond in one round trip', async () => {
    for (const title of ['first', 'second']) {
      const before = [example.db.roundTrips, example.db.sent.length] as const;
      const found = await example.dataOf(MAKE, { maker: makerId(0), input: { title, kind: 'Tool', weight: 2 ** 50 } });
      const { makeThing } = found as { makeThing: Record<string, unknown> };
      assert.deepEqual([makeThing.title, makeThing.kind, makeThing.weight], [title, 'Tool', 2 ** 50]);
      assert.match(String(makeThing.id), /^tool\//);
      assert.deepEqual([example.db.roundTrips - before[0], example.db.sent.length - before[1]], [1, 2]);
    }
  });

  test('respond from the changed row if nothing else is selected', async () => {
    const statements = async (mutation: string) => {
      const before = [example.db.roundTrips, example.db.sent.length] as const;
      const found = await example.dataOf(mutation);
      return [example.db.roundTrips - before[0], example.db.sent.length - before[1], found];
    };
    const rename = (name: string, selection: string) =>
      `mutation { renameMaker(id: "${makerId(2)}", name: "${name}") { maker { ${selection} } } }`;
    assert.deepEqual(await statements(rename('alone', 'id name')), [
      1,
      1,
      { renameMaker: { maker: { id: makerId(2), name: 'alone' } } },
    ]);
    assert.deepEqual(await statements(rename('with', 'name things { totalCount }')), [
      1,
      2,
      { renameMaker: { maker: { name: 'with', things: { totalCount: 1 } } } },
    ]);
    assert.deepEqual(await statements(rename('again', 'name favourite { title }')), [
      1,
      2,
      { renameMaker: { maker: { name: 'again', favourite: null } } },
    ]);
    const named = `mutation {
      renameMaker(id: "${makerId(2)}", name: "typed") { type: __typename made: maker { __typename name } }
    }`;
    const typed = { type: 'RenameMakerPayload', made: { __typename: 'Maker', name: 'typed' } };
    assert.deepEqual(await statements(named), [1, 1, { renameMaker: typed }]);
    const beside = `mutation { renameMaker(id: "${makerId(2)}", name: "beside") { beside { title } } }`;
    assert.deepEqual(await statements(beside), [1, 2, { renameMaker: { beside: null } }]);
    const twice = `mutation {
      renameMaker(id: "${makerId(2)}", name: "twice") { maker { name } again: maker { id } }
    }`;
    const both = { maker: { name: 'twice' }, again: { id: makerId(2) } };
    assert.deepEqual(await statements(twice), [1, 2, { renameMaker: both }]);
    const touch = `mutation { touchMaker(id: "${makerId(2)}", name: "touched") { name } }`;
    assert.deepEqual(await statements(touch), [1, 1, { touchMaker: { name: 'touched' } }]);
    // No change and no error: the row is read after all.
    assert.deepEqual(await statements(touch), [2, 2, { touchMaker: { name: 'touched' } }]);
  });

  test('read what the removed row belonged to in a second round trip, where it is selected', async () => {
    const made = async () => {
      const found = await example.dataOf(MAKE, { maker: makerId(0), input: { title: 'gone', kind: 'Book' } });
      return (found as { makeThing: { id: string } }).makeThing.id;
    };
    const remove = async (id: string, selection: string) => {
      const before = example.db.roundTrips;
      const found = await example.dataOf(`mutation { removeThing(id: "${id}") { ${selection} } }`);
      return [example.db.roundTrips - before, (found as { removeThing: unknown }).removeThing];
    };
    const things = await countThings();
    const [first, second] = [await made(), await made()];
    assert.deepEqual(await remove(first, 'id'), [1, { id: first }]);
    const [trips, payload] = await remove(second, 'id maker { id things(first: 9) { edges { node { title } } } }');
    assert.equal(trips, 2);
    const { maker } = payload as { maker: { id: string; things: { edges: { node: { title: string } }[] } } };
    assert.equal(maker.id, makerId(0));
    assert.ok(!maker.things.edges.some(({ node }) => node.title === 'gone'));
    assert.equal(await countThings(), things);
  });

  test('refuse other accounts’ rows, and change nothing', async () => {
    const before = await countThings();
    const { data: found, errors } = await example.run(MAKE, { maker: makerId(1), input: { title: 'x' } });
    assert.deepEqual(
      [found, errors[0]?.code, errors[0]?.field, errors[0]?.path],
      [{ makeThing: null }, 'NOT_FOUND', 'maker', ['makeThing']],
    );
    assert.equal(await countThings(), before);
  });

  test('read long texts only of those who may write them', async () => {
    const before = await countThings();
    const make = async (maker: number, title: string) => {
      const sent = example.db.sent.length;
      const { errors } = await example.run(MAKE, { maker: makerId(maker), input: { title } });
      return [errors?.[0]?.code, errors?.[0]?.field, example.db.sent.length - sent];
    };
    const unreadable = (length: number) => ' '.repeat(length);
    assert.deepEqual(await make(1, unreadable(16_384)), ['INVALID_ARGUMENT', 'input.title', 1]);
    // One statement asks for the permission and the sender.
    assert.deepEqual(await make(1, unreadable(16_385)), ['NOT_FOUND', 'maker', 1]);
    assert.deepEqual(await make(0, unreadable(16_385)), ['INVALID_ARGUMENT', 'input.title', 1]);
    assert.equal(await countThings(), before);
    assert.deepEqual(await make(0, 'x'.repeat(16_385)), [undefined, undefined, 3]);
    assert.equal(await countThings(), before + 1);
  });

  test('validate their input before sending statements', async () => {
    const before = example.db.sent.length;
    const { errors } = await example.run(MAKE, { maker: makerId(0), input: { title: '  ' } });
    assert.deepEqual([errors[0]?.code, errors[0]?.field], ['INVALID_ARGUMENT', 'input.title']);
    // Only the sender is authenticated.
    assert.equal(example.db.sent.length - before, 1);
    const wrong = await example.run(MAKE, { maker: 'tag/x', input: { title: 'x' } });
    assert.deepEqual([wrong.errors[0]?.code, wrong.errors[0]?.field], ['INVALID_ARGUMENT', 'maker']);
  });

  test('turn a violated constraint into the error declared for it', async () => {
    const { errors } = await example.run(
      'mutation($id: GlobalId!) { renameMaker(id: $id, name: "maker 1") { maker { name } } }',
      { id: makerId(0) },
    );
    assert.deepEqual([errors[0]?.code, errors[0]?.field], ['CONFLICT', 'name']);
  });

  test('are rolled back when the result violates the condition', async () => {
    const { errors } = await example.run(
      'mutation($id: GlobalId!) { renameMaker(id: $id, name: "joke") { maker { name } } }',
      {
        id: makerId(0),
      },
    );
    assert.deepEqual([errors[0]?.code, errors[0]?.field], ['INVALID_ARGUMENT', 'id']);
    assert.deepEqual(await example.db.query(`select 1 from makers where name = 'joke'`), []);
  });

  test('store texts as they are', async () => {
    const name = `'; drop table makers; -- "ünï" \\ 😀`;
    const query = 'mutation($id: GlobalId!, $name: String!) { renameMaker(id: $id, name: $name) { maker { name } } }';
    assert.deepEqual(await example.dataOf(query, { id: makerId(2), name }), { renameMaker: { maker: { name } } });
  });
});

describe('writes that the policy does not feed', () => {
  const scope = { value: () => '$1', isGiven: () => true, now: '$2', credential: 'token' as const };
  const command = (
    writes: Readonly<Record<string, string>>,
    columns: Readonly<Record<string, string>> = { id: 'm.id', own: 'true' },
  ) => ({
    prepare: () => null,
    payload: () => '',
    target: { field: 'id', columns: () => columns },
    policy: { requires: 'own' },
    writes: () => writes,
  });
  const refused: [name: string, writes: Readonly<Record<string, string>>, message: RegExp][] = [
    [
      'come from the target',
      { changed: 'update makers m set name = $1 from target t where m.id = t.id' },
      /changed reads target/,
    ],
    [
      'look the target up',
      { changed: 'update makers m set name = $1 where m.id in (select id from(target))' },
      /changed reads target/,
    ],
    [
      'come from the viewer',
      { changed: 'delete from makers using allowed a where owner_id = a.account_id' },
      /changed reads allowed/,
    ],
    ['come from nowhere', { changed: 'delete from makers where id = $1' }, /changed does not come from permitted/],
    [
      'come from a write that comes from nowhere',
      { event: 'insert into events select id from changed', changed: 'select id from permitted' },
      /event does not come/,
    ],
    ['replace what the policy permits', { permitted: 'select * from makers' }, /cannot be called permitted/],
  ];
  for (const [name, writes, message] of refused) {
    test(`are refused when the operation is planned: they ${name}`, () => {
      assert.throws(() => composeCommand(command(writes), scope, examplePorts.policies), message);
    });
  }

  test('are refused when the target lacks a fact of the policy', () => {
    assert.throws(
      () => composeCommand(command({}, { id: 'm.id' }), scope, examplePorts.policies),
      /lacks what its policy looks at: own/,
    );
  });
});

describe('commands with a transaction of their own', () => {
  test('return values, and rows by identifier', async () => {
    const found = await example.dataOf(
      `mutation { order(maker: "${makerId(1)}") { note fact { name value } thing { id } maker { name } } }`,
    );
    assert.deepEqual(found, {
      order: { note: 'for ada', fact: { name: 'price', value: 7 }, thing: null, maker: { name: 'maker 1' } },
    });
  });

  test('fail as their field', async () => {
    const { data: found, errors } = await example.run(
      `mutation { order(maker: "${makerId(1)}", fail: true) { note } }`,
    );
    assert.deepEqual([found, errors[0]?.path, errors[0]?.field], [{ order: null }, ['order'], 'fail']);
  });

  test('a payload row that was deleted concurrently is an error, not null', async () => {
    const { data: found, errors } = await example.run(
      'mutation { order(maker: "maker/00000000-0000-7000-8000-000000000000") { maker { name } } }',
    );
    assert.deepEqual(found, { order: null });
    assert.equal(errors[0]?.code, 'INTERNAL');
  });
});

describe('several mutations in one request', () => {
  test('run one after another, each seeing the previous changes', async () => {
    const { data: found, errors } = await example.run(`mutation {
      a: renameMaker(id: "${makerId(0)}", name: "one") { maker { name } }
      forget { ok }
      b: renameMaker(id: "${makerId(2)}", name: "one") { maker { name } }
      c: renameMaker(id: "${makerId(0)}", name: "two") { maker { name } }
    }`);
    assert.deepEqual(found, {
      a: { maker: { name: 'one' } },
      forget: { ok: true },
      b: null,
      c: { maker: { name: 'two' } },
    });
    assert.deepEqual(
      errors.map(({ path, code }) => [path, code]),
      [[['b'], 'CONFLICT']],
    );
    const [row] = await example.db.query<{ name: string }>('select name from makers where id = $1', [
      example.data.makers[0]?.id,
    ]);
    assert.equal(row?.name, 'two');
  });

  test('cost ten points each in addition to their reads', async () => {
    const { cost, points } = await example.run('mutation { a: forget { ok } b: forget { ok } }');
    assert.deepEqual([cost, points], [22, 22]);
  });
});

describe('a precondition', () => {
  const rename = (name: string) => `mutation { limitedRename(id: "${makerId(0)}", name: "${name}") { name } }`;

  test('that is not met has no effect until the caller meets it', async () => {
    await example.db.query('update people set is_limited = true');
    const seen: unknown[] = [];
    const { data } = await example.run(
      rename('limited'),
      {},
      {
        aroundMutation: async (call) => {
          seen.push(call.name, await call.perform(false), call.mayHaveActed);
          return call.perform(true);
        },
      },
    );
    assert.deepEqual(seen, ['limitedRename', UNMET, false]);
    assert.deepEqual(data, { limitedRename: { name: 'limited' } });
  });

  test('that is met costs no second statement', async () => {
    await example.db.query('update people set is_limited = false');
    const before = example.db.sent.length;
    await example.run(rename('free'), {}, { aroundMutation: (call) => call.perform(false) });
    assert.equal(example.db.sent.length - before, 1);
  });
});
