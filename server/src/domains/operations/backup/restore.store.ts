import pg from 'pg';
import { copyIn } from '../../../platform/db/copy-in.ts';
import { createFunctions, createTables, type Migration } from '../../../platform/db/migrations.ts';
import { BackupError } from './backup-error.ts';
import type { Manifest } from './manifest.ts';
import { SESSION } from './snapshot.store.ts';

const RELATIONS = `select count(*)::int as count from pg_class c where c.relnamespace = 'public'::regnamespace
  and c.relkind in ('r', 'p', 'v', 'm') and not exists (select from pg_depend d
    where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`;
const FOREIGN_KEYS = `
  select quote_ident(c.conname) as name, c.conrelid::regclass::text as table, pg_get_constraintdef(c.oid) as definition
  from pg_constraint c where c.contype = 'f' and c.conparentid = 0 and c.connamespace = 'public'::regnamespace`;
const TABLES = `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace
  and c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p'`;
const GROWN = `update video_assets set derived_bytes = derived_bytes + $2 where id = $1 and derived_files > 0`;
const GROWN_INDEX = 'update media_indexes set stored_bytes = stored_bytes + $2 where video_asset_id = $1';

/** Transaction ids that one call takes. */
const TAKEN_AT_ONCE = 200_000;
const TAKE = `do $$ begin for i in 1..${TAKEN_AT_ONCE} loop
  if pg_current_xact_id() >= 'TARGET'::xid8 then return; end if; commit; end loop; end $$`;

/** Runs `work` with a connection of its own. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'reelgraph restore', options: SESSION });
  // A lost connection fails its statement, and must not end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Whether the database has no tables. */
export async function isEmptyDatabase(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ count: number }>(RELATIONS);
  return rows[0]?.count === 0;
}

/**
 * Takes transaction ids until they are greater than those in the rows of the backup: events are read in the order of
 * these ids, and those of new events must follow. A million takes some seconds.
 */
export async function passTransactions(
  client: pg.ClientBase,
  target: string,
  progress: (line: string) => void,
): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ xid: string }>('select pg_snapshot_xmax(pg_current_snapshot())::text as xid');
    const left = BigInt(target) - BigInt(rows[0]?.xid ?? 0);
    if (left <= 0n) return;
    progress(`${left} transaction ids to pass`);
    await client.query(TAKE.replace('TARGET', target));
  }
}

/**
 * The tables of the backup without rows, foreign keys, functions and triggers, in the transaction of `client`; returns
 * the statements that add the foreign keys again. Only a superuser may load rows without checking them; an owner may
 * drop the constraints and add them afterwards.
 */
export async function createEmptyTables(
  client: pg.ClientBase,
  { tables, partitions }: Manifest,
  migrations: readonly Migration[],
): Promise<string[]> {
  await createTables(client, migrations);
  const { rows: keys } = await client.query<{ name: string; table: string; definition: string }>(FOREIGN_KEYS);
  for (const { name, table } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
  const { rows: found } = await client.query<{ name: string }>(TABLES);
  const names = new Set(found.map(({ name }) => name));
  const unknown = tables.filter(({ name }) => !names.has(name));
  if (unknown.length > 0 || names.size !== tables.length)
    throw new BackupError(`The tables of the backup are not those of its migrations: ${namesOf(unknown)}.`);
  // Migrations insert some rows, which the backup has as they are now.
  await client.query(`truncate ${found.map(({ name }) => pg.escapeIdentifier(name)).join(', ')}`);
  for (const { table, name, bounds } of partitions)
    await client.query(`create table if not exists ${pg.escapeIdentifier(name)} partition of ${table} ${bounds}`);
  return keys.map(({ name, table, definition }) => `alter table ${table} add constraint ${name} ${definition}`);
}

function namesOf(tables: readonly { readonly name: string }[]): string {
  return tables.map(({ name }) => name).join(', ');
}

/** Loads rows in text format; returns how many. */
export function loadTable(
  client: pg.ClientBase,
  { name, columns }: Manifest['tables'][number],
  rows: AsyncIterable<Buffer>,
): Promise<number> {
  const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
  return copyIn(client, `copy ${pg.escapeIdentifier(name)} (${list}) from stdin`, rows);
}

/** Sequences, foreign keys, functions and triggers, in the transaction of `client`. */
export async function completeTables(
  client: pg.ClientBase,
  { sequences, functions }: Manifest,
  foreignKeys: readonly string[],
): Promise<void> {
  for (const { name, value, isCalled } of sequences)
    await client.query('select setval($1::regclass, $2, $3)', [pg.escapeIdentifier(name), value, isCalled]);
  for (const statement of foreignKeys) await client.query(statement);
  await createFunctions(client, functions);
}

/** Notes by how many bytes what is stored of videos has grown, by their ids. */
export async function noteGrowth(client: pg.ClientBase, growth: ReadonlyMap<string, number>): Promise<void> {
  for (const [id, bytes] of growth) {
    await client.query(GROWN, [id, bytes]);
    await client.query(GROWN_INDEX, [id, bytes]);
  }
}

/** Statistics for the planner, which were not restored. */
export async function analyze(client: pg.ClientBase): Promise<void> {
  await client.query('analyze');
}
