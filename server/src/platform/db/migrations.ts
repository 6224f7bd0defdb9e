import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const FOLDER = fileURLToPath(new URL('../../../migrations/', import.meta.url));
/** Any constant: instances that start concurrently take turns. */
const LOCK = 7_203_118;
/** The first migration of every supported database. Versions before 0.1.0 had others, such as 0001_platform.sql. */
const BASELINE = '0001_baseline_platform.sql';

/** The table of applied migrations. */
const CREATE_TABLE =
  'create table if not exists schema_migrations (name text primary key, digest text not null, ' +
  'applied_at timestamptz not null default now())';

/** A file that changes the schema. */
export interface Migration {
  /** Path below the folder of migrations. */
  readonly name: string;
  readonly text: string;
  readonly digest: string;
  /**
   * Whether the file only replaces functions and triggers: it is applied again whenever it changed. Others are applied
   * once.
   */
  readonly isRepeatable: boolean;
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
 * Brings the database at `url` to the schema of `migrations`; returns the names applied now.
 * @throws Error for a database from before 0.1.0, which stays untouched, and for one whose applied migrations were
 * edited.
 */
export async function migrate(url: string, migrations?: readonly Migration[]): Promise<string[]> {
  const known = migrations ?? (await readMigrations());
  const client = new pg.Client({ connectionString: url, application_name: 'reelgraph migrate' });
  // A lost connection fails its statement and must not end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    const applied = await readApplied(client);
    if (applied.size > 0 && !applied.has(BASELINE)) throw new Error(tooOld([...applied.keys()].sort()[0]));
    await client.query(CREATE_TABLE);
    const due = known.filter((migration) => isDue(migration, applied));
    // A newer version owns the functions and triggers while its instances replace those of this one.
    const pending = isAhead(applied, known) ? due.filter(({ isRepeatable }) => !isRepeatable) : due;
    for (const migration of pending) await apply(client, migration);
    return pending.map(({ name }) => name);
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

type Applied = ReadonlyMap<string, string>;

/** Name to digest of the applied migrations; empty for a new database. */
async function readApplied(client: pg.Client): Promise<Applied> {
  const { rows: tables } = await client.query<{ found: boolean }>(
    "select to_regclass('schema_migrations') is not null as found",
  );
  if (!tables[0]?.found) return new Map();
  const { rows } = await client.query<{ name: string; digest: string }>('select name, digest from schema_migrations');
  return new Map(rows.map((row) => [row.name, row.digest]));
}

function isDue({ name, digest, isRepeatable }: Migration, applied: Applied): boolean {
  const before = applied.get(name);
  if (before === digest) return false;
  if (before === undefined || isRepeatable) return true;
  throw new Error(`Migration ${name} was edited after it was applied; write a new one instead.`);
}

function isAhead(applied: Applied, known: readonly Migration[]): boolean {
  const names = new Set(known.map(({ name }) => name));
  return [...applied.keys()].some((name) => !names.has(name));
}

function tooOld(first: string | undefined): string {
  return (
    `This database was created before version 0.1.0 (its first migration is ${first}) and cannot be ` +
    'upgraded. Nothing in it was changed. Start with an empty database, or run the version that created ' +
    'it. See "Databases from before 0.1.0" in docs/guides/self-hosting.md.'
  );
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
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
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {}); // a lost connection has rolled back
    throw new Error(`Migration ${migration.name} failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
