import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { freePort } from '../../server/src/platform/config/free-port.ts';
import { createTestDatabase, type TestDatabase } from '../../server/src/platform/db/testing.ts';
import { startTestS3 } from '../../server/src/platform/storage/testing.ts';
import { until } from '../../server/src/testing/until.ts';
import { makeClip } from '../support/clips.ts';
import { type RunningProxy, startProxy } from '../support/haproxy.ts';
import { admin, hasDescendant, type Instance, startInstance, untilStarted } from '../support/instances.ts';
import { RollingLoad } from '../support/rolling-load.ts';

const OWNER = ['--email', 'owner@example.com', '--username', 'owner', '--password', 'a few words in a row'];
const CLIPS = 3;

/** Three APIs and three workers with one PostgreSQL and one object store, behind the HAProxy of the guide. */
describe('a rolling restart', { timeout: 1_200_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'reelgraph-rolling-'));
  const instances: Instance[] = [];
  let database: TestDatabase;
  let s3: Awaited<ReturnType<typeof startTestS3>>;
  let proxy: RunningProxy;
  let shared: Record<string, string>;
  let ports: number[];
  let load: RollingLoad;
  let apis: Instance[];
  let workers: Instance[];
  let clip: Buffer<ArrayBuffer>;

  before(async () => {
    [database, s3] = await Promise.all([createTestDatabase(), startTestS3()]);
    ports = [await freePort(), await freePort(), await freePort()];
    const port = await freePort();
    shared = {
      ...{ DATABASE_URL: database.url, SANDBOX: 'prefer', SECRET_KEY: randomBytes(32).toString('base64') },
      ...{ BASE_URL: `http://127.0.0.1:${port}`, HOST: '127.0.0.1', TRUST_PROXY: 'on', DRAIN_SECONDS: '5' },
      ...{ STORAGE: 's3', S3_ENDPOINT: s3.settings.endpoint ?? '', S3_REGION: s3.settings.region },
      ...{ S3_BUCKET: s3.settings.bucket, S3_ACCESS_KEY_ID: s3.settings.accessKeyId },
      ...{ S3_SECRET_ACCESS_KEY: s3.settings.secretAccessKey, RATE_LIMIT_POINTS: '1000000' },
      ...{ RATE_LIMIT_RESTORE: '100000', WORKER_CONCURRENCY: '1' },
    };
    const env = { ...shared, DATA_DIR: join(folder, 'admin') };
    const key = admin(env, 'create-account', ...OWNER, '--plan', 'CREATOR_PLUS', '--api-key').apiKey ?? '';
    apis = ports.map((each, n) => start('api', `api${n}`, { PORT: String(each) }));
    workers = [0, 1, 2].map((n) => start('worker', `worker${n}`));
    await Promise.all([...apis, ...workers].map(untilStarted));
    proxy = await startProxy(folder, port, ports);
    load = new RollingLoad(proxy.url, key);
    clip = Buffer.from(readFileSync(makeClip(folder, 'clip.mp4', 60, '640x360')));
  });

  after(async () => {
    await load?.end();
    await Promise.all(instances.map((instance) => instance.end()));
    await proxy?.end();
    await s3?.close();
    await database?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('fails no request, loses and repeats no job, and lets an upload and a stream go on', async (t) => {
    await load.start();
    for (let n = 0; n < CLIPS; n += 1) await load.publish(clip);
    const upload = await load.beginUpload(clip);
    await until(() => workers.some((worker) => hasDescendant(worker.child.pid ?? 0, 'ffmpeg')));

    const begunAt = performance.now();
    for (const [n, port] of ports.entries()) apis[n] = await restart(apis[n], 'api', `api${n}`, { PORT: String(port) });
    for (const n of workers.keys()) workers[n] = await restart(workers[n], 'worker', `worker${n}`);
    const seconds = (performance.now() - begunAt) / 1_000;

    await upload.finish();
    await load.untilProcessed(CLIPS + 1);
    await load.end();
    const { requests, failures, created, streamed, streams } = load.report();
    t.diagnostic(
      `${requests} requests, ${failures.length} failures in ${seconds.toFixed(0)} s of 6 restarts; ${created.length} ` +
        `mutations, ${upload.chunks} chunks, ${streams} connections of the stream`,
    );
    assert.deepEqual(failures, []);
    assert.ok(requests > 500, `${requests} requests`);
    assert.deepEqual([...streamed].sort(), [...created].sort(), 'the stream has each new content once');
    assert.ok(streams > 1, 'the stream was connected again');
    assert.deepEqual(await jobs(), { open: 0, failed: 0, lost: 0 });
    assert.deepEqual(await readyVideos(), { videos: CLIPS + 1, events: CLIPS + 1 });
  });

  /** Ends the process as a service manager does, and starts another one in its place. */
  async function restart(instance: Instance | undefined, role: string, name: string, env: Record<string, string> = {}) {
    assert.equal(await instance?.end(), 0);
    const next = start(role, name, env);
    await untilStarted(next);
    return next;
  }

  function start(role: string, name: string, env: Record<string, string> = {}): Instance {
    const instance = startInstance(role, { ...shared, DATA_DIR: join(folder, name), ...env });
    instances.push(instance);
    return instance;
  }

  async function query<Row extends pg.QueryResultRow>(text: string): Promise<Row | undefined> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows[0];
    } finally {
      await client.end();
    }
  }

  /** Transcoding jobs that are not over, failed, or whose worker was lost. */
  const jobs = () =>
    query(`select count(*) filter (where name !~ '\\.lost$' and state in ('created', 'retry', 'active'))::int as open,
      count(*) filter (where state in ('failed', 'cancelled'))::int as failed,
      count(*) filter (where name ~ '\\.lost$')::int as lost from pgboss.job where name ~ '^transcode'`);

  /** Processed videos, and how often that was said. */
  const readyVideos = () =>
    query(`select (select count(*)::int from transcode_jobs where status = 'COMPLETE') as videos,
      (select count(*)::int from events where type = 'asset.ready') as events`);
});
