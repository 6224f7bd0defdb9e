import type { Client } from 'pg';

/**
 * Drops the indexes of these tables that no constraint needs, and returns the statements that create them again:
 * building an index on a full table is much faster than updating it row by row.
 */
export async function dropIndexes(client: Client, tables: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
     where i.indrelid = any($1::regclass[]) and not exists (select 1 from pg_constraint c
       where c.conindid = i.indexrelid)
       and not exists (select 1 from pg_inherits p where p.inhrelid = i.indexrelid) order by 1`,
    [tables],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.map(({ definition }) => definition);
}

export async function restoreIndexes(client: Client, definitions: readonly string[]): Promise<void> {
  for (const definition of definitions) await client.query(definition);
}
