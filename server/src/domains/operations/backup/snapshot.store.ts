import pg from 'pg';
import { CopyOut } from '../../../platform/db/copy-out.ts';
import { PURGES_LOCK } from '../../assets/index.ts';
import { BackupError } from './backup-error.ts';

/** Values as text that every version of PostgreSQL reads, whatever the settings of the server are. */
export const SESSION =
  '-c timezone=UTC -c datestyle=ISO -c intervalstyle=postgres -c bytea_output=hex -c extra_float_digits=1';
/** How long a backup waits for another one that holds the deletions off. */
const LOCK_WAIT = '10s';
const NO_LOCK = '55P03';
const PAGE_ROWS = 500;

const TABLES = `
  select c.relname as name, pg_table_size(c.oid)::float8 as "sizeBytes",
    array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relpersistence = 'p'
  group by c.oid order by 1`;
const PARTITIONS = `
  select i.inhparent::regclass::text as table, c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bounds
  from pg_class c join pg_inherits i on i.inhrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relispartition and c.relkind in ('r', 'p') order by c.oid`;
const SEQUENCES = `select c.relname as name from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'S' order by 1`;
/** As pg-boss names its settings. */
const QUEUES = `
  select name, policy, retry_limit as "retryLimit", retry_delay as "retryDelay", retry_backoff as "retryBackoff",
    retry_delay_max as "retryDelayMax", expire_seconds as "expireInSeconds", retention_seconds as "retentionSeconds",
    deletion_seconds as "deleteAfterSeconds", heartbeat_seconds as "heartbeatSeconds", notify,
    dead_letter as "deadLetter"
  from pgboss.queue order by dead_letter is not null, name`;
/** The worker of a running job is not there after a restore: the job waits again. */
const JOBS = `select id::text, name, data, priority, to_json(start_after) as "startAfter" from pgboss.job
  where state in ('created', 'retry', 'active') order by name, id`;
const UPLOADS = `select object_key as key, case when size_deferred then null else size_bytes::float8 end as "sizeBytes"
  from ingestions where state = 'OPEN' order by id`;

export interface SnapshotTable {
  readonly name: string;
  readonly sizeBytes: number;
  readonly columns: string[];
}
export interface OpenUpload {
  readonly key: string;
  /** Null while it is not known. */
  readonly sizeBytes: number | null;
}
export interface WaitingJob {
  readonly id: string;
  readonly name: string;
  readonly data: object;
  readonly priority: number;
  /** ISO 8601. */
  readonly startAfter: string;
}

/**
 * All rows as they were at one instant, and the promise that objects which they name are not deleted by purges until
 * `close`, also after `endTransaction`.
 */
export class Snapshot {
  readonly #client: pg.Client;

  constructor(client: pg.Client) {
    this.#client = client;
  }

  tables = () => this.#rows<SnapshotTable>(TABLES);
  partitions = () => this.#rows<{ table: string; name: string; bounds: string }>(PARTITIONS);
  applied = () => this.#rows<{ name: string; digest: string }>('select name, digest from schema_migrations');
  uploads = () => this.#rows<OpenUpload>(UPLOADS);

  /** COPY of a table in text format. */
  copy({ name, columns }: SnapshotTable): CopyOut {
    const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
    return new CopyOut(this.#client, `copy (select ${list} from ${pg.escapeIdentifier(name)}) to stdout`);
  }

  /** Greater than the id of every transaction whose rows are seen here. */
  async nextTransaction(): Promise<string> {
    const [row] = await this.#rows<{ xid: string }>('select pg_snapshot_xmax(pg_current_snapshot())::text as xid');
    return row?.xid ?? '0';
  }

  /** Sequences are read as they are now: not before what any row here was given. */
  async sequences(): Promise<{ name: string; value: string; isCalled: boolean }[]> {
    const read = [];
    for (const { name } of await this.#rows<{ name: string }>(SEQUENCES)) {
      const select = `select last_value::text as value, is_called as "isCalled" from ${pg.escapeIdentifier(name)}`;
      for (const row of await this.#rows<{ value: string; isCalled: boolean }>(select)) read.push({ name, ...row });
    }
    return read;
  }

  /** None where no job was ever sent. */
  async queues(): Promise<Record<string, unknown>[]> {
    const [found] = await this.#rows<{ is: boolean }>("select to_regclass('pgboss.job') is not null as is");
    return found?.is ? this.#rows(QUEUES) : [];
  }

  async *jobs(): AsyncIterable<WaitingJob> {
    await this.#client.query(`declare jobs no scroll cursor for ${JOBS}`);
    for (;;) {
      const rows = await this.#rows<WaitingJob>(`fetch ${PAGE_ROWS} from jobs`);
      yield* rows;
      if (rows.length < PAGE_ROWS) return;
    }
  }

  /** Lets go of the rows; deletions are held off until `close`. */
  async endTransaction(): Promise<void> {
    await this.#client.query('commit');
  }

  /** @throws where the connection was lost, and with it the promise. */
  async isHeld(): Promise<boolean> {
    return this.#client.query('select 1').then(
      () => true,
      () => false,
    );
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => {});
  }

  async #rows<Row extends object>(text: string): Promise<Row[]> {
    return (await this.#client.query<Row>(text)).rows;
  }
}

/** Holds deletions off, then takes the snapshot. @throws BackupError while another backup of this database is made. */
export async function takeSnapshot(url: string): Promise<Snapshot> {
  const client = new pg.Client({ connectionString: url, application_name: 'reelgraph backup', options: SESSION });
  // A lost connection fails its statement, and must not end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(`set lock_timeout = '${LOCK_WAIT}'`);
    await client.query(`select pg_advisory_lock(${PURGES_LOCK})`);
    await client.query('begin isolation level repeatable read read only');
    await client.query('select pg_current_snapshot()');
    return new Snapshot(client);
  } catch (error) {
    await client.end().catch(() => {});
    if (error instanceof pg.DatabaseError && error.code === NO_LOCK)
      throw new BackupError('Another backup of this database is being made: wait until it has ended.');
    throw error;
  }
}
