import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { freePort } from '../../server/src/platform/config/free-port.ts';
import { isAlive } from '../../server/src/platform/db/local/postgres-process.ts';
import { readMigrations } from '../../server/src/platform/db/migrations.ts';
import { until } from '../../server/src/testing/until.ts';
import { admin, type Instance, startInstance } from '../support/instances.ts';
import { graphql } from '../support/steps.ts';

const MIGRATIONS = (await readMigrations()).length;

/** A startup state at which PostgreSQL is killed: it stays true, so that polling cannot miss it. */
interface Moment {
  readonly name: string;
  holds(): Promise<boolean>;
}

describe('a PostgreSQL that is killed while the platform starts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reelgraph-killed-'));
  const postgres = join(folder, 'postgres');
  let port = 0;
  let env: Record<string, string>;
  before(async () => {
    port = await freePort();
    const address = { PORT: String(port), HOST: '127.0.0.1', BASE_URL: `http://localhost:${port}` };
    env = { ...address, DATA_DIR: folder, DEMO: 'off', LOG_LEVEL: 'info' };
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is restarted at every step of a first start, which completes', async () => {
    const migrated = (count: number) => finds('select count(*) from schema_migrations', count);
    const moments: readonly Moment[] = [
      { name: 'initdb runs', holds: async () => true },
      { name: 'the server was spawned', holds: async () => isServer() },
      { name: 'the server answers', holds: finds('select 1', 1, 'postgres') },
      { name: 'the database exists', holds: finds('select 1') },
      { name: 'the first migration is applied', holds: migrated(1) },
      { name: 'half of the migrations are applied', holds: migrated(Math.floor(MIGRATIONS / 2)) },
      { name: 'all migrations are applied', holds: migrated(MIGRATIONS) },
      { name: 'the job queue has tables', holds: finds(`select count(*) from pg_tables where schemaname = 'pgboss'`) },
      { name: 'the worker has its first queue', holds: finds('select count(*) from pgboss.queue') },
      { name: 'a reader of the event log is known', holds: finds('select count(*) from event_cursors') },
      { name: 'the platform started', holds: async () => instance.output().includes('"msg":"started"') },
    ];
    const instance = startInstance('all', env);
    let status: number | null = null;
    try {
      await killAt(moments, instance);
      assert.equal(await numberOf('select count(*) from schema_migrations'), MIGRATIONS);
    } finally {
      status = await instance.end();
    }
    assert.equal(status, 0, instance.output().slice(-4_000));
  });

  it('is restarted in a later start, with existing data', async () => {
    const flags = ['--email', 'kept@example.com', '--username', 'kept', '--plan', 'CREATOR_PLUS', '--api-key'];
    const { apiKey = '' } = admin(env, 'create-account', ...flags);
    const moments: readonly Moment[] = [
      { name: 'the server was spawned', holds: async () => isServer() },
      { name: 'the server answers', holds: finds('select 1') },
      { name: 'the API listens', holds: () => responses('/healthz') },
      { name: 'the platform started', holds: async () => instance.output().includes('"msg":"started"') },
    ];
    const instance = startInstance('all', env);
    let status: number | null = null;
    try {
      await killAt(moments, instance);
      const { body } = await graphql(`http://127.0.0.1:${port}`, apiKey, '{ verifyConnection { user { username } } }');
      assert.deepEqual(body, { ...body, data: { verifyConnection: { user: { username: 'kept' } } } });
    } finally {
      status = await instance.end();
    }
    assert.equal(status, 0, instance.output().slice(-4_000));
  });

  /**
   * Kills the program of PostgreSQL that runs at each moment, once, and waits until the platform is ready after the
   * last one.
   */
  async function killAt(moments: readonly Moment[], instance: Instance): Promise<void> {
    const killed = new Set<number>();
    for (const { name, holds } of moments) {
      const complaint = () => `not reached: ${name}\n${instance.output().slice(-4_000)}`;
      let pid = 0;
      const comes = async () => {
        assert.equal(
          instance.child.exitCode,
          null,
          `the platform ended before: ${name}\n${instance.output().slice(-4_000)}`,
        );
        pid = programOf(postgres);
        return pid > 0 && !killed.has(pid) && isAlive(pid) && (await holds());
      };
      await until(comes, complaint);
      process.kill(pid, 'SIGKILL');
      killed.add(pid);
    }
    // The connections of the killed server answer for a moment.
    const isAnother = () => programOf(postgres) > 0 && !killed.has(programOf(postgres));
    const ready = () => responses('/readyz');
    await until(
      async () => instance.output().includes('"msg":"started"') && isAnother() && (await ready()),
      () => `not ready:\n${instance.output().slice(-4_000)}`,
    );
    assert.equal(instance.child.exitCode, null);
    assert.equal(killed.size, moments.length);
  }

  const responses = (path: string): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}${path}`).then(
      (response) => response.ok,
      () => false,
    );

  /** The process that owns the data folder: initdb's, or the server's. */
  function programOf(home: string): number {
    try {
      return Number(readFileSync(join(home, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
    } catch {
      return 0;
    }
  }

  function isServer(): boolean {
    try {
      return readFileSync(`/proc/${programOf(postgres)}/cmdline`, 'utf8').includes('listen_addresses');
    } catch {
      return false;
    }
  }

  /**
   * Whether the statement answers a number of at least `least`; false while the server, the database or the table is
   * not there.
   */
  function finds(text: string, least = 1, database = 'reelgraph'): () => Promise<boolean> {
    return async () => isServer() && (await numberOf(text, database).catch(() => -1)) >= least;
  }

  async function numberOf(text: string, database = 'reelgraph'): Promise<number> {
    const port = readFileSync(join(postgres, 'data', 'postmaster.pid'), 'utf8').split('\n')[3];
    const password = readFileSync(join(postgres, 'password'), 'utf8');
    const client = new pg.Client({
      connectionString: `postgres://reelgraph:${password}@127.0.0.1:${port}/${database}`,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      const { rows } = await client.query<[string]>({ text, rowMode: 'array' });
      return Number(rows[0]?.[0]);
    } finally {
      await client.end().catch(() => {});
    }
  }
});
