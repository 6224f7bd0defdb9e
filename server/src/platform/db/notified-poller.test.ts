import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { until } from '../../testing/until.ts';
import { createLogger } from '../log.ts';
import { NotifiedPoller } from './notified-poller.ts';
import { sql } from './statement.ts';
import { createTestDatabase, type TestDatabase } from './testing.ts';

describe('a notified poller', () => {
  let test: TestDatabase;
  let opened: NotifiedPoller[] = [];
  before(async () => {
    test = await createTestDatabase();
  });
  after(() => test.close());
  afterEach(async () => {
    await Promise.all(opened.map((poller) => poller.stop()));
    opened = [];
  });

  async function start(look: () => Promise<boolean>, pollMs = 60_000): Promise<NotifiedPoller> {
    const poller = new NotifiedPoller({
      url: test.url,
      channel: 'test_news',
      log: createLogger({ level: 'silent' }),
      pollMs,
      look,
    });
    opened.push(poller);
    await poller.start();
    return poller;
  }

  it('polls when it starts, and when the channel is notified', async () => {
    let looks = 0;
    await start(async () => {
      looks += 1;
      return false;
    });
    await until(() => looks === 1);
    await test.db.run(sql('test_notify', 'notify test_news'), []);
    await until(() => looks === 2);
  });

  it('polls without a notification, also after a failed poll', async () => {
    let looks = 0;
    await start(async () => {
      looks += 1;
      throw new Error('not now');
    }, 30);
    await until(() => looks > 3);
  });

  it('polls again immediately while there is more', async () => {
    let looks = 0;
    const poller = await start(async () => {
      looks += 1;
      return looks < 5;
    });
    await until(() => looks >= 5);
    await poller.stop();
    assert.equal(looks, 5);
  });

  it('never polls concurrently, and once more for all requests during a poll', async () => {
    let [looks, atOnce, most] = [0, 0, 0];
    const requestedTwice = Promise.withResolvers<void>();
    const poller = await start(async () => {
      looks += 1;
      atOnce += 1;
      most = Math.max(most, atOnce);
      await requestedTwice.promise;
      atOnce -= 1;
      return false;
    });
    await until(() => looks === 1);
    for (let times = 0; times < 5; times += 1) poller.wake();
    requestedTwice.resolve();
    await until(() => looks >= 2 && atOnce === 0);
    await poller.stop();
    assert.deepEqual([looks, most], [2, 1]);
  });

  it('does not miss a request at the end of a poll', async () => {
    for (let microtasks = 0; microtasks < 8; microtasks += 1) {
      let looks = 0;
      const isAsked = Promise.withResolvers<void>();
      const poller = await start(async () => {
        looks += 1;
        if (looks === 2) isAsked.resolve();
        return false;
      });
      await until(() => looks === 1);
      poller.wake();
      await isAsked.promise;
      for (let passed = 0; passed < microtasks; passed += 1) await null;
      poller.wake();
      await until(() => looks === 3);
    }
  });

  it('waits for the poll in progress when stopped, and polls no more', async () => {
    let [begun, ended] = [0, 0];
    const stopping = Promise.withResolvers<void>();
    const poller = await start(async () => {
      begun += 1;
      await stopping.promise;
      ended += 1;
      return true;
    }, 20);
    await until(() => begun === 1);
    const stopped = poller.stop();
    assert.deepEqual([begun, ended], [1, 0]);
    stopping.resolve();
    await stopped;
    assert.deepEqual([begun, ended], [1, 1]);
    poller.wake();
    await test.db.run(sql('test_notify', 'notify test_news'), []);
    assert.equal(begun, 1);
  });
});
