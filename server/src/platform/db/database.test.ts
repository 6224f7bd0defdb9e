import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { appErrorOf, translate } from '../../kernel/database-errors.ts';
import { AppError, StorageFullError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { sql } from './statement.ts';
import { createTestDatabase, type TestDatabase } from './testing.ts';
import { instantFromPostgres, instantMs } from './types.ts';

describe('database', () => {
  let test: TestDatabase;
  before(async () => {
    test = await createTestDatabase();
  });
  after(() => test.close());

  it('executes statements sent together in order, in one round trip, each seeing the previous ones', async () => {
    const { db } = test;
    const account = await makeAccount(db, 'together');
    const before = { ...db.statistics };
    const [updated, read] = await db.together([
      {
        statement: sql('rename', 'update accounts set name = $2 where id = $1 returning name'),
        values: [account, 'New'],
      },
      { statement: sql('read_name', 'select name, created_at from accounts where id = $1'), values: [account] },
    ]);
    assert.deepEqual(updated, [['New']]);
    assert.equal(read?.[0]?.[0], 'New');
    assert.match(String(read?.[0]?.[1]), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.equal(db.statistics.roundTrips - before.roundTrips, 1);
    assert.equal(db.statistics.statements - before.statements, 2);
  });

  it('copies rows in atomically, and continues after an error', async () => {
    const { db } = test;
    const copy = sql('copy_facts', 'copy platform_metadata (name, value) from stdin');
    await db.copy(copy, Buffer.from('copied one\t1\ncopied two\t2\n'));
    await assert.rejects(db.copy(copy, Buffer.from('copied three\t3\ncopied one\tagain\n')), { code: '23505' });
    await assert.rejects(db.copy(copy, Buffer.from('no value\n')), /missing data/);
    await db.copy(copy, Buffer.from('copied four\t4\n'));
    const rows = await db.run<{ name: string }>(
      sql('copied', "select name from platform_metadata where name like 'copied %' order by value"),
      [],
    );
    assert.deepEqual(
      rows.map(({ name }) => name),
      ['copied one', 'copied two', 'copied four'],
    );
  });

  it('keeps serving on the same connection after a statement fails', async () => {
    const { db } = test;
    await assert.rejects(
      db.together([{ statement: sql('bad', 'select 1 / $1::int'), values: [0] }]),
      /division by zero/,
    );
    assert.deepEqual(await db.run(sql('one', 'select 1 as n'), []), [{ n: 1 }]);
  });

  it('rolls a transaction back when its work throws', async () => {
    const { db } = test;
    const id = newId();
    await assert.rejects(
      db.transaction(async (tx) => {
        await tx.run(
          sql(
            'account',
            "insert into accounts (id, email, name, username) values ($1, 'gone@example.com', 'x', 'gone')",
          ),
          [id],
        );
        throw new Error('no');
      }),
      /no/,
    );
    assert.equal(await db.first(sql('account_by_id', 'select 1 as found from accounts where id = $1'), [id]), null);
  });

  it('does not commit a transaction with a failed statement, even when its error was caught', async () => {
    const { db } = test;
    const work = db.transaction(async (tx) => {
      await tx.run(sql('fact', "insert into platform_metadata (name, value) values ('swallowed', '1')"), []);
      await tx.run(sql('failing', 'select 1 / 0'), []).catch(() => null);
    });
    await assert.rejects(work, /rolled back/);
    assert.equal(
      await db.first(sql('fact_there', "select 1 as found from platform_metadata where name = 'swallowed'"), []),
      null,
    );
  });

  it('reports a transaction whose connection is lost as retryable', async () => {
    const { db } = test;
    const lost = db.transaction(async (tx) => {
      const me = await tx.first<{ pid: number }>(sql('pid', 'select pg_backend_pid() as pid'), []);
      await db.run(sql('end_it', 'select pg_terminate_backend($1, 5000)'), [me?.pid]);
    });
    await assert.rejects(lost, { code: 'SERVICE_UNAVAILABLE' });
    assert.equal(
      await db.transaction((tx) => tx.first<{ n: number }>(sql('one', 'select 1 as n'), [])).then((row) => row?.n),
      1,
    );
  });

  it('reports a deadlock as retryable', async () => {
    const { db } = test;
    const write = sql('cross', 'update platform_metadata set value = value where name = $1');
    await db.copy(
      sql('copy_facts', 'copy platform_metadata (name, value) from stdin'),
      Buffer.from('left\t1\nright\t1\n'),
    );
    const both = Promise.withResolvers<void>();
    let begun = 0;
    const change = (first: string, second: string) =>
      db.transaction(async (tx) => {
        await tx.run(write, [first]);
        begun += 1;
        if (begun === 2) both.resolve();
        await both.promise;
        await tx.run(write, [second]);
      });
    const ends = await Promise.allSettled([change('left', 'right'), change('right', 'left')]);
    const undone = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
    assert.equal(undone.length, 1);
    assert.deepEqual(
      [undone[0] instanceof AppError, undone[0].code, undone[0].retryAfterSeconds],
      [true, 'SERVICE_UNAVAILABLE', 1],
    );
  });

  it('gives an account its channel and subscription in the same statement', async () => {
    const { db } = test;
    const id = await makeAccount(db, 'complete');
    const row = await db.first<{ handle: string; plan: string; access_until: string }>(
      sql(
        'complete',
        'select c.handle, s.plan, s.access_until from accounts a join channels c on c.id = a.primary_channel_id ' +
          'join subscriptions s on s.account_id = a.id where a.id = $1',
      ),
      [id],
    );
    assert.deepEqual(row, { handle: 'complete', plan: 'FREE', access_until: '-infinity' });
  });

  it('keeps list counters exact through publishing, hiding, trashing and deleting', async () => {
    const { db } = test;
    const account = await makeAccount(db, 'counted');
    const channel = (await db.first<{ id: string }>(
      sql('channel_of', 'select primary_channel_id as id from accounts where id = $1'),
      [account],
    ))!.id; // created above
    const counts = async () => {
      const text =
        `select counter_value('channel:listed:FEATURE', $1) as listed, counter_value('channel:contents', ` +
        '$1) as kept';
      return db.first(sql('counts', text), [channel]);
    };
    const insert = sql(
      'contents',
      `insert into contents (id, channel_id, kind, title) select gen_random_uuid(), $1, 'FEATURE', 't' ` +
        'from generate_series(1, 5)',
    );
    await db.run(insert, [channel]);
    assert.deepEqual(await counts(), { listed: 0, kept: 5 });
    await db.run(
      sql('publish', "update contents set status = 'PUBLISHED', published_at = now() where channel_id = $1"),
      [channel],
    );
    assert.deepEqual(await counts(), { listed: 5, kept: 5 });
    await db.run(
      sql(
        'hide',
        "update contents set visibility = 'PRIVATE' where id = (select id from contents where channel_id = $1 " +
          'order by id limit 1)',
      ),
      [channel],
    );
    assert.deepEqual(await counts(), { listed: 4, kept: 5 });
    await db.run(
      sql(
        'trash',
        'update contents set deleted_at = now() where id = (select id from contents where channel_id = $1 ' +
          'order by id desc limit 1)',
      ),
      [channel],
    );
    assert.deepEqual(await counts(), { listed: 3, kept: 4 });
    await db.run(sql('purge', 'delete from contents where channel_id = $1'), [channel]);
    assert.deepEqual(await counts(), { listed: 0, kept: 0 });
  });

  async function makeAccount(db: TestDatabase['db'], name: string): Promise<string> {
    const id = newId();
    await db.run(sql('make_account', 'insert into accounts (id, email, name, username) values ($1, $2, $3, $4)'), [
      id,
      `${name}@example.com`,
      name,
      name,
    ]);
    return id;
  }
});

describe('connection errors', () => {
  const errors: readonly [what: string, code?: string][] = [
    ['write EPIPE', 'EPIPE'],
    ['read ECONNRESET', 'ECONNRESET'],
    ['connect ETIMEDOUT', 'ETIMEDOUT'],
    ['terminating connection due to administrator command', '57P01'],
    ['Connection terminated unexpectedly'],
    ['Client was closed and is not queryable'],
    ['timeout exceeded when trying to connect'],
  ];
  for (const [what, code] of errors) {
    it(`are retryable: ${what}`, () => {
      const translated = translate(Object.assign(new Error(what), code && { code }));
      assert.ok(
        translated instanceof AppError &&
          translated.code === 'SERVICE_UNAVAILABLE' &&
          translated.retryAfterSeconds === 1,
      );
    });
  }

  const resources: readonly [code: string, retryAfterSeconds: number, isFull: boolean][] = [
    ['53000', 5, false],
    ['53100', 300, true],
    ['53200', 5, false],
    ['53300', 1, false],
    ['53400', 5, false],
  ];
  for (const [code, retryAfterSeconds, isFull] of resources) {
    it(`are a lack of resources, which may pass: ${code}`, () => {
      const thrown = Object.assign(new Error('could not extend file'), { code });
      for (const error of [
        translate(thrown),
        appErrorOf(thrown),
        appErrorOf(new Error('wrapped', { cause: thrown })),
      ]) {
        assert.ok(error instanceof AppError);
        assert.deepEqual(
          [error.code, error.httpStatus, error.retryable, error.retryAfterSeconds, error instanceof StorageFullError],
          ['SERVICE_UNAVAILABLE', 503, true, retryAfterSeconds, isFull],
        );
      }
    });
  }

  for (const code of ['22021', '22P05']) {
    it(`are a text that cannot be stored: ${code}`, () => {
      const error = appErrorOf(Object.assign(new Error('invalid byte sequence'), { code }));
      assert.deepEqual([error?.code, error?.retryable], ['INVALID_INPUT', false]);
    });
  }

  it('are of PostgreSQL only, where other connections are lost', () => {
    assert.equal(appErrorOf(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })), null);
    assert.equal(appErrorOf(Object.assign(new Error('duplicate key'), { code: '23505' })), null);
  });

  it('are distinguished from errors of a statement, which are unchanged', () => {
    const error = Object.assign(new Error('column "connection" does not exist'), { code: '42703' });
    assert.equal(translate(error), error);
  });
});

describe('instants', () => {
  it('reads timestamptz text as ISO 8601 with milliseconds', () => {
    assert.equal(instantFromPostgres('2026-11-20 20:33:31.123456+00'), '2026-11-20T20:33:31.123Z');
    assert.equal(instantFromPostgres('2026-11-20 20:33:31+00'), '2026-11-20T20:33:31.000Z');
    assert.equal(instantFromPostgres('2026-11-20 20:33:31.5+00'), '2026-11-20T20:33:31.500Z');
    assert.equal(instantMs(instantFromPostgres('infinity')), Number.POSITIVE_INFINITY);
    assert.equal(instantMs(instantFromPostgres('-infinity')), Number.NEGATIVE_INFINITY);
  });
});
