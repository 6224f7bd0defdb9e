import { createHash } from 'node:crypto';

/** A prepared statement, which the database plans once per connection by its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** One statement with its values. */
export interface Call {
  readonly statement: Statement;
  readonly values: readonly unknown[];
}

/** A row from the database: values by position. */
export type Row = readonly unknown[];

/** The planner's port to the database: several statements in one round trip, in order, rows as arrays. */
export interface SqlClient {
  together(calls: readonly Call[]): Promise<Row[][]>;
}

/** A database that reads: where one statement fails, the rows of the others are of use. */
export interface SqlReader extends SqlClient {
  /** As `together`, with the error of a statement in the place of its rows. Rejects when none was sent. */
  settled(calls: readonly Call[]): Promise<(Row[] | Error)[]>;
}

/** A statement whose name is a label plus a digest of its text, within PostgreSQL's 63 bytes. */
export function namedStatement(label: string, text: string): Statement {
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 14);
  return { name: `${label.slice(0, 46)}:${digest}`, text };
}
