import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const FOLDER = fileURLToPath(new URL('../../../migrations/', import.meta.url));
/** Any constant: instances that start at the same time take turns. */
const LOCK = 7_203_118;

interface Migration {
  readonly name: string;
  readonly text: string;
  readonly digest: string;
}

/** The migrations in order: NNNN_name.sql, forward only. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(FOLDER)).filter((name) => /^\d{4}_.+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(FOLDER, name), 'utf8');
      return { name, text, digest: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

/** A digest over all migrations: the same digest means the same schema. */
export async function migrationsDigest(): Promise<string> {
  const hash = createHash('sha256');
  for (const migration of await readMigrations()) hash.update(migration.digest);
  return hash.digest('hex').slice(0, 16);
}

/** Brings the database at `url` to the newest schema; returns the names applied now. Refuses a database whose applied migrations were edited. */
export async function migrate(url: string): Promise<string[]> {
  const migrations = await readMigrations();
  const client = new pg.Client({ connectionString: url, application_name: 'reelgraph migrate' });
  // One that is lost fails its statement, and must not end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await client.query(
      'create table if not exists schema_migrations (name text primary key, digest text not null, applied_at timestamptz not null default now())',
    );
    const applied = new Map(
      (await client.query<{ name: string; digest: string }>('select name, digest from schema_migrations')).rows.map((row) => [
        row.name,
        row.digest,
      ]),
    );
    const now: string[] = [];
    for (const migration of migrations) {
      const digest = applied.get(migration.name);
      if (digest === migration.digest) continue;
      if (digest !== undefined) throw new Error(`Migration ${migration.name} was edited after it was applied; write a new one instead.`);
      await apply(client, migration);
      now.push(migration.name);
    }
    return now;
  } finally {
    await client.end().catch(() => {});
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(migration.text);
    await client.query('insert into schema_migrations (name, digest) values ($1, $2)', [migration.name, migration.digest]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {}); // a lost connection has rolled back
    throw new Error(`Migration ${migration.name} failed: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
