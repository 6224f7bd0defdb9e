import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { sendMailJob } from '../../../platform/mail/send-mail.job.ts';
import { HASH_COLUMNS } from '../../../platform/secret-columns/secret-columns.ts';

/** What ends with the earlier keys, and how many there are. */
export type CredentialsLeft = Readonly<Record<string, number>>;

/** Signed with an earlier key, where nothing in the database shows it. */
const SIGNED = [
  {
    what: 'sessions that were not used since',
    table: 'sessions',
    where: 'updated_at < since and expires_at > present',
  },
  { what: 'uploads in progress', table: 'ingestions', where: "created_at < since and state = 'OPEN'" },
  {
    what: 'messages that wait for their delivery',
    table: 'pgboss.job',
    where: `name = '${sendMailJob.name}' and state in ('created', 'retry', 'active') and created_on < since`,
  },
];

const COUNTS = [
  ...SIGNED,
  ...Object.values(HASH_COLUMNS).flatMap((column) =>
    'left' in column ? [{ ...column.left, table: column.table }] : [],
  ),
].map(({ what, table, where }) => ({
  ...{ what, table },
  statement: sql(
    `count_left_${table}`,
    `select count(*)::int as count from ${table}, (select $1::timestamptz as since, $2::timestamptz as present) instants
     where ${where}`,
  ),
}));

const EXISTS = sql('table_exists', 'select to_regclass($1) is not null as exists');

/** Counts what may still need an earlier key; `sinceIso`: since when all processes have the current one. */
export async function countLeft(db: Executor, sinceIso: string, nowIso: string): Promise<CredentialsLeft> {
  const counts: [string, number][] = [];
  for (const { what, table, statement } of COUNTS) {
    // The tables of jobs are made by the first start.
    if (!(await db.first<{ exists: boolean }>(EXISTS, [table]))?.exists) continue;
    const found = await db.first<{ count: number }>(statement, [sinceIso, nowIso]);
    counts.push([what, found?.count ?? 0]);
  }
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}
