import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { AppError } from '../kernel/errors.ts';
import { fact, permission } from '../kernel/policy.ts';
import { composeCommand } from '../../../sql-planner/src/command/compose-command.ts';
import { makeToyGraph } from './testing/fixture-graph.ts';
import { openToyWorld, type ToyWorld } from './testing/fixtures.ts';

let world: ToyWorld;
before(async () => {
  world = await openToyWorld(makeToyGraph().schema(), { makers: 4, thingsPerMaker: 1, tagsPerThing: 0 });
});
after(() => world.close());

// Ada owns makers 0 and 2.
const makerDid = (index: number) => `did:toys:channel/${world.data.makers[index]?.id}`;
const countThings = async () =>
  Number((await world.db.first<{ n: number }>({ name: 'count', text: 'select count(*) as n from things' }, []))?.n);

describe('commands that are one statement', () => {
  const MAKE =
    'mutation($maker: DID!, $input: MakeThingInput!) { makeThing(maker: $maker, input: $input) { id title kind weight madeAt maker { name things(first: 1) { totalCount edges { node { title } } } } } }';

  test('change and answer in one round trip', async () => {
    for (const title of ['first', 'second']) {
      const before = { ...world.db.statistics };
      const { body } = await world.run(MAKE, { maker: makerDid(0), input: { title, kind: 'Tool', weight: 2 ** 50 } });
      assert.equal(body.errors, undefined, JSON.stringify(body.errors));
      const { makeThing } = body.data as { makeThing: Record<string, unknown> };
      assert.deepEqual([makeThing.title, makeThing.kind, makeThing.weight], [title, 'Tool', 2 ** 50]);
      assert.match(String(makeThing.id), /^did:toys:content\/short\//);
      assert.deepEqual([world.db.statistics.roundTrips - before.roundTrips, world.db.statistics.statements - before.statements], [1, 2]);
    }
  });

  test('answer from the changed row itself where nothing else is asked for', async () => {
    const statements = async (mutation: string) => {
      const before = { ...world.db.statistics };
      const { body } = await world.run(mutation);
      assert.equal(body.errors, undefined, JSON.stringify(body.errors));
      return [
        world.db.statistics.roundTrips - before.roundTrips,
        world.db.statistics.statements - before.statements,
        JSON.parse(JSON.stringify(body.data)),
      ];
    };
    const rename = (name: string, selection: string) => `mutation { renameMaker(id: "${makerDid(2)}", name: "${name}") { ${selection} } }`;
    assert.deepEqual(await statements(rename('alone', 'id name')), [1, 1, { renameMaker: { id: makerDid(2), name: 'alone' } }]);
    assert.deepEqual(await statements(rename('with', 'name things { totalCount }')), [
      1,
      2,
      { renameMaker: { name: 'with', things: { totalCount: 1 } } },
    ]);
    assert.deepEqual(await statements(rename('again', 'name favourite { title }')), [
      1,
      2,
      { renameMaker: { name: 'again', favourite: null } },
    ]);
    const touch = `mutation { touchMaker(id: "${makerDid(2)}", name: "touched") { name } }`;
    assert.deepEqual(await statements(touch), [1, 1, { touchMaker: { name: 'touched' } }]);
    // Nothing was changed and nothing was wrong: the row is read after all.
    assert.deepEqual(await statements(touch), [2, 2, { touchMaker: { name: 'touched' } }]);
  });

  test('refuse what belongs to someone else, and change nothing', async () => {
    const before = await countThings();
    const { body, failure } = await world.run(MAKE, { maker: makerDid(1), input: { title: 'x' } });
    assert.equal(failure, null);
    assert.deepEqual(
      [body.data, body.errors?.[0]?.extensions?.code, body.errors?.[0]?.extensions?.field, body.errors?.[0]?.path],
      [null, 'RESOURCE_NOT_FOUND', 'maker', ['makeThing']],
    );
    assert.equal(await countThings(), before);
  });

  test('check their input before anything is sent', async () => {
    const before = world.db.statistics.statements;
    const { body } = await world.run(MAKE, { maker: makerDid(0), input: { title: '  ' } });
    assert.deepEqual([body.errors?.[0]?.extensions?.code, body.errors?.[0]?.extensions?.field], ['FIELD_REQUIRED', 'input.title']);
    // Only who asked is found out.
    assert.equal(world.db.statistics.statements - before, 1);
    const wrong = await world.run(MAKE, { maker: 'did:toys:job/x', input: { title: 'x' } });
    assert.deepEqual([wrong.body.errors?.[0]?.extensions?.code, wrong.body.errors?.[0]?.extensions?.field], ['INVALID_INPUT', 'maker']);
  });

  test('turn a violated constraint into the error declared for it', async () => {
    const { body } = await world.run('mutation($id: DID!) { renameMaker(id: $id, name: "maker 1") { name } }', { id: makerDid(0) });
    assert.deepEqual([body.errors?.[0]?.extensions?.code, body.errors?.[0]?.extensions?.field], ['RESOURCE_ALREADY_EXISTS', 'name']);
  });

  test('are undone where what was written is not what it had to be', async () => {
    const { body } = await world.run('mutation($id: DID!) { renameMaker(id: $id, name: "joke") { name } }', { id: makerDid(0) });
    assert.deepEqual([body.errors?.[0]?.extensions?.code, body.errors?.[0]?.extensions?.field], ['INVALID_INPUT', 'id']);
    assert.deepEqual(await world.db.run({ name: 'jokes', text: `select 1 from makers where name = 'joke'` }, []), []);
  });

  test('store texts as they are', async () => {
    const name = `'; drop table makers; -- "ünï" \\ 😀`;
    const { body } = await world.run('mutation($id: DID!, $name: String!) { renameMaker(id: $id, name: $name) { name } }', {
      id: makerDid(2),
      name,
    });
    assert.deepEqual(JSON.parse(JSON.stringify(body.data)), { renameMaker: { name } });
  });
});

describe('writes that the policy does not feed', () => {
  const scope = { value: () => '$1', now: '$2' };
  const command = (writes: Readonly<Record<string, string>>, columns: Readonly<Record<string, string>> = { id: 'm.id', own: 'true' }) => ({
    prepare: () => null,
    payload: () => '',
    target: { field: 'id', columns: () => columns },
    policy: {
      missing: () => new AppError('RESOURCE_NOT_FOUND'),
      requires: [permission<{ own: boolean }>(fact('own'), () => new AppError('UNAUTHORIZED'))],
    },
    writes: () => writes,
  });
  const refused: [name: string, writes: Readonly<Record<string, string>>, message: RegExp][] = [
    ['come from the target', { changed: 'update makers m set name = $1 from target t where m.id = t.id' }, /changed reads target/],
    ['look the target up', { changed: 'update makers m set name = $1 where m.id in (select id from(target))' }, /changed reads target/],
    ['come from the viewer', { changed: 'delete from makers using allowed a where owner_id = a.account_id' }, /changed reads allowed/],
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
      assert.throws(() => composeCommand(command(writes), scope), message);
    });
  }

  test('are refused where the target lacks a fact that the policy looks at', () => {
    assert.throws(() => composeCommand(command({}, { id: 'm.id' }), scope), /lacks what its policy looks at: own/);
  });
});

