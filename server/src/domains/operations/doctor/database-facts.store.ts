import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

/** What PostgreSQL says about itself. */
export interface DatabaseFacts {
  /** Such as 180001. */
  readonly version: number;
  readonly encoding: string;
  readonly timeZone: string;
  readonly nowMs: number;
  readonly maxConnections: number;
  readonly reservedConnections: number;
  readonly sharedBufferBytes: number;
  /** Port on which PostgreSQL listens; null over a socket. */
  readonly port: number | null;
}

const FACTS = sql(
  'doctor_database_facts',
  `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
     current_setting('TimeZone') as "timeZone", (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs",
     current_setting('max_connections')::int as "maxConnections",
     current_setting('superuser_reserved_connections')::int as "reservedConnections",
     pg_size_bytes(current_setting('shared_buffers'))::float8 as "sharedBufferBytes", inet_server_port() as port`,
);

export function readDatabaseFacts(db: Executor): Promise<DatabaseFacts | null> {
  return db.first<DatabaseFacts>(FACTS, []);
}

const PROBE = sql('doctor_notify', "select pg_notify($1, '')");

/** Sends a notification to a channel. */
export async function sendProbe(db: Executor, channel: string): Promise<void> {
  await db.run(PROBE, [channel]);
}
