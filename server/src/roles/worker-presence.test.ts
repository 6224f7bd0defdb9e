import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../platform/db/statement.ts';
import { createTestDatabase, type TestDatabase } from '../platform/db/testing.ts';
import { createLogger } from '../platform/log.ts';
import { runningWorkers } from '../platform/running-workers.ts';
import { announceWorker } from './worker-presence.ts';

const protections = { files: true, network: true, processes: true, user: true, seccomp: false, limits: true };
const RUNNER = {
  sandbox: { method: 'unshare', protections, warnings: [{ problem: 'NO_BUBBLEWRAP', detail: '' }] },
  isUsable: false,
} as const;

describe('running workers', () => {
  let test: TestDatabase;
  before(async () => {
    test = await createTestDatabase();
  });
  after(() => test.close());

  it('are listed with their isolation of media tools, from start to stop', async () => {
    const platform = { db: test.db, log: createLogger({ level: 'silent' }) };
    const announced = ['beta', 'alpha'].map((host) =>
      announceWorker(platform, RUNNER, () => ({ 'process-video': 2 }), host),
    );
    while ((await runningWorkers(platform.db)).length < 2) await sleep(10);
    const sandbox = {
      state: 'refusing',
      method: 'unshare',
      protections,
      advice: ['bubblewrap is not installed (Debian: apt-get install bubblewrap).'],
    };
    const running = { 'process-video': 2 };
    const seen = async () => (await runningWorkers(platform.db)).map(({ seenAt: _, ...worker }) => worker);
    assert.deepEqual(await seen(), [
      { host: 'alpha', sandbox, running },
      { host: 'beta', sandbox, running },
    ]);
    await announced[0]?.stop();
    assert.deepEqual(await seen(), [{ host: 'alpha', sandbox, running }]);
    await announced[1]?.stop();
    assert.deepEqual(await runningWorkers(platform.db), []);
  });

  it('are not listed a minute after their last report, and deleted after a day', async () => {
    const silent = sql(
      'silentWorkers',
      `insert into workers (id, host, sandbox, seen_at)
      select gen_random_uuid(), age, '{"state":"complete"}', now() - age::interval from unnest(array['59 seconds',
        '61 seconds', '25 hours']) age`,
    );
    const hosts = sql('workerHosts', 'select host from workers order by host');
    const platform = { db: test.db, log: createLogger({ level: 'silent' }) };
    await test.db.run(silent, []);
    assert.deepEqual(
      (await runningWorkers(platform.db)).map(({ host }) => host),
      ['59 seconds'],
    );
    const announced = announceWorker(platform, RUNNER, () => ({}), 'new');
    while ((await runningWorkers(platform.db)).length < 2) await sleep(10);
    assert.deepEqual(
      (await test.db.run<{ host: string }>(hosts, [])).map(({ host }) => host),
      ['59 seconds', '61 seconds', 'new'],
    );
    await announced.stop();
  });
});
