import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

/** A table as PostgreSQL estimates it. */
export interface TableSize {
  readonly name: string;
  readonly rows: number;
  /** Of its rows, and with its indexes and long values. */
  readonly rowBytes: number;
  readonly totalBytes: number;
}

const SIZES = sql(
  'preflight_table_sizes',
  `select c.relname as name, greatest(coalesce(sum(p.reltuples), 0), 0)::float8 as rows,
     coalesce(sum(pg_relation_size(p.oid)), 0)::float8 as "rowBytes",
     coalesce(sum(pg_total_relation_size(p.oid)), 0)::float8 as "totalBytes"
   from pg_class c left join lateral (
     select leaf.oid, leaf.reltuples from pg_class leaf
     where leaf.oid in (select relid from pg_partition_tree(c.oid) where isleaf union all select c.oid)
       and leaf.relkind = 'r') p on true
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname = any($1)
   group by c.oid, c.relname order by 1`,
);

/** The tables of these names that exist. */
export function readTableSizes(db: Executor, names: readonly string[]): Promise<TableSize[]> {
  return db.run<TableSize>(SIZES, [names]);
}

/** A program of a version, on a machine, that has connections to the database. */
export interface Session {
  readonly version: string;
  /** Address of the machine; null over a socket. */
  readonly address: string | null;
  readonly connections: number;
}

const SESSIONS = sql(
  'preflight_sessions',
  `select substr(application_name, 11) as version, host(client_addr) as address, count(*)::int as connections
   from pg_stat_activity
   where datname = current_database() and application_name ~ '^reelgraph \\d+\\.\\d+\\.\\d+' and pid <> all($1)
   group by 1, 2 order by 1, 2`,
);

/** Programs that run now, without the sessions of these processes of PostgreSQL. */
export function readSessions(db: Executor, without: readonly number[]): Promise<Session[]> {
  return db.run<Session>(SESSIONS, [without]);
}

const OWN = sql('preflight_own_session', 'select pg_backend_pid() as pid');

/** The process of PostgreSQL that serves this connection. */
export async function readOwnSession(db: Executor): Promise<number[]> {
  return (await db.run<{ pid: number }>(OWN, [])).map(({ pid }) => pid);
}

const HAS_JOBS = sql('preflight_has_jobs', `select to_regclass('pgboss.job') is not null as found`);
const JOBS = sql(
  'preflight_jobs',
  `select count(*) filter (where state <> 'active')::int as waiting, count(*) filter (where state = 'active')::int as
     running
   from pgboss.job where state in ('created', 'retry', 'active')`,
);

/** Jobs in all queues. */
export async function countJobs(db: Executor): Promise<{ waiting: number; running: number }> {
  const has = await db.first<{ found: boolean }>(HAS_JOBS, []);
  const counted = has?.found ? await db.first<{ waiting: number; running: number }>(JOBS, []) : null;
  return counted ?? { waiting: 0, running: 0 };
}
