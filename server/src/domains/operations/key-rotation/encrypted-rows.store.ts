import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { type EncryptedColumn, HASH_COLUMNS } from '../../../platform/secret-columns/secret-columns.ts';

/** Rows read at once. */
const BATCH = 100;

/** What a row has in an encrypted column. */
export interface EncryptedRow {
  /** Values of the primary key. */
  readonly key: readonly unknown[];
  readonly stored: Buffer | string;
  /** The HMAC of the same text; null where the column has none. */
  readonly hash: Buffer | null;
}

/** All rows with a value, in the order of their keys, read in batches. */
export async function* encryptedRows(db: Executor, column: EncryptedColumn): AsyncGenerator<EncryptedRow> {
  const keys = Object.entries(column.key);
  const names = keys.map(([name]) => name).join(', ');
  const after = keys.map(([, type], index) => `$${index + 1}::${type}`).join(', ');
  const hash = hashColumnOf(column) ?? 'null';
  const read = (condition: string) =>
    sql(
      `read_${column.table}_${column.column}`,
      `select ${names}, ${column.column} as stored, ${hash} as hash from ${column.table}
       where ${column.column} is not null ${condition} order by ${names} limit ${BATCH}`,
    );
  const [first, next] = [read(''), read(`and (${names}) > (${after})`)];
  let last: readonly unknown[] | null = null;
  for (;;) {
    const rows: Record<string, unknown>[] = await db.run(last === null ? first : next, last ?? []);
    for (const { stored, hash: found, ...row } of rows) {
      last = keys.map(([name]) => row[name]);
      yield { key: last, stored: stored as Buffer | string, hash: found as Buffer | null }; // as selected above
    }
    if (rows.length < BATCH) return;
  }
}

/** Replaces what the row has, unless it has changed since it was read; whether it was replaced. */
export async function replaceEncrypted(
  db: Executor,
  column: EncryptedColumn,
  row: EncryptedRow,
  { stored, hash }: Pick<EncryptedRow, 'stored' | 'hash'>,
): Promise<boolean> {
  const hashColumn = hashColumnOf(column);
  const keys = Object.entries(column.key).map(([name, type], index) => `${name} = $${index + 4}::${type}`);
  const setHash = hashColumn === null ? '' : `, ${hashColumn} = $3`;
  const unused = hashColumn === null ? ' and $3::bytea is null' : '';
  const statement = sql(
    `replace_${column.table}_${column.column}`,
    `update ${column.table} set ${column.column} = $1${setHash}
     where ${column.column} = $2${unused} and ${keys.join(' and ')} returning true as done`,
  );
  return (await db.first(statement, [stored, row.stored, hash, ...row.key])) !== null;
}

function hashColumnOf({ hash }: EncryptedColumn): string | null {
  return hash === undefined ? null : HASH_COLUMNS[hash].column;
}
