import type { ViewerPort } from '../ports.ts';
import type { CredentialKind, Env } from '../register.ts';
import { namedStatement, type Statement } from './sql.ts';
import type { StatementInput } from './statement-input.ts';

/** Computes the value of a placeholder. */
export type Read = (input: StatementInput) => unknown;

/** Throws to reject a request. */
export type Check = (input: StatementInput) => void;

/** A statement with the functions that compute its values. */
export interface Prepared {
  readonly statement: Statement;
  readonly reads: readonly Read[];
  /** Further checks of the arguments, which throw. */
  readonly checks: readonly Check[];
  /** Whether values come from cursors: forged ones may contain values that PostgreSQL rejects. */
  readonly readsCursors: boolean;
}

/** Alias of the viewer's row in every planned statement. */
export const VIEWER = 'v';

/** An expression that does more than read a column: a subquery or a call. */
const COMPUTES = /\bselect\b|\w\(/i;

/** PostgreSQL's limit of a function's arguments (FUNC_MAX_ARGS). */
const MAX_ARGUMENTS = 100;

/** What a statement shares with the subqueries in it. */
interface StatementParts {
  readonly ctes: string[];
  readonly reads: Read[];
  readonly checks: Check[];
  readsCursors: boolean;
}

/** The rows of a subquery in one column. */
export interface PackedRows {
  readonly sql: string;
  /** Whether each row is an array of arrays: it has more columns than a function may have arguments. */
  readonly isChunked: boolean;
}

/**
 * Builds one statement: `with viewer … select columns from viewer v <joins> order by …`. Joins and columns belong to
 * a level: the number of lists above their row. All rows of a level are joined, and their expressions computed, before
 * a list below multiplies them.
 */
export class StatementBuilder {
  readonly #columns = new Map<string, { readonly position: number; readonly level: number }>();
  readonly #joins: { readonly sql: string; readonly level: number }[] = [];
  readonly #order: string[] = [];
  readonly #viewer: ViewerPort;
  readonly #credential: CredentialKind;
  readonly #shared: StatementParts;
  #subqueries = 0;

  constructor(viewer: ViewerPort, credential: CredentialKind, shared?: StatementParts) {
    this.#viewer = viewer;
    this.#credential = credential;
    this.#shared = shared ?? { ctes: [], reads: [], checks: [], readsCursors: false };
  }

  /** A builder of a subquery of this statement: with columns and joins of its own, and the statement's placeholders. */
  nested(): StatementBuilder {
    this.#subqueries += 1;
    return new StatementBuilder(this.#viewer, this.#credential, this.#shared);
  }

  /** The kind of the request's credential. */
  get credential(): CredentialKind {
    return this.#credential;
  }

  /** Number of other rows that are read so far, which shows whether a part of a selection needs any. */
  get relations(): number {
    return this.#joins.length + this.#subqueries;
  }

  /** A placeholder. */
  param(read: Read, cast?: string): string {
    const { reads } = this.#shared;
    reads.push(read);
    return cast === undefined ? `$${reads.length}` : `$${reads.length}::${cast}`;
  }

  /** A placeholder for a value that the application reads from the request. */
  requestParam(read: (env: Env) => unknown, cast?: string): string {
    return this.param(({ env }) => read(env), cast);
  }

  /** A placeholder for a value of a cursor. */
  cursorParam(read: Read): string {
    this.#shared.readsCursors = true;
    return this.param(read);
  }

  /** A check of arguments that no placeholder reads. */
  check(check: Check): void {
    this.#shared.checks.push(check);
  }

  /**
   * Position of an expression in the select list; equal expressions are selected once. `key` is a column that is null
   * if the row is missing; then nothing is computed for it.
   */
  column(expression: string, level = 0, key?: string): number {
    const sql =
      key !== undefined && COMPUTES.test(expression)
        ? `case when ${key} is not null then ${expression} end`
        : expression;
    const known = this.#columns.get(sql);
    if (known !== undefined) return known.position;
    this.#columns.set(sql, { position: this.#columns.size, level });
    return this.#columns.size - 1;
  }

  /** As `column`, for the result of a query of other rows. */
  subquery(sql: string, level = 0): number {
    this.#subqueries += 1;
    return this.column(sql, level);
  }

  /** A common table expression after `viewer`. */
  cte(name: string, sql: string): void {
    this.#shared.ctes.push(`${name} as ${sql}`);
  }

  join(sql: string, level = 0): void {
    this.#joins.push({ sql, level });
  }

  order(sql: string): void {
    this.#order.push(sql);
  }

  /**
   * The statement. If nothing uses the viewer, it does not look up the credential: another statement of the round trip
   * does.
   */
  build(label: string): Prepared {
    const { selected, joins } = this.#byLevels();
    const columns = selected.length === 0 ? 'null' : selected.join(', ');
    const order = this.#order.length === 0 ? '' : ` order by ${this.#order.join(', ')}`;
    const rest = `${joins.map((join) => ` ${join}`).join('')}${order}`;
    const { ctes: more, reads, checks, readsCursors } = this.#shared;
    const usesViewer = more.length > 0 || MENTIONS_VIEWER.test(columns) || MENTIONS_VIEWER.test(rest);
    // Statements that check no permission need only the account; `offset 0` separates its lookup from the joins.
    const named = more.length > 0 || this.#columns.has(`${VIEWER}.packed`);
    const account = usesViewer ? this.#account() : 'select';
    const from = named ? `viewer ${VIEWER}` : `(${account}${usesViewer ? ' offset 0' : ''}) ${VIEWER}`;
    const ctes = named ? `with ${[this.#packedViewer(account), ...more].join(', ')} ` : '';
    const statement = namedStatement(label, `${ctes}select ${columns} from ${from}${rest}`);
    return { statement, reads, checks, readsCursors };
  }

  /**
   * The subquery: all rows of `from` with their joins as one JSON array. `inJson` is the SQL of a column whose JSON is
   * what the client makes of the column. `isOrdered` says that the rows of `from` are in their order already; joins
   * could change it.
   */
  pack(from: string, inJson: (sql: string) => string, isOrdered: boolean): PackedRows {
    const columns = [...this.#columns.keys()].map(inJson);
    const isChunked = columns.length > MAX_ARGUMENTS;
    const chunks: string[] = [];
    for (let start = 0; start < columns.length; start += MAX_ARGUMENTS)
      chunks.push(`json_build_array(${columns.slice(start, start + MAX_ARGUMENTS).join(', ')})`);
    const row = isChunked ? `json_build_array(${chunks.join(', ')})` : (chunks[0] ?? 'json_build_array()');
    const joins = this.#joins.map(({ sql }) => ` ${sql}`).join('');
    const order = joins === '' && isOrdered ? '' : ` order by ${this.#order.join(', ')}`;
    return { sql: `(select json_agg(${row}${order}) from ${from}${joins})`, isChunked };
  }

  /**
   * Columns and joins by level; expressions for rows that a list multiplies are a separate join (`offset 0` keeps it
   * separate).
   */
  #byLevels(): { selected: string[]; joins: string[] } {
    const deepest = Math.max(0, ...this.#joins.map(({ level }) => level));
    const computed: string[][] = Array.from({ length: deepest }, () => []);
    const selected = [...this.#columns].map(([sql, { level }]) => {
      const here = computed[level];
      return here && COMPUTES.test(sql) ? `once${level}.x${here.push(sql) - 1}` : sql;
    });
    const joins: string[] = [];
    for (let level = 0; level <= deepest; level += 1) {
      for (const join of this.#joins) if (join.level === level) joins.push(join.sql);
      const values = (computed[level] ?? []).map((sql, index) => `${sql} as x${index}`);
      if (values.length > 0)
        joins.push(`left join lateral (select ${values.join(', ')} offset 0) once${level} on true`);
    }
    return { selected, joins };
  }

  /** The query of the viewer's row. */
  #account(): string {
    const placeholders = new Map<string, string>();
    const row = this.#viewer.rows[this.#credential];
    if (row === undefined) throw new TypeError(`There is no viewer's row for ${this.#credential}`);
    return row.replace(/\$([12])(?!\d)/g, (whole) => {
      const known = placeholders.get(whole);
      if (known !== undefined) return known;
      const placeholder =
        whole === '$1' ? this.param((input) => input.credential) : this.param((input) => input.now, 'timestamptz');
      placeholders.set(whole, placeholder);
      return placeholder;
    });
  }

  /** The viewer's row; materialized, so that the packed text is computed once and not for every row. */
  #packedViewer(account: string): string {
    const packed = this.#viewer.packed(this.#credential);
    return `viewer as materialized (select u.*, ${packed} as packed from (${account}) u)`;
  }
}

const MENTIONS_VIEWER = new RegExp(`\\b${VIEWER}\\.`);

/** The values of a prepared statement. Throws the application's error for an invalid argument. */
export function valuesOf({ reads, checks }: Prepared, input: StatementInput): unknown[] {
  for (const check of checks) check(input);
  const values: unknown[] = new Array(reads.length);
  for (let index = 0; index < reads.length; index += 1) values[index] = reads[index]?.(input);
  return values;
}
