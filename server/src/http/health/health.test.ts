import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { sql } from '../../platform/db/statement.ts';
import { createTestDatabase, type TestDatabase } from '../../platform/db/testing.ts';
import type { StorageSpace } from '../../platform/storage/storage-space.ts';
import { until } from '../../testing/until.ts';
import { mayReadMetrics } from '../metrics.ts';
import { startTestServer, type TestServer } from '../testing.ts';

interface Readyz {
  status: string;
  checks: Record<string, { ok: boolean; note?: string }>;
}

describe('health with a database', () => {
  let test: TestDatabase;
  let at: TestServer;
  let queue: () => Promise<void> = async () => {};
  before(async () => {
    test = await createTestDatabase();
    const gauges = [
      { name: 'reelgraph_jobs_waiting', help: 'Jobs waiting.', read: async () => 3 },
      { name: 'reelgraph_unreadable', help: 'Fails.', read: () => Promise.reject(new Error('no')) },
    ];
    at = await startTestServer({
      db: test.db,
      gauges,
      checks: [{ name: 'queue', essential: false, check: () => queue() }],
    });
  });
  after(async () => {
    await at.close();
    await test.close();
  });

  it('reports ready when database, migrations, object store and queue are', async () => {
    const response = await at.fetch('/readyz');
    const body = (await response.json()) as Readyz;
    assert.deepEqual(
      Object.entries(body.checks).map(([name, { ok }]) => [name, ok]),
      [
        ['database', true],
        ['migrations', true],
        ['objectStore', true],
        ['storageSpace', true],
        ['queue', true],
      ],
    );
    assert.equal(body.status, 'ready');
    assert.equal(response.status, 200);
  });

  it('stays ready below the disk’s reserve, degraded, with a note that uploads are refused', async () => {
    const space: StorageSpace = {
      read: async () => ({ kind: 'disk', totalBytes: 1000, freeBytes: 99, reserveBytes: 100 }),
      receivedBytes: async () => 0,
    };
    const full = await startTestServer({ db: test.db, space });
    try {
      const response = await full.fetch('/readyz');
      const { checks, status } = (await response.json()) as Readyz;
      assert.deepEqual([response.status, status, checks.objectStore?.ok], [200, 'degraded', true]);
      assert.match(checks.storageSpace?.note ?? '', /Less than STORAGE_RESERVE is free: uploads are refused/);
    } finally {
      await full.close();
    }
  });

  it('stays ready without the queue, degraded, and caches results for a second', async () => {
    let looked = 0;
    queue = async () => {
      looked += 1;
      throw new Error('secret reason');
    };
    // The result of an earlier test is cached for a second.
    await until(async () => ((await (await at.fetch('/readyz')).json()) as Readyz).status === 'degraded' && looked > 0);
    const responses = await Promise.all([1, 2, 3].map(() => at.fetch('/readyz')));
    for (const response of responses) {
      assert.equal(response.status, 200);
      const text = await response.text();
      assert.ok(!text.includes('secret reason'));
      assert.equal((JSON.parse(text) as Readyz).checks.queue?.ok, false);
    }
    assert.equal(looked, 1);
    await until(async () => (await at.fetch('/readyz')).ok && looked === 2);
    assert.equal(looked, 2);
    assert.ok(at.logged.some((line) => line.msg === 'not ready' && line.check === 'queue'));
  });

  it('returns metrics: requests by route, operations by name, database counters, gauges, process', async () => {
    await at.graphql({ query: 'query Greeting { hello }' });
    await at.graphql({ query: '{ boom }' });
    await at.graphql({ query: 'query Nonsense { nothing }' });
    await at.fetch('/assets/none.js');
    const response = await at.fetch('/metrics');
    assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
    const text = await response.text();
    const expected = [
      /^http_request_duration_seconds_count\{method="POST",route="\/graphql",status="200"\} 3$/m,
      /^http_request_duration_seconds_count\{method="GET",route="unmatched",status="404"\} 1$/m,
      /^http_requests_in_flight 1$/m,
      /^graphql_operation_duration_seconds_count\{operation="Greeting",outcome="ok"\} 1$/m,
      /^graphql_operation_duration_seconds_count\{operation="anonymous",outcome="partial"\} 1$/m,
      /^graphql_operation_duration_seconds_count\{operation="refused",outcome="GRAPHQL_VALIDATION_FAILED"\} 1$/m,
      /^database_round_trips_total [1-9]/m,
      /^reelgraph_jobs_waiting 3$/m,
      /^reelgraph_info\{version="1\.2\.3"\} 1$/m,
      /^nodejs_eventloop_utilization (?:0|1|0\.\d+)$/m,
      /^process_cpu_seconds_total \d+(?:\.\d+)?$/m,
      /^process_resident_memory_bytes [1-9]\d{7,}$/m,
      /^process_open_fds [1-9]\d*$/m,
    ];
    for (const line of expected) assert.match(text, line);
    assert.doesNotMatch(text, /Nonsense|^reelgraph_unreadable /m);
  });

  it('reports not ready when a migration is missing', async () => {
    const fresh = await startTestServer({ db: test.db });
    await test.db.run(sql('test_edit', "update schema_migrations set digest = 'other' where name like '0001%'"), []);
    const body = (await (await fresh.fetch('/readyz')).json()) as Readyz;
    await fresh.close();
    assert.equal(body.status, 'unavailable');
    assert.equal(body.checks.migrations?.ok, false);
    assert.equal(body.checks.database?.ok, true);
  });
});

