import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { translate } from '../../kernel/database-errors.ts';
import { AppError } from '../../kernel/errors.ts';
import { t } from '../../kernel/languages/message.ts';
import { readVersion } from '../version.ts';
import { copyIn } from './copy-in.ts';
import { endPool } from './end-pool.ts';
import { PipelinedConnection } from './pipelined-connection.ts';
import type { Call, Statement } from './statement.ts';
import { typeParsers } from './types.ts';

/**
 * Anything statements can be sent to: the database itself or an open transaction. Only stores and the planner call it.
 */
export interface Executor {
  /** Rows as objects. */
  run<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
  /** The first row, or null. */
  first<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row | null>;
}

/** An open transaction; also what pg-boss writes its jobs with, so that a job exists exactly when the change does. */
export interface Transaction extends Executor {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  /** The calls one after another, rows as arrays. */
  together(calls: readonly Call[]): Promise<unknown[][][]>;
}

const commitHook = new AsyncLocalStorage<(tx: Transaction) => Promise<void>>();

/**
 * Runs `work`; every transaction in it, at any depth, calls `hook` before it commits, and is rolled back when the hook
 * throws.
 */
export function beforeEachCommit<T>(hook: (tx: Transaction) => Promise<void>, work: () => Promise<T>): Promise<T> {
  return commitHook.run(hook, work);
}

export interface Database extends Executor {
  /**
   * Sends the calls on one connection in one round trip, in order, each its own implicit transaction, and returns rows
   * as arrays. A failed call does not stop the later ones: the promise rejects with the first error after all have
   * completed.
   */
  together(calls: readonly Call[]): Promise<unknown[][][]>;
  /** As `together`, with the error of a call in the place of its rows. Rejects without a connection. */
  settled(calls: readonly Call[]): Promise<(unknown[][] | Error)[]>;
  /**
   * COPY … FROM STDIN with rows in text format (PostgreSQL manual, COPY, "Text Format"), in a transaction of its own.
   */
  copy(statement: Statement, rows: Buffer): Promise<void>;
  /**
   * Runs `work` in a READ COMMITTED transaction: committed when it resolves, rolled back when it throws or a statement
   * in it failed.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Statements completed since startup, for metrics and query-count tests. */
  readonly statistics: { roundTrips: number; statements: number };
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  /** Connections that carry single statements, many in flight on each. */
  readonly pipelinedConnections?: number;
  /** Connections for transactions. */
  readonly transactionConnections?: number;
  readonly statementTimeoutMs?: number;
  readonly onError?: (error: Error) => void;
}

/** Of connections: PostgreSQL lists them with it, so that processes of other versions are known. */
const APPLICATION_NAME = `reelgraph ${readVersion()}`;
/** Statements that one connection takes on before the next one is used. */
const MOST_GATHERED = 8;

/** Opens the pools lazily: the first statement connects. */
export function openDatabase(options: DatabaseOptions): Database {
  return new PostgresDatabase(options);
}

class PostgresDatabase implements Database {
  readonly statistics = { roundTrips: 0, statements: 0 };
  readonly #pipelines: PipelinedConnection[];
  readonly #pool: pg.Pool;

