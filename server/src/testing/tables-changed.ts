import type { Database } from '../platform/db/database.ts';
import { sql } from '../platform/db/statement.ts';

/**
 * Tables that record calls, including refused ones (audit log, claims of idempotency keys), how far consumers have read
 * the events, or that a worker or a process is there, which they do in their own time. Refused calls must not change
 * others.
 */
const UNRELATED = ['api_key_audit_log', 'encode_workers', 'event_cursors', 'idempotency_keys', 'work_processes'];

/** Columns that record calls: the last use of a key or token is written after the call. */
const OTHER_COLUMNS: Readonly<Record<string, string>> = { api_keys: 'last_used_at', api_tokens: 'last_used_at' };

/** Where triggers note the table of every row that is written, if its transaction is committed. */
const NOTES = 'tables_written';

const TABLES = sql(
  'tables_of_schema',
  `select n.nspname || '.' || c.relname as "table", c.relname as name
   from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where c.relkind in ('r', 'p') and not c.relispartition and (n.nspname = 'public' or (n.nspname = 'pgboss'
     and c.relname = 'job')) order by 1`,
);
const TAKE = sql('take_tables_written', `delete from public.${NOTES} returning name`);

const watched = new WeakMap<Database, Promise<void>>();

/**
 * Tables with a row that was added, changed or removed while `work` ran, sorted. An update without a difference counts
 * as a change.
 */
export async function tablesChanged(db: Database, work: () => Promise<unknown>): Promise<string[]> {
  if (!watched.has(db)) watched.set(db, watch(db));
  await watched.get(db);
  await db.run(TAKE, []);
  await work();
  const written = await db.run<{ name: string }>(TAKE, []);
  return [...new Set(written.map(({ name }) => name))].sort();
}

/** Triggers, because a comparison of all rows before and after each of thousands of calls takes longer than these. */
async function watch(db: Database): Promise<void> {
  const tables = await db.run<{ table: string; name: string }>(TABLES, []);
  const run = (text: string) => db.transaction((tx) => tx.executeSql(text));
  await run(`create unlogged table public.${NOTES} (name text not null)`);
  // A second argument is the name of a column that does not count.
  await run(`create function public.note_table_written() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'UPDATE' or tg_nargs = 1 or to_jsonb(old) - tg_argv[1] <> to_jsonb(new) - tg_argv[1] then
        insert into public.${NOTES} values (tg_argv[0]);
      end if;
      return null;
    end $$`);
  for (const { table, name } of tables) {
    if (UNRELATED.includes(name)) continue;
    const args = [name, OTHER_COLUMNS[name]].flatMap((each) => (each === undefined ? [] : [`'${each}'`]));
    await run(`create trigger note_written after insert or update or delete on ${table}
      for each row execute function public.note_table_written(${args.join(', ')})`);
  }
}
