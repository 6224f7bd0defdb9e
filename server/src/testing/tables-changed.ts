import type { Database } from '../platform/db/database.ts';
import { sql } from '../platform/db/statement.ts';

/**
 * Tables that record calls, including refused ones (audit log, claims of idempotency keys), how far consumers have read
 * the events, or that a worker is there, which they do in their own time. Refused calls must not change others.
 */
const UNRELATED = ['api_key_audit_log', 'encode_workers', 'event_cursors', 'idempotency_keys'];

/** Tables with a column that records calls: the last use of a key or token is written after the call. */
const OTHER_COLUMNS: Readonly<Record<string, string>> = {
  api_keys: "to_jsonb(t) - 'last_used_at'",
  api_tokens: "to_jsonb(t) - 'last_used_at'",
};

const TABLES = sql(
  'tables_of_schema',
  `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where c.relkind in ('r', 'p') and not c.relispartition and (n.nspname = 'public' or (n.nspname = 'pgboss'
     and c.relname = 'job')) order by 1`,
);

const known = new WeakMap<Database, Promise<ReturnType<typeof sql>>>();

/**
 * Tables with a row that was added, changed or removed while `work` ran. An update without a difference counts as a
 * change.
 */
export async function tablesChanged(db: Database, work: () => Promise<unknown>): Promise<string[]> {
  const versions = known.get(db) ?? statementFor(db);
  known.set(db, versions);
  const read = async () => (await db.run<{ versions: Record<string, string> }>(await versions, []))[0]?.versions ?? {};
  const before = await read();
  await work();
  const after = await read();
  return Object.keys(after).filter((table) => after[table] !== before[table]);
}

/** Row counts and writing transactions (`xmin`) of each table, in one statement. */
async function statementFor(db: Database): Promise<ReturnType<typeof sql>> {
  const tables = (await db.run<{ name: string }>(TABLES, []))
    .map(({ name }) => name)
    .filter((name) => !UNRELATED.includes(name));
  const pairs = tables.map((name) => {
    const table = name === 'job' ? 'pgboss.job' : `public.${name}`;
    const columns = OTHER_COLUMNS[name];
    const version = columns ? `hashtextextended((${columns})::text, 0)` : 't.xmin::text::bigint';
    return `'${name}', (select count(*) || ' ' || coalesce(sum(${version}), 0) from ${table} t)`;
  });
  // A function has at most a hundred arguments.
  const objects = chunks(pairs, 40).map((some) => `jsonb_build_object(${some.join(', ')})`);
  return sql('row_versions', `select ${objects.join(' || ')} as versions`);
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