  constructor(options: DatabaseOptions) {
    const onError = options.onError ?? (() => {});
    const config: pg.ClientConfig = {
      connectionString: options.url,
      types: typeParsers,
      statement_timeout: options.statementTimeoutMs ?? 10_000,
      options: '-c timezone=UTC -c datestyle=ISO',
      application_name: APPLICATION_NAME,
      keepAlive: true,
    };
    // One plan for every page of a list: otherwise pages close to its end look so cheap that they are replanned each
    // time.
    const pipelined = { ...config, options: `${config.options} -c plan_cache_mode=force_generic_plan` };
    this.#pipelines = Array.from(
      { length: options.pipelinedConnections ?? 4 },
      () => new PipelinedConnection(pipelined, onError),
    );
    this.#pool = new pg.Pool({ ...config, max: options.transactionConnections ?? 8, idleTimeoutMillis: 30_000 });
    this.#pool.on('error', onError);
    // The pool listens to idle connections only; one that is lost in use fails its statement, and must not end the
    // process.
    this.#pool.on('connect', (client) => client.on('error', () => {}));
  }

  run<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    this.#count(1);
    return this.#pipeline().send<Row>(statement, values);
  }

  async first<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row | null> {
    return (await this.run<Row>(statement, values))[0] ?? null;
  }

  together(calls: readonly Call[]): Promise<unknown[][][]> {
    this.#count(calls.length);
    return this.#pipeline().sendTogether(calls);
  }

  settled(calls: readonly Call[]): Promise<(unknown[][] | Error)[]> {
    this.#count(calls.length);
    return this.#pipeline().sendSettled(calls);
  }

  async copy(statement: Statement, rows: Buffer): Promise<void> {
    const client = await this.#client();
    this.#count(1);
    let broken: Error | undefined;
    try {
      await copyIn(client, statement.text, [rows]);
    } catch (error) {
      // A server error leaves the connection usable; any other error means that the connection is lost.
      if (!(error instanceof pg.DatabaseError)) broken = error instanceof Error ? error : new Error(String(error));
      throw translate(error);
    } finally {
      client.release(broken);
    }
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const client = await this.#client();
    const control = (text: string) =>
      client.query(text).catch((error: unknown) => {
        throw translate(error);
      });
    let broken: Error | undefined;
    try {
      await control('begin');
      const tx = this.#transactionOn(client);
      const result = await work(tx);
      await commitHook.getStore()?.(tx);
      // When a statement failed and `work` swallowed the error, PostgreSQL rolls back without reporting an error.
      if ((await control('commit')).command !== 'COMMIT')
        throw new Error('A statement of the transaction failed: it was rolled back.');
      return result;
    } catch (error) {
      await client.query('rollback').catch((problem: Error) => {
        broken = problem;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pipelines.map((connection) => connection.close()), endPool(this.#pool)]);
  }

  #client(): Promise<pg.PoolClient> {
    return this.#pool.connect().catch((error: unknown) => {
      throw new AppError('SERVICE_UNAVAILABLE', t`The database is not reachable.`, {
        cause: error,
        retryAfterSeconds: 5,
      });
    });
  }

  #transactionOn(client: pg.PoolClient): Transaction {
    const query = async <Row extends object>(config: pg.QueryConfig): Promise<pg.QueryResult<Row>> => {
      this.#count(1);
      return client.query<Row>(config).catch((error: unknown) => {
        throw translate(error);
      });
    };
    const run = async <Row extends object>({ name, text }: Statement, values: readonly unknown[]): Promise<Row[]> =>
      (await query<Row>({ name, text, values: [...values] })).rows;
    return {
      run,
      first: async <Row extends object>(statement: Statement, values: readonly unknown[]) =>
        (await run<Row>(statement, values))[0] ?? null,
      executeSql: (text, values) => query({ text, values: values ?? [] }),
      async together(calls) {
        const responses: unknown[][][] = [];
        for (const { statement, values } of calls) {
          // Array rows have another overload in pg's types.
          const { rows } = await query({ ...statement, values: [...values], rowMode: 'array' } as pg.QueryConfig);
          responses.push(rows as unknown as unknown[][]);
        }
        return responses;
      },
    };
  }

  #count(statements: number): void {
    this.statistics.roundTrips += 1;
    this.statistics.statements += statements;
  }

  /**
   * The connection that is batching writes, so that requests that arrive together leave together; otherwise the one
   * with the fewest in flight: a slow statement delays only the few behind it.
   */
  #pipeline(): PipelinedConnection {
    let best: PipelinedConnection | undefined;
    for (const connection of this.#pipelines) {
      if (connection.gathering && connection.inFlight < MOST_GATHERED) return connection;
      if (!best || connection.inFlight < best.inFlight) best = connection;
    }
    return best!; // there is at least one connection
  }
}

/** Whether a statement failed because a row with the same unique values exists (SQLSTATE 23505). */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505';
}