describe('health without a database', () => {
  it('reports live, and not ready', async () => {
    const at = await startTestServer();
    const alive = await at.fetch('/healthz');
    assert.equal(alive.status, 200);
    assert.deepEqual(Object.entries((await alive.json()) as object).slice(0, 2), [
      ['status', 'ok'],
      ['version', '1.2.3'],
    ]);
    const ready = await at.fetch('/readyz');
    assert.equal(ready.status, 503);
    assert.equal(ready.headers.get('retry-after'), '2');
    const { checks } = (await ready.json()) as Readyz;
    assert.deepEqual([checks.database?.ok, checks.migrations?.ok, checks.objectStore?.ok], [false, false, true]);
    await at.close();
  });
});

describe('metrics', () => {
  const cases: [peer: string, headers: Record<string, string>, access: 'private' | 'public', expected: boolean][] = [
    ['127.0.0.1', {}, 'private', true],
    ['::1', {}, 'private', true],
    ['::ffff:10.1.2.3', {}, 'private', true],
    ['192.168.1.5', {}, 'private', true],
    ['fd00::1', {}, 'private', true],
    ['203.0.113.9', {}, 'private', false],
    ['2001:4860::1', {}, 'private', false],
    ['', {}, 'private', false],
    ['127.0.0.1', { 'x-forwarded-for': '203.0.113.9' }, 'private', false],
    ['127.0.0.1', { forwarded: 'for=203.0.113.9' }, 'private', false],
    ['203.0.113.9', {}, 'public', true],
  ];
  for (const [peer, headers, access, expected] of cases) {
    it(`are ${expected ? '' : 'not '}shown to ${peer || 'an unknown peer'} ${JSON.stringify(headers)} when ${access}`, () => {
      const socket = new Socket();
      Object.defineProperty(socket, 'remoteAddress', { value: peer });
      const message = new IncomingMessage(socket);
      Object.assign(message.headers, headers);
      assert.equal(mayReadMetrics(message, access), expected);
    });
  }

  it('are refused with a reason through a proxy', async () => {
    const at = await startTestServer();
    const response = await at.fetch('/metrics', { headers: { 'x-forwarded-for': '203.0.113.9' } });
    assert.equal(response.status, 403);
    assert.match(await response.text(), /METRICS=public/);
    await at.close();
  });
});
