import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { newId } from '../../kernel/ids.ts';
import { until } from '../../testing/until.ts';
import { type Database, openDatabase } from './database.ts';
import { type LocalPostgres, startLocalPostgres } from './local/local-postgres.ts';
import { migrate, migrationsDigest } from './migrations.ts';

export interface TestDatabase {
  readonly url: string;
  readonly db: Database;
  /** Closes and drops the database; stops the server when this call started it. */
  close(): Promise<void>;
}

/**
 * PostgreSQL for tests in `folder`: without fsync, autovacuum and statistics of each database's statements, and with
 * a password that clients hash once instead of 4096 times for each connection.
 */
export async function startTestPostgres(folder: string): Promise<LocalPostgres> {
  const server = await startLocalPostgres(folder);
  await administer(server.url, async (client) => {
    for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes', 'autovacuum'])
      await client.query(`alter system set ${setting} = off`);
    await client.query('alter system set pg_stat_statements.track = none');
    await client.query('select pg_reload_conf()');
    const { username, password } = new URL(server.url);
    await client.query('set scram_iterations = 1');
    await client.query(`alter role ${username} password '${password}'`);
  });
  return server;
}

/** A database without a schema. */
export interface EmptyDatabase {
  readonly url: string;
  /** Drops the database; stops the server when this call started it. */
  close(): Promise<void>;
}

/** A new empty database, on the server at TEST_DATABASE_URL, which the test runner sets, or on its own server. */
export async function createEmptyDatabase(): Promise<EmptyDatabase> {
  return createDatabase(async () => 'template1');
}

/**
 * A new migrated database, cloned from a template, on the server at TEST_DATABASE_URL, which the test runner sets; a
 * file that is run alone starts its own server.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { url, close } = await createDatabase(ensureTemplate);
  const db = openDatabase({ url, pipelinedConnections: 2, transactionConnections: 4 });
  return {
    url,
    db,
    async close() {
      await db.close();
      await close();
    },
  };
}

async function createDatabase(templateOn: (serverUrl: string) => Promise<string>): Promise<EmptyDatabase> {
  const server = await testServer();
  const name = `test_${newId().replaceAll('-', '')}`;
  const template = await templateOn(server.url);
  await administer(server.url, (client) =>
    client.query(`create database ${name} template ${template} strategy file_copy`),
  );
  return {
    url: withDatabase(server.url, name),
    async close() {
      await administer(server.url, (client) => client.query(`drop database if exists ${name} with (force)`));
      await server.stop();
    },
  };
}

async function testServer(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const shared = process.env.TEST_DATABASE_URL;
  if (shared) return { url: shared, stop: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), 'reelgraph-test-'));
  const server = await startTestPostgres(folder);
  const stop = async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { url: server.url, stop };
}

const templates = new Map<string, Promise<string>>();

/** Built by the process that is first, and then known to each. */
function ensureTemplate(serverUrl: string): Promise<string> {
  const known = templates.get(serverUrl) ?? buildTemplate(serverUrl);
  templates.set(serverUrl, known);
  return known;
}

/** The template carries the digest of the migrations in its name; processes that start together take turns. */
async function buildTemplate(serverUrl: string): Promise<string> {
  const template = `template_${await migrationsDigest()}`;
  const lock = "hashtext('reelgraph test template')";
  await administer(serverUrl, async (client) => {
    await client.query(`select pg_advisory_lock(${lock})`);
    try {
      const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [template]);
      if (rowCount) return;
      const building = `${template}_building`;
      await client.query(`drop database if exists ${building} with (force)`);
      await client.query(`create database ${building}`);
      await migrate(withDatabase(serverUrl, building));
      await client.query(`alter database ${building} rename to ${template}`);
    } finally {
      await client.query(`select pg_advisory_unlock(${lock})`);
    }
  });
  return template;
}

/** Open connections to the database `postgres`, by server: kept for the next database, as a new one costs 10 ms. */
const administrators = new Map<string, pg.Pool>();

async function administer(serverUrl: string, work: (client: pg.ClientBase) => Promise<unknown>): Promise<void> {
  const options = { connectionString: withDatabase(serverUrl, 'postgres'), allowExitOnIdle: true };
  const pool = administrators.get(serverUrl) ?? new pg.Pool(options).on('error', () => {}); // the server has stopped
  administrators.set(serverUrl, pool);
  const client = await pool.connect();
  try {
    await work(client);
  } finally {
    client.release();
  }
}

function withDatabase(url: string, database: string): string {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}

/**
 * Runs `work` on a database whose statements may take 100 ms, while another transaction holds the locks of `held` (SQL)
 * until a statement has waited for them twice as long, or `work` has ended.
 */
export async function whileLocked<T>(url: string, held: string, work: (db: Database) => Promise<T>): Promise<T> {
  const hasty = openDatabase({ url, statementTimeoutMs: 100 });
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query(held);
    let isOver = false;
    const working = work(hasty).finally(() => {
      isOver = true;
    });
    working.catch(() => {}); // thrown below
    const waits = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and clock_timestamp() - query_start > interval '200 ms'`;
    await until(async () => {
      await holder.query('select pg_stat_clear_snapshot()'); // otherwise a transaction sees the same activity again
      return isOver || (await holder.query(waits)).rows.length > 0;
    });
    await holder.query('commit');
    return await working;
  } finally {
    await holder.end();
    await hasty.close();
  }
}
