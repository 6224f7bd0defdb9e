import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { WITHOUT_GRAPHQL } from '../http/testing.ts';
import { readConfig } from '../platform/config/config.ts';
import { sql } from '../platform/db/statement.ts';
import { createTestDatabase, type TestDatabase } from '../platform/db/testing.ts';
import { workerReadiness } from '../platform/health/platform-checks.ts';
import { defineJob } from '../platform/jobs/job.ts';
import { type Jobs, openJobs } from '../platform/jobs/jobs.ts';
import { createLogger } from '../platform/log.ts';
import { DiskStore } from '../platform/storage/disk-store.ts';
import { UNLIMITED_SPACE } from '../platform/storage/storage-space.ts';
import { until } from '../testing/until.ts';
import { type RunningApi, startApi } from './api.ts';
import { startProbeServer } from './probe-server.ts';

const job = defineJob<{ n: number }>({ name: 'watched', retryLimit: 1, heartbeatSeconds: 10, expireInSeconds: 60 });

const INCOMPLETE = {
  method: 'unshare',
  protections: { files: true, network: true, processes: true, user: true, seccomp: false, limits: true },
  warnings: [{ problem: 'NO_BUBBLEWRAP', detail: '' }],
} as const;

describe('an API instance', () => {
  let test: TestDatabase;
  let jobs: Jobs;
  let api: RunningApi;
  let folder: string;
  let platform: Parameters<typeof startApi>[0]['platform'];
  let release = () => {};
  before(async () => {
    [test, folder] = await Promise.all([createTestDatabase(), mkdtemp(join(tmpdir(), 'reelgraph-api-'))]);
    const log = createLogger({ level: 'silent' });
    jobs = openJobs({ url: test.url, db: test.db, log, worker: true });
    await jobs.start();
    platform = {
      config: readConfig({ PORT: '0', HOST: '127.0.0.1' }),
      log,
      db: test.db,
      store: new DiskStore(folder),
      space: UNLIMITED_SPACE,
      jobs,
    };
    api = await startApi({
      platform,
      version: '1.2.3',
      runner: { sandbox: INCOMPLETE, isUsable: false },
      routes: [],
      ...WITHOUT_GRAPHQL,
    });
  });
  after(async () => {
    release();
    await api.stop();
    await jobs.stop({ graceMs: 1_000 });
    await test.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('has metrics of waiting and running jobs', async () => {
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await jobs.work({ job, handle: () => held, giveUp: async () => {} });
    await test.db.transaction(async (tx) => {
      for (const n of [1, 2, 3]) await jobs.send(tx, job, { n });
    });
    const deadline = Date.now() + 15_000;
    for (
      let text = '';
      !(/^reelgraph_jobs_waiting 2$/m.test(text) && /^reelgraph_jobs_running 1$/m.test(text));
      await sleep(100)
    ) {
      assert.ok(
        Date.now() < deadline,
        text
          .split('\n')
          .filter((line) => line.startsWith('reelgraph_jobs'))
          .join('\n'),
      );
      text = await (await fetch(`${api.address}/metrics`)).text();
    }
  });

  it('serves requests while media is refused, and shows missing sandbox features only to the private network', async () => {
    const ask = async (headers: Record<string, string>) => {
      const response = await fetch(`${api.address}/readyz`, { headers });
      const { sandbox, workers } = (await response.json()) as { sandbox: unknown; workers?: unknown };
      return [response.status, sandbox, workers];
    };
    const { method, protections } = INCOMPLETE;
    const advice = ['bubblewrap is not installed (Debian: apt-get install bubblewrap).'];
    assert.deepEqual(await ask({}), [200, { state: 'refusing', method, protections, advice }, []]);
    assert.deepEqual(await ask({ 'x-forwarded-for': '203.0.113.1' }), [200, { state: 'refusing' }, undefined]);
  });

  it('has a worker beside it that is not ready while the sandbox does not meet SANDBOX=require', async () => {
    const runner = { sandbox: INCOMPLETE, isUsable: false };
    const readiness = workerReadiness(platform, runner);
    const probes = await startProbeServer({ platform, runner, version: '1.2.3', port: 0, readiness });
    const ask = async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${probes.port}${path}`);
      const text = await response.text();
      const { status, checks }: { status?: string; checks?: Record<string, { ok: boolean }> } = JSON.parse(
        text || '{}',
      );
      return [response.status, status, checks?.sandbox?.ok, checks?.jobQueue?.ok];
    };
    assert.deepEqual(await ask('/readyz'), [503, 'unavailable', false, true]);
    assert.deepEqual(await ask('/healthz'), [200, 'ok', undefined, undefined]);
    assert.deepEqual(await ask('/metrics'), [404, undefined, undefined, undefined]);
    assert.equal((await fetch(`${api.address}/readyz`)).status, 200, 'the API serves requests');
    runner.isUsable = true;
    // Results are cached for a second.
    await until(async () => (await ask('/readyz'))[0] === 200);
    assert.deepEqual((await ask('/readyz')).slice(1), ['ready', true, true]);
    await probes.stop();
  });

  it('serves requests while the job queue cannot be read, and says what is degraded', async () => {
    const ready = await fetch(`${api.address}/readyz`);
    assert.equal(ready.status, 200);
    const { checks } = (await ready.json()) as { checks: Record<string, { ok: boolean }> };
    assert.equal(checks.jobQueue?.ok, true);
    await test.db.run(sql('hide_queue', 'alter table pgboss.queue rename to queue_hidden'), []);
    let broken = ready;
    // Results are cached for a second.
    await until(async () => {
      broken = await fetch(`${api.address}/readyz`);
      return ((await broken.clone().json()) as { status: string }).status === 'degraded';
    });
    await test.db.run(sql('show_queue', 'alter table pgboss.queue_hidden rename to queue'), []);
    assert.equal(broken.status, 200);
    const after = (await broken.json()) as { checks: Record<string, { ok: boolean }> };
    assert.deepEqual([after.checks.jobQueue?.ok, after.checks.database?.ok], [false, true]);
  });

  it('goes on answering for DRAIN_SECONDS while it says that it stops, and then closes', async () => {
    const config = readConfig({ PORT: '0', HOST: '127.0.0.1', DRAIN_SECONDS: '1.5' });
    const stopping = await startApi({
      platform: { ...platform, config },
      version: '1.2.3',
      runner: { sandbox: INCOMPLETE, isUsable: false },
      routes: [],
      ...WITHOUT_GRAPHQL,
    });
    const ask = async (path: string) => {
      const response = await fetch(`${stopping.address}${path}`);
      const { status } = (await response.json()) as { status: string };
      return [response.status, status, response.headers.get('connection')];
    };
    assert.deepEqual(await ask('/readyz'), [200, 'ready', 'keep-alive']);
    let isClosed = false;
    const closed = stopping.stop().then(() => {
      isClosed = true;
    });
    assert.deepEqual(await ask('/readyz'), [503, 'stopping', 'close']);
    assert.deepEqual(await ask('/healthz'), [200, 'ok', 'close']);
    assert.equal(isClosed, false);
    await closed;
    await assert.rejects(ask('/healthz'));
  });
});
