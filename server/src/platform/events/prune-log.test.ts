import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { newId } from '../../kernel/ids.ts';
import { sql } from '../db/statement.ts';
import { createTestDatabase, type TestDatabase } from '../db/testing.ts';
import { advanceCursor, readEvents, registerConsumer } from './cursors.store.ts';
import { pruneEvents } from './prune-log.store.ts';

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.close());

it('deletes old events that all consumers have processed', async () => {
  const { db } = test;
  const write = (days: number) =>
    db.run(
      sql(
        'old',
        `insert into events (type, subject_id, created_at) values ('content.created', $1, ` +
          `now() - $2 * interval '1 day')`,
      ),
      [newId(), days],
    );
  const left = async () =>
    (await db.run<{ n: number }>(sql('left', 'select count(*)::int as n from events'), []))[0]?.n;
  for (const days of [40, 35, 31, 29]) await write(days);
  await registerConsumer(db, 'quick');
  await registerConsumer(db, 'slow');
  const events = await readEvents(db, { xact: '0', eventId: 0 });
  const pass = async (consumer: string, count: number) => {
    const last = events[count - 1];
    assert.ok(last);
    await advanceCursor(db, consumer, { xact: last.xact, eventId: last.id, failures: 0 }, 0);
  };
  assert.equal(await pruneEvents(db, 30, 100), 0, 'no consumer has read them');
  await pass('quick', 4);
  assert.equal(await pruneEvents(db, 30, 100), 0, 'one has not');
  await pass('slow', 2);
  assert.equal(await pruneEvents(db, 30, 1), 1, 'no more than the limit');
  assert.equal(await pruneEvents(db, 30, 100), 1);
  assert.equal(await left(), 2);
  await pass('slow', 4);
  assert.equal(await pruneEvents(db, 30, 100), 1, 'younger events stay');
  assert.equal(await left(), 1);
});
