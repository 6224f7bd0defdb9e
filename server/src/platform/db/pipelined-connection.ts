import pg from 'pg';
import { AppError } from '../../kernel/errors.ts';
import type { Call, Statement } from './statement.ts';

/** How many prepared statements one connection keeps before the least recently used is deallocated. */
const MAX_PREPARED = 1_000;

/** What of pg's connection object is used beyond its types: the names it has prepared, and the socket, corked to write a batch at once. */
interface PgInternals {
  connection: {
    parsedStatements: Record<string, string>;
    submittedNamedStatements: Record<string, string>;
    stream: { cork(): void; uncork(): void };
  };
}

/**
 * One connection that writes statements without waiting for the answers before them (PostgreSQL extended query
 * protocol, pipelining). Reconnects on the next call after a failure; calls in flight then fail with
 * SERVICE_UNAVAILABLE.
 */
export class PipelinedConnection {
  inFlight = 0;
  /** Whether statements sent now leave together with others. */
  gathering = false;
  readonly #config: pg.ClientConfig;
  readonly #onError: (error: Error) => void;
  #client: Promise<pg.Client> | null = null;
  /** Names prepared on the present connection, least recently used first. */
  #prepared = new Map<string, true>();

  constructor(config: pg.ClientConfig, onError: (error: Error) => void) {
    this.#config = config;
    this.#onError = onError;
  }

  send<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    return this.#using(async (client) => {
      try {
        return (await this.#write<Row>(client, { statement, values })).rows;
      } catch (error) {
        throw translate(error);
      }
    });
  }

  sendTogether(calls: readonly Call[]): Promise<unknown[][][]> {
    return this.#using(async (client) => {
      const pending = calls.map((call) => this.#write<unknown[]>(client, call, 'array'));
      try {
        const [first] = pending;
        if (first && pending.length === 1) return [(await first).rows];
        // Later statements are answered even if an earlier one fails; nobody may hear of it twice.
        await Promise.allSettled(pending);
        return (await Promise.all(pending)).map((result) => result.rows);
      } catch (error) {
        throw translate(error);
      }
    });
  }

  async #using<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    this.inFlight += 1;
    try {
      const client = await this.#connected();
      this.#gatherWrites(client);
      return await work(client);
    } finally {
      this.inFlight -= 1;
    }
  }

  #write<Row extends pg.QueryResultRow>(client: pg.Client, { statement, values }: Call, rowMode?: 'array'): Promise<pg.QueryResult<Row>> {
    this.#remember(client, statement);
    // pg reads the values before it returns and keeps nothing of them.
    const config = { name: statement.name, text: statement.text, values: values as unknown[] };
    return client.query<Row>(rowMode ? ({ ...config, rowMode } as pg.QueryConfig) : config);
  }

  /**
   * Statements of requests that arrived together leave in one system call, which costs more than anything else here:
   * the socket is opened again once the event loop has read what was there to read.
   */
  #gatherWrites(client: pg.Client): void {
    if (this.gathering) return;
    this.gathering = true;
    const { stream } = (client as unknown as PgInternals).connection;
    stream.cork();
    setImmediate(() => {
      this.gathering = false;
      stream.uncork();
    });
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    if (client) await client.then((open) => open.end()).catch(() => {});
  }

  #connected(): Promise<pg.Client> {
    this.#client ??= this.#connect();
    return this.#client;
  }

  async #connect(): Promise<pg.Client> {
    // `pipeline` is newer than the published types of pg.
    const client = new pg.Client({ ...this.#config, pipeline: true } as pg.ClientConfig);
    let lost = false;
    // Once: its 'end' may come when the next connection has been made already.
    const forget = () => {
      if (lost) return;
      lost = true;
      this.#client = null;
      this.#prepared = new Map();
    };
    client.on('error', (error) => {
      forget();
      this.#onError(error);
    });
    client.on('end', forget);
    try {
      await client.connect();
      return client;
    } catch (error) {
      forget();
      throw new AppError('SERVICE_UNAVAILABLE', 'The database is not reachable.', { cause: error, retryAfterSeconds: 5 });
    }
  }

  #remember(client: pg.Client, statement: Statement): void {
    this.#prepared.delete(statement.name);
    this.#prepared.set(statement.name, true);
    if (this.#prepared.size <= MAX_PREPARED) return;
    const [oldest] = this.#prepared.keys();
    if (oldest === undefined) return;
    this.#prepared.delete(oldest);
    // pg remembers prepared names on its connection object; forgetting one there makes it prepare again.
    const { connection } = client as unknown as PgInternals;
    delete connection.parsedStatements[oldest];
    delete connection.submittedNamedStatements[oldest];
    client.query(`deallocate "${oldest.replaceAll('"', '""')}"`).catch(this.#onError);
  }
}

const UNAVAILABLE = new Set(['57P01', '57P02', '57P03', '08006', '08003', '53300']);

/** Faults of the connection become SERVICE_UNAVAILABLE; faults of a statement stay what they are. */
export function translate(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === '57014')
    return new AppError('SERVICE_UNAVAILABLE', 'The operation ran into its time limit.', { cause: error, retryAfterSeconds: 1 });
  const lost =
    UNAVAILABLE.has(code) ||
    code.startsWith('ECONN') ||
    (error instanceof Error && /connection (terminated|error|closed)/i.test(error.message));
  return lost ? new AppError('SERVICE_UNAVAILABLE', 'The database connection was lost.', { cause: error, retryAfterSeconds: 1 }) : error;
}
