import pg from 'pg';
import { translate } from '../../kernel/database-errors.ts';
import { AppError } from '../../kernel/errors.ts';
import { t } from '../../kernel/languages/message.ts';
import type { Call, Statement } from './statement.ts';
import {
  type Column,
  type OnCompleted,
  type PreparedStatement,
  type QueryConnection,
  StatementQuery,
} from './statement-query.ts';
import { typeParsers } from './types.ts';

/** How many prepared statements one connection keeps before the least recently used is deallocated. */
const MAX_PREPARED = 1_000;

/**
 * The private members of pg's connection: the prepared names, and the socket, which is corked to write a batch at once.
 */
interface PgInternals {
  connection: QueryConnection & { readonly parsedStatements: Record<string, string> };
}

/**
 * A connection that writes statements without waiting for previous results (PostgreSQL extended query protocol,
 * pipelining). Reconnects on the next call after a failure; calls in flight then fail with SERVICE_UNAVAILABLE.
 */
export class PipelinedConnection {
  inFlight = 0;
  /** Whether statements sent now are batched with others. */
  gathering = false;
  readonly #config: pg.ClientConfig;
  readonly #onError: (error: Error) => void;
  #client: Promise<pg.Client> | null = null;
  /** The current connection, once established. */
  #open: pg.Client | null = null;
  /** Statements prepared on the current connection, by name. */
  #prepared = new Map<string, PreparedStatement>();
  /** Statements sent so far. */
  #used = 0;

  constructor(config: pg.ClientConfig, onError: (error: Error) => void) {
    this.#config = config;
    this.#onError = onError;
  }

  /** Rows as objects. */
  async send<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    const [rows = []] = allOf(await this.#send([{ statement, values }], objects));
    return rows as Row[]; // the caller declares the columns
  }

  /**
   * Rows as arrays, by statement. A failing one does not stop the next ones; its error is thrown when all have
   * completed.
   */
  async sendTogether(calls: readonly Call[]): Promise<unknown[][][]> {
    return allOf(await this.#send(calls, arrays));
  }

  /** As `sendTogether`, with the error of a statement in the place of its rows. */
  sendSettled(calls: readonly Call[]): Promise<(unknown[][] | Error)[]> {
    return this.#send(calls, arrays);
  }

  async #send<Row>(calls: readonly Call[], make: Make<Row>): Promise<(Row[] | Error)[]> {
    this.inFlight += 1;
    try {
      const client = this.#open ?? (await this.#connected());
      this.#gatherWrites(client);
      const answers = await this.#answers(client, calls, make);
      for (let index = 0; index < answers.length; index += 1) {
        const answer = answers[index];
        if (answer instanceof Error) answers[index] = translated(answer);
      }
      return answers;
    } catch (error) {
      throw translated(error);
    } finally {
      this.inFlight -= 1;
    }
  }

  #answers<Row>(client: pg.Client, calls: readonly Call[], make: Make<Row>): Promise<(Row[] | Error)[]> {
    return new Promise((resolve) => {
      const responses: (Row[] | Error)[] = new Array(calls.length);
      let open = calls.length;
      calls.forEach((call, index) => {
        const prepared = this.#statement(client, call.statement);
        const answered: OnCompleted = (error, rows) => {
          responses[index] = error === null ? make(rows, prepared.columns ?? []) : asError(error);
          open -= 1;
          if (open === 0) resolve(responses);
        };
        client.query(new StatementQuery(call, prepared, typeParsers, answered));
      });
    });
  }

  /**
   * Statements of requests that arrived together are written in one system call, the most expensive part: the socket is
   * uncorked once the event loop has read all pending input.
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
    this.#open = null;
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
    // Once: its 'end' may arrive after the next connection was opened.
    const forget = () => {
      if (lost) return;
      lost = true;
      this.#client = null;
      this.#open = null;
      this.#prepared = new Map();
    };
    client.on('error', (error) => {
      forget();
      this.#onError(error);
    });
    client.on('end', forget);
    try {
      await client.connect();
      if (!lost) this.#open = client;
      return client;
    } catch (error) {
      forget();
      throw new AppError('SERVICE_UNAVAILABLE', t`The database is not reachable.`, {
        cause: error,
        retryAfterSeconds: 5,
      });
    }
  }

  /** The statement's state on this connection; beyond the limit the least recently used one is dropped. */
  #statement(client: pg.Client, { name }: Statement): PreparedStatement {
    this.#used += 1;
    const known = this.#prepared.get(name);
    if (known) {
      known.usedAt = this.#used;
      return known;
    }
    if (this.#prepared.size >= MAX_PREPARED) this.#forgetOldest(client);
    const prepared: PreparedStatement = { columns: null, usedAt: this.#used };
    this.#prepared.set(name, prepared);
    return prepared;
  }

  #forgetOldest(client: pg.Client): void {
    let oldest = '';
    let usedAt = Number.POSITIVE_INFINITY;
    for (const [name, prepared] of this.#prepared) {
      if (prepared.usedAt >= usedAt) continue;
      oldest = name;
      usedAt = prepared.usedAt;
    }
    this.#prepared.delete(oldest);
    // pg remembers prepared names on its connection object; removing one there makes it prepare again.
    const { connection } = client as unknown as PgInternals;
    delete connection.parsedStatements[oldest];
    delete connection.submittedNamedStatements[oldest];
    client.query(`deallocate "${oldest.replaceAll('"', '""')}"`).catch(this.#onError);
  }
}

/** The error as callers know it. Its stack would point to the socket reader; that of the sender is more useful. */
function translated(error: unknown): Error {
  if (error instanceof Error) Error.captureStackTrace(error);
  return asError(translate(error));
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** The rows of all statements. Throws the first error. */
function allOf<Row>(answers: readonly (Row[] | Error)[]): Row[][] {
  for (const answer of answers) if (answer instanceof Error) throw answer;
  return answers as Row[][]; // checked above
}

/** Builds the rows from the received values. */
type Make<Row> = (rows: unknown[][], columns: readonly Column[]) => Row[];

const arrays: Make<unknown[]> = (rows) => rows;

const objects: Make<object> = (rows, columns) =>
  rows.map((row) => {
    const object: Record<string, unknown> = {};
    for (let index = 0; index < columns.length; index += 1) object[columns[index]?.name ?? ''] = row[index];
    return object;
  });
