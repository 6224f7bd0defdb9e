import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { until } from '../../testing/until.ts';
import { ManualClock } from '../clock.ts';
import { sql } from '../db/statement.ts';
import { createTestDatabase, type TestDatabase } from '../db/testing.ts';
import { createLogger } from '../log.ts';
import { MessageBus } from './message-bus.ts';

const NEVER = new AbortController().signal;

describe('messages between processes', () => {
  const clock = new ManualClock(Date.parse('2026-01-01T00:00:00Z'));
  let test: TestDatabase;
  let opened: MessageBus[] = [];
  before(async () => {
    test = await createTestDatabase();
  });
  after(() => test.close());
  afterEach(async () => {
    await Promise.all(opened.map((messageBus) => messageBus.close()));
    opened = [];
  });

  function open(pollMs = 60_000): MessageBus {
    const messageBus = new MessageBus({
      url: test.url,
      db: test.db,
      clock,
      log: createLogger({ level: 'silent' }),
      pollMs,
    });
    opened.push(messageBus);
    return messageBus;
  }
  const left = async () =>
    (
      await test.db.run<{ address: string }>(sql('letters', 'select address from message_bus order by address'), [])
    ).map(({ address }) => address);

  it('arrive at the waiting receiver only', async () => {
    const [here, there] = [open(), open()];
    const mine = here.receive(['a', 'b'], { limitMs: 5_000, signal: NEVER });
    const other = there.receive(['c'], { limitMs: 500, signal: NEVER });
    await there.post('b', 'hello');
    assert.deepEqual(await mine, { address: 'b', message: 'hello' });
    assert.equal(await other, null);
    assert.deepEqual(await left(), []);
  });

  it('are kept for a later receiver; the first one counts', async () => {
    const messageBus = open();
    await messageBus.post('early', 'first');
    await messageBus.post('early', 'second');
    assert.equal((await messageBus.receive(['early'], { limitMs: 5_000, signal: NEVER }))?.message, 'first');
  });

  it('are found by polling without a notification', async () => {
    const waiting = open(50).receive(['silent'], { limitMs: 5_000, signal: NEVER });
    const before = test.db.statistics.statements;
    await until(() => test.db.statistics.statements > before, 'the receiver looks');
    await test.db.run(sql('quiet_letter', `insert into message_bus values ('silent', 'x', now())`), []);
    assert.equal((await waiting)?.message, 'x');
  });

  it('are awaited up to the limit, or until aborted', async () => {
    const messageBus = open();
    const gone = new AbortController();
    const given = messageBus.receive(['nothing'], { limitMs: 60_000, signal: gone.signal });
    gone.abort();
    assert.equal(await given, null);
    assert.equal(
      await messageBus.receive(['nothing'], { limitMs: 60_000, signal: gone.signal }),
      null,
      'an aborted receiver',
    );
    assert.equal(await messageBus.receive(['nothing'], { limitMs: 20, signal: NEVER }), null);
  });

  it('are deleted after ten minutes', async () => {
    const messageBus = open();
    await messageBus.post('old', 'x');
    clock.advance(600_000);
    await messageBus.post('new', 'x');
    assert.deepEqual(await left(), ['new']);
  });
});
