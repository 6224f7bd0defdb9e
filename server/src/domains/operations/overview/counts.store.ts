import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { MOST_COUNTED } from '../most-counted.ts';

/** Numbers of a server. */
export interface ServerCounts {
  readonly accounts: number;
  readonly suspendedAccounts: number;
  readonly channels: number;
  readonly contents: number;
  readonly jobsWaiting: number;
  readonly jobsRunning: number;
  /** Of the last seven days. */
  readonly jobsFailed: number;
  readonly openReports: number;
}

const atMost = (table: string, where: string) =>
  `(select count(*)::int from (select 1 from ${table} where ${where} limit ${MOST_COUNTED}) n)`;
const sumOf = (scope: string) => `(select coalesce(sum(value), 0)::int from counters where scope = '${scope}')`;

const COUNTS = sql(
  'server_counts',
  `select ${atMost('accounts', 'true')} as accounts,
     ${atMost('accounts', 'suspended_at is not null')} as "suspendedAccounts",
     ${sumOf('channels')} as channels, ${sumOf('channel:contents')} as contents,
     ${atMost('transcode_jobs', `status in ('IDLE', 'QUEUED')`)} as "jobsWaiting",
     ${atMost('transcode_jobs', `status in ('TRANSCODING', 'CANCELLING')`)} as "jobsRunning",
     ${atMost('transcode_jobs', `status = 'ERROR' and created_at > $1::timestamptz - interval '7 days'`)}
       as "jobsFailed",
     ${sumOf('channel:reports:OPEN')} as "openReports"`,
);

/** Counts accounts, contents, jobs and reports, in one statement. `nowIso`: ISO 8601. */
export async function countServer(db: Executor, nowIso: string): Promise<ServerCounts> {
  const counts = await db.first<ServerCounts>(COUNTS, [nowIso]);
  if (!counts) throw new Error('A statement without a table returned no row.');
  return counts;
}
