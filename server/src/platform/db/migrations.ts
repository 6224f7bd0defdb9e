import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { readVersion } from '../version.ts';
import {
  type MigrationId,
  noteVersion,
  pendingMigrations,
  readSchemaState,
  type SchemaState,
} from './upgrade/schema-state.ts';

const FOLDER = fileURLToPath(new URL('../../../migrations/', import.meta.url));
/** Any constant: instances that start concurrently take turns. */
const LOCK = 7_203_118;

/** The table of applied migrations. */
const CREATE_TABLE =
  'create table if not exists schema_migrations (name text primary key, digest text not null, ' +
  'applied_at timestamptz not null default now())';

/** A file that changes the schema. */
export interface Migration extends MigrationId {
  readonly text: string;
}

/** The migrations in order: NNNN_name.sql, forward only, then repeatable/name.sql. */
export async function readMigrations(folder = FOLDER): Promise<Migration[]> {
  const versioned = (await readdir(folder)).filter((name) => /^\d{4}_.+\.sql$/.test(name)).sort();
  const repeatable = (await readdir(join(folder, 'repeatable'))).filter((name) => name.endsWith('.sql')).sort();
  const names = [...versioned, ...repeatable.map((name) => `repeatable/${name}`)];
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8');
      const digest = createHash('sha256').update(text).digest('hex');
      return { name, text, digest, isRepeatable: name.startsWith('repeatable/') };
    }),
  );
}

/** A digest of all migrations: equal digests mean equal schemas. */
export async function migrationsDigest(): Promise<string> {
  const hash = createHash('sha256');
  for (const migration of await readMigrations()) hash.update(migration.digest);
  return hash.digest('hex').slice(0, 16);
}

/**
 * Brings the database at `url` to the schema of `migrations`; returns the names applied now. The database remembers the
 * version of the program that applied them.
 * @throws UnusableSchemaError for a database that stays untouched: one from before 0.1.0, one of a newer version, and
 * one whose applied migrations were edited.
 */
export async function migrate(
  url: string,
  migrations?: readonly Migration[],
  version = readVersion(),
): Promise<string[]> {
  const known = migrations ?? (await readMigrations());
  const client = new pg.Client({ connectionString: url, application_name: 'reelgraph migrate' });
  // A lost connection fails its statement and must not end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    const pending = pendingMigrations(await readSchemaState(client), known, version);
    await client.query(CREATE_TABLE);
    for (const migration of pending) await apply(client, migration, version);
    return pending.map(({ name }) => name);
  } finally {
    await client.end().catch(() => {});
  }
}

/** What was applied to the database at `url`; changes nothing. */
export async function inspectSchema(url: string): Promise<SchemaState> {
  const client = new pg.Client({ connectionString: url, application_name: 'reelgraph preflight' });
  client.on('error', () => {});
  try {
    await client.connect();
    return await readSchemaState(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Creates the tables of an empty database as these migrations leave them, in the transaction of `client`. Functions and
 * triggers are not created, and the migrations are not noted as applied.
 */
export async function createTables(client: pg.ClientBase, migrations: readonly Migration[]): Promise<void> {
  await client.query(CREATE_TABLE);
  for (const { text, isRepeatable } of migrations) if (!isRepeatable) await client.query(text);
}

/** Creates functions and triggers, in the transaction of `client`. */
export async function createFunctions(
  client: pg.ClientBase,
  migrations: readonly Pick<Migration, 'text'>[],
): Promise<void> {
  await client.query('set local check_function_bodies = off');
  for (const { text } of migrations) await client.query(text);
}

async function apply(client: pg.Client, migration: Migration, version: string): Promise<void> {
  await client.query('begin');
  try {
    // A repeatable function may call one that a later file creates.
    if (migration.isRepeatable) await client.query('set local check_function_bodies = off');
    await client.query(migration.text);
    await client.query(
      'insert into schema_migrations (name, digest) values ($1, $2) on conflict (name) do update ' +
        'set digest = excluded.digest, applied_at = now()',
      [migration.name, migration.digest],
    );
    await noteVersion(client, version);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {}); // a lost connection has rolled back
    throw new Error(`Migration ${migration.name} failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
