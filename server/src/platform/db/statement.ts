import { createHash } from 'node:crypto';

/**
 * A prepared statement: PostgreSQL plans it once per connection under its name. Unnamed statements cost the database up
 * to 5x.
 */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** One statement with its parameters. */
export interface Call {
  readonly statement: Statement;
  readonly values: readonly unknown[];
}

/**
 * A statement written by hand. The name is shown in pg_stat_statements comments and logs; a digest of the text is
 * appended, so that two versions of the code may share a connection pooler.
 */
export function sql(label: string, text: string): Statement {
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 12);
  return { name: `${label.slice(0, 48)}:${digest}`, text };
}
