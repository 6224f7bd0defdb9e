import pg from 'pg';
import type { Call } from './statement.ts';

/** State of a prepared statement on a connection. */
export interface PreparedStatement {
  /** Null until the first result. */
  columns: readonly Column[] | null;
  /** When it was last used, counted in statements. */
  usedAt: number;
}

export interface Column {
  readonly name: string;
  /** Parses the column's text. */
  readonly parse: (text: string) => unknown;
}

/** Called once, when the statement has completed or failed. */
export type OnCompleted = (error: unknown, rows: unknown[][]) => void;

/** Private members of pg's connection. */
export interface QueryConnection {
  parse(statement: { readonly name: string; readonly text: string }): void;
  bind(values: object): void;
  describe(what: { readonly type: 'P'; readonly name: string }): void;
  close(what: { readonly type: 'S'; readonly name: string }): void;
  sync(): void;
  readonly submittedNamedStatements: Record<string, string>;
  readonly stream: { write(bytes: Buffer): void; cork(): void; uncork(): void };
}

interface Described {
  readonly fields: ReadonlyArray<{ readonly name: string; readonly dataTypeID: number }>;
}

/** The messages Execute (all rows) and Sync, which follow every Bind: one write instead of two. */
const EXECUTE_AND_SYNC = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0x53, 0, 0, 0, 4]);

/** Private members of pg's query. */
interface PgQuery extends pg.Query {
  hasBeenParsed(connection: QueryConnection): boolean;
}
const PgQuery = pg.Query as unknown as new (text: string, values: unknown[], callback: OnCompleted) => PgQuery;

/**
 * pg's query for prepared statements whose rows are arrays. A prepared statement keeps its columns, so they are
 * requested once per connection, not on every run as in pg, which saves a message each way.
 */
export class StatementQuery extends PgQuery {
  readonly name: string;
  readonly #values: readonly unknown[];
  readonly #prepared: PreparedStatement;
  readonly #types: pg.CustomTypesConfig;
  readonly #answered: OnCompleted;
  readonly #rows: unknown[][] = [];
  /** Why a row could not be read. */
  #rowError: unknown = null;

  constructor(
    { statement, values }: Call,
    prepared: PreparedStatement,
    types: pg.CustomTypesConfig,
    answered: OnCompleted,
  ) {
    // pg reads the values and keeps nothing of them.
    super(statement.text, values as unknown[], answered);
    this.name = statement.name;
    this.#values = values;
    this.#prepared = prepared;
    this.#types = types;
    this.#answered = answered;
  }

  /** Called by pg, which has corked the socket. */
  prepare(connection: QueryConnection): void {
    if (!this.hasBeenParsed(connection)) {
      connection.parse(this as unknown as { name: string; text: string }); // pg's query holds both
      connection.submittedNamedStatements[this.name] = (this as unknown as { text: string }).text;
    }
    try {
      connection.bind({ statement: this.name, values: this.#values, valueMapper: prepareValue });
    } catch (error) {
      connection.close({ type: 'S', name: this.name });
      connection.sync();
      this.handleError(error);
      return;
    }
    if (this.#prepared.columns === null) connection.describe({ type: 'P', name: '' });
    connection.stream.write(EXECUTE_AND_SYNC);
  }

  handleRowDescription({ fields }: Described): void {
    this.#prepared.columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: this.#types.getTypeParser(dataTypeID, 'text'),
    }));
  }

  handleDataRow({ fields }: { readonly fields: unknown[] }): void {
    const columns = this.#prepared.columns ?? [];
    try {
      for (let index = 0; index < columns.length; index += 1) {
        const text = fields[index];
        // The parser of the protocol reads every field as text, or null.
        if (text !== null) fields[index] = columns[index]?.parse(text as string);
      }
    } catch (error) {
      this.#rowError ??= error;
    }
    this.#rows.push(fields);
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#answered(this.#rowError, this.#rows);
  }

  handleError(error: unknown): void {
    this.#answered(this.#rowError ?? error, this.#rows);
  }
}

// pg's encoding of dates, arrays and objects; missing in its types.
const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils;
