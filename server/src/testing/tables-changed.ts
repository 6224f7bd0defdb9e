import type { Database } from '../platform/db/database.ts';
import { sql } from '../platform/db/statement.ts';

/**
 * Tables that record calls, including refused ones: audit log, claims of idempotency keys. Refused calls must not
 * change others.
 */
const ACCOUNT_OF_CALLS = ['api_key_audit_log', 'idempotency_keys'];

/** Tables with a column that records calls: the last use of a key is written after the call. */
const CONDITIONS: Readonly<Record<string, string>> = {
  api_keys: "to_jsonb(old) - 'last_used_at' is distinct from to_jsonb(new) - 'last_used_at'",
};

const TABLES = sql(
  'tables_of_schema',
  `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where c.relkind in ('r', 'p') and not c.relispartition and (n.nspname = 'public' or (n.nspname = 'pgboss'
     and c.relname = 'job')) order by 1`,
);
const TAKE_CHANGES = sql(
  'take_changes',
  'with taken as (delete from testing.changes returning name) select * from taken',
);

const watched = new WeakMap<Database, Promise<void>>();

/**
 * Tables with a row that was added, changed or removed while `work` ran. An update without a difference counts as a
 * change.
 */
export async function tablesChanged(db: Database, work: () => Promise<unknown>): Promise<string[]> {
  const watching = watched.get(db) ?? watchTables(db);
  watched.set(db, watching);
  await watching;
  await db.run(TAKE_CHANGES, []);
  await work();
  const changes = await db.run<{ name: string }>(TAKE_CHANGES, []);
  return [...new Set(changes.map(({ name }) => name))].sort();
}

/** Adds a trigger to each table: to read all of them before and after each call takes ten times as long. */
async function watchTables(db: Database): Promise<void> {
  const tables = (await db.run<{ name: string }>(TABLES, []))
    .map(({ name }) => name)
    .filter((name) => !ACCOUNT_OF_CALLS.includes(name));
  const statements = [
    'create schema testing',
    'create unlogged table testing.changes (name text)',
    `create function testing.note_change() returns trigger language plpgsql security definer as
     $$ begin insert into testing.changes values (tg_argv[0]); return null; end $$`,
    ...tables.flatMap((name) => triggersOf(name, name === 'job' ? 'pgboss.job' : `public.${name}`)),
  ];
  // One by one: a lock on several tables at a time could wait for a worker that waits for one of them.
  for (const [index, text] of statements.entries()) await db.run(sql(`watch_tables_${index}`, text), []);
}

function triggersOf(name: string, table: string): string[] {
  const condition = CONDITIONS[name];
  const trigger = (events: string, when = '') =>
    `create trigger note_${events.slice(0, 6)} after ${events} on ${table} for each row ${when}
     execute function testing.note_change('${name}')`;
  if (condition === undefined) return [trigger('insert or update or delete')];
  return [trigger('insert or delete'), trigger('update', `when (${condition})`)];
}