describe('commands with a transaction of their own', () => {
  test('answer with values and with rows read by the identifiers they return', async () => {
    const { body } = await world.run(
      `mutation { order(maker: "${makerDid(1)}") { note fact { name value } thing { id } maker { name } } }`,
    );
    assert.deepEqual(JSON.parse(JSON.stringify(body.data)), {
      order: { note: 'for ada', fact: { name: 'price', value: 7 }, thing: null, maker: { name: 'maker 1' } },
    });
  });

  test('fail as their field', async () => {
    const { body } = await world.run(`mutation { order(maker: "${makerDid(1)}", fail: true) { note } }`);
    assert.deepEqual([body.data, body.errors?.[0]?.path, body.errors?.[0]?.extensions?.field], [null, ['order'], 'fail']);
  });

  test('a payload row that is gone meanwhile is an error, not a hole', async () => {
    const { body } = await world.run(
      'mutation { order(maker: "did:toys:channel/00000000-0000-7000-8000-000000000000") { maker { name } } }',
    );
    assert.equal(body.data, null);
    assert.equal(body.errors?.[0]?.extensions?.code, 'INTERNAL_SERVER_ERROR');
  });
});

describe('several mutations in one request', () => {
  test('run one after another, each seeing what the ones before did', async () => {
    const { body } = await world.run(`mutation {
      a: renameMaker(id: "${makerDid(0)}", name: "one") { name }
      forget { ok }
      b: renameMaker(id: "${makerDid(2)}", name: "one") { name }
      c: renameMaker(id: "${makerDid(0)}", name: "two") { name }
    }`);
    // b is non-null and fails, so data is null; that a and c were done shows in the database.
    assert.deepEqual(
      body.errors?.map((error) => [error.path, error.extensions?.code]),
      [[['b'], 'RESOURCE_ALREADY_EXISTS']],
    );
    const row = await world.db.first<{ name: string }>({ name: 'one', text: 'select name from makers where id = $1' }, [
      world.data.makers[0]?.id,
    ]);
    assert.equal(row?.name, 'two');
  });

  test('cost ten points each besides what they read', async () => {
    const { body } = await world.run('mutation { a: forget { ok } b: forget { ok } }');
    assert.deepEqual([body.extensions.cost.requested, body.extensions.cost.actual], [22, 22]);
  });
});
