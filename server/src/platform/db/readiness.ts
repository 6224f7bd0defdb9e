import type { Database } from './database.ts';
import { readMigrations } from './migrations.ts';
import { sql } from './statement.ts';

const PING = sql('readiness', 'select 1');
const APPLIED = sql('applied_migrations', 'select name, digest from schema_migrations');

/** Resolves when the database answers. Throws SERVICE_UNAVAILABLE otherwise. */
export async function checkDatabase(db: Database): Promise<void> {
  await db.run(PING, []);
}

let expected: ReturnType<typeof readMigrations> | undefined;

/**
 * Resolves when every migration this program knows is applied. A newer version may have added others and replaced
 * functions and triggers: instances are replaced one by one.
 */
export async function checkMigrations(db: Database): Promise<void> {
  expected ??= readMigrations();
  const rows = await db.run<{ name: string; digest: string }>(APPLIED, []);
  const applied = new Map(rows.map((row) => [row.name, row.digest]));
  const missing = (await expected)
    .filter(({ name, digest, isRepeatable }) => (isRepeatable ? !applied.has(name) : applied.get(name) !== digest))
    .map(({ name }) => name);
  if (missing.length > 0) throw new Error(`These migrations are not applied: ${missing.join(', ')}.`);
}
