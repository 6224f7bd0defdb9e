import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { newId } from '../../kernel/ids.ts';
import { until } from '../../testing/until.ts';
import { sql } from '../db/statement.ts';
import { createTestDatabase, type TestDatabase } from '../db/testing.ts';
import { createLogger } from '../log.ts';
import { appendEvent } from './event-log.store.ts';
import { type Consumer, type Events, openEvents } from './events.ts';

const log = createLogger({ level: 'silent' });

describe('event consumers', () => {
  let test: TestDatabase;
  let opened: Events[] = [];
  before(async () => {
    test = await createTestDatabase();
    await test.db.run(sql('effects', 'create table effects (consumer text, word text)'), []);
  });
  after(() => test.close());
  beforeEach(async () => {
    await test.db.run(sql('clean_effects', 'truncate effects'), []);
    await test.db.run(sql('clean_events', 'truncate events, event_cursors cascade'), []);
  });
  afterEach(async () => {
    await Promise.all(opened.map((events) => events.stop()));
    opened = [];
  });

  const record = sql('record_effect', 'insert into effects (consumer, word) values ($1, $2)');
  const recorder = (name: string): Consumer => ({
    name,
    types: ['asset.ready'],
    handle: async (tx, event) => void (await tx.run(record, [name, event.payload.word])),
  });
  const write = (word: string) =>
    ({ type: 'asset.ready', channelId: null, subjectId: newId(), payload: { word } }) as const;
  const words = async (consumer: string): Promise<string[]> =>
    (
      await test.db.run<{ word: string }>(
        sql('read_effects', 'select word from effects where consumer = $1 order by ctid'),
        [consumer],
      )
    ).map(({ word }) => word);

  async function start(pollMs: number, ...consumers: Consumer[]): Promise<Events> {
    const events = openEvents({ url: test.url, db: test.db, log, pollMs });
    for (const consumer of consumers) events.subscribe(consumer);
    opened.push(events);
    await events.start();
    return events;
  }

  /** Transactions of other databases on the same server hold events back as well. */
  async function eventually(consumer: string, expected: string[]): Promise<void> {
    await until(async () => (await words(consumer)).length >= expected.length);
    assert.deepEqual(await words(consumer), expected);
  }

  it('receive an event as soon as its transaction commits, without waiting for the poll', async () => {
    await start(60_000, recorder('quick'));
    await test.db.transaction((tx) => appendEvent(tx, write('a')));
    await eventually('quick', ['a']);
  });

  it('receive an event soon after an older transaction without events ends', async () => {
    await start(60_000, recorder('released'));
    const began = Promise.withResolvers<void>();
    const looked = Promise.withResolvers<void>();
    const older = test.db.transaction(async (tx) => {
      await tx.run(record, ['nobody', 'elsewhere']);
      began.resolve();
      await looked.promise;
    });
    await began.promise;
    const { statements } = test.db.statistics;
    await test.db.transaction((tx) => appendEvent(tx, write('held')));
    // One statement appends the event; the others look for it.
    await until(() => test.db.statistics.statements >= statements + 3, 'the consumer looks for events');
    assert.deepEqual(await words('released'), []);
    looked.resolve();
    await older;
    await eventually('released', ['held']);
  });

  it('find events of plain statements by polling, and skip other types', async () => {
    await start(50, recorder('polling'));
    const insert = sql(
      'plain_event',
      `insert into events (type, subject_id, payload) values ($1, gen_random_uuid(), $2)`,
    );
    await test.db.run(insert, ['content.created', '{"word":"other"}']);
    await test.db.run(insert, ['asset.ready', '{"word":"mine"}']);
    await eventually('polling', ['mine']);
  });

  it('never skip an event whose transaction commits late, and keep the order of transactions', async () => {
    await start(50, recorder('late'));
    const committed = Promise.withResolvers<void>();
    const written = Promise.withResolvers<void>();
    const late = test.db.transaction(async (tx) => {
      await appendEvent(tx, write('began first'));
      written.resolve();
      await committed.promise;
    });
    await written.promise;
    await test.db.transaction((tx) => appendEvent(tx, write('committed first')));
    const looked = test.db.statistics.statements;
    await until(() => test.db.statistics.statements >= looked + 4, 'the consumer looks for events');
    assert.deepEqual(await words('late'), [], 'nothing is handled while an older transaction may still add events');
    committed.resolve();
    await late;
    await eventually('late', ['began first', 'committed first']);
  });

  it('handle every event exactly once with several workers', async () => {
    await Promise.all([start(20, recorder('shared')), start(20, recorder('shared')), start(20, recorder('shared'))]);
    const names = Array.from({ length: 120 }, (_, index) => `e${index}`);
    await Promise.all(names.map((word) => test.db.transaction((tx) => appendEvent(tx, write(word)))));
    await until(async () => (await words('shared')).length >= names.length);
    await test.db.transaction((tx) => appendEvent(tx, write('last')));
    await until(async () => (await words('shared')).includes('last'));
    assert.deepEqual((await words('shared')).sort(), [...names, 'last'].sort());
  });

  it('continue where the last worker stopped', async () => {
    const first = await start(20, recorder('resumed'));
    await test.db.transaction((tx) => appendEvent(tx, write('one')));
    await eventually('resumed', ['one']);
    await first.stop();
    await test.db.transaction((tx) => appendEvent(tx, write('two')));
    await start(20, recorder('resumed'));
    await eventually('resumed', ['one', 'two']);
  });

  it('roll back and retry a failing handler, and keep later events waiting', async () => {
    let failures = 0;
    const flaky: Consumer = {
      name: 'flaky',
      types: ['asset.ready'],
      handle: async (tx, event) => {
        await tx.run(record, ['flaky', event.payload.word]);
        if (event.payload.word === 'hard' && failures++ < 1) throw new Error('not yet');
      },
    };
    await start(50, flaky);
    await test.db.transaction((tx) => appendEvent(tx, write('easy')));
    await test.db.transaction((tx) => appendEvent(tx, write('hard')));
    await test.db.transaction((tx) => appendEvent(tx, write('after')));
    await eventually('flaky', ['easy', 'hard', 'after']);
    assert.equal(failures, 2);
  });

  it('set an event aside after ten failures, so that it does not block the others', async () => {
    await start(20, {
      name: 'poisoned',
      types: ['asset.ready'],
      handle: async (tx, event) => {
        if (event.payload.word === 'poison') throw new Error('cannot digest');
        await tx.run(record, ['poisoned', event.payload.word]);
      },
    });
    await test.db.transaction((tx) => appendEvent(tx, write('poison')));
    await test.db.transaction((tx) => appendEvent(tx, write('food')));
    const failures = sql('failures', `select failures from event_cursors where consumer = 'poisoned'`);
    await until(async () => ((await test.db.first<{ failures: number }>(failures, []))?.failures ?? 0) > 0);
    // After nine failures and the pause before the tenth attempt.
    await test.db.run(
      sql('hurry', "update event_cursors set failures = 9, retry_at = '-infinity' where consumer = 'poisoned'"),
      [],
    );
    await eventually('poisoned', ['food']);
    const aside = await test.db.run(sql('aside', 'select consumer, error from event_failures'), []);
    assert.deepEqual(aside, [{ consumer: 'poisoned', error: 'Error: cannot digest' }]);
  });
});
