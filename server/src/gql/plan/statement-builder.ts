import type { Run } from '../run.ts';
import { namedStatement, type Statement } from '../sql.ts';
import { type CredentialKind, PACKED_VIEWER, type ViewerSource } from '../viewer.ts';

/** Computes the value of a placeholder at each run. */
export type Read = (run: Run) => unknown;

/** Refuses a run by throwing. */
export type Check = (run: Run) => void;

/** A statement with what its values are computed by. */
export interface Prepared {
  readonly statement: Statement;
  readonly reads: readonly Read[];
  /** What must hold of the arguments besides: each throws AppError where it does not. */
  readonly checks: readonly Check[];
}

/** Alias of the viewer's row in every planned statement. */
export const VIEWER = 'v';

/** Puts one statement together: `with viewer … select columns from viewer v <joins> order by …`. */
export class StatementBuilder {
  readonly #columns = new Map<string, number>();
  readonly #ctes: string[] = [];
  readonly #joins: string[] = [];
  readonly #order: string[] = [];
  readonly #reads: Read[] = [];
  readonly #checks: Check[] = [];
  readonly #source: ViewerSource;
  readonly #credential: CredentialKind;

  constructor(source: ViewerSource, credential: CredentialKind) {
    this.#source = source;
    this.#credential = credential;
  }

  /** Number of joins so far: whether a part of a selection needs any. */
  get joins(): number {
    return this.#joins.length;
  }

  /** A placeholder. */
  param(read: Read, cast?: string): string {
    this.#reads.push(read);
    return cast === undefined ? `$${this.#reads.length}` : `$${this.#reads.length}::${cast}`;
  }

  /** For arguments that no placeholder reads. */
  check(check: Check): void {
    this.#checks.push(check);
  }

  /** Position of an expression among the selected ones; equal expressions are selected once. */
  column(sql: string): number {
    const known = this.#columns.get(sql);
    if (known !== undefined) return known;
    this.#columns.set(sql, this.#columns.size);
    return this.#columns.size - 1;
  }

  /** A named query behind `viewer`. */
  cte(name: string, sql: string): void {
    this.#ctes.push(`${name} as ${sql}`);
  }

  join(sql: string): void {
    this.#joins.push(sql);
  }

  order(sql: string): void {
    this.#order.push(sql);
  }

  /** The statement. Where nothing asks for the viewer, the credential is not looked up either: another statement of the round trip did it. */
  build(label: string): Prepared {
    const columns = this.#columns.size === 0 ? 'null' : [...this.#columns.keys()].join(', ');
    const order = this.#order.length === 0 ? '' : ` order by ${this.#order.join(', ')}`;
    const rest = `${this.#joins.map((join) => ` ${join}`).join('')}${order}`;
    const asks = this.#ctes.length > 0 || MENTIONS_VIEWER.test(columns) || MENTIONS_VIEWER.test(rest);
    const from = asks ? `viewer ${VIEWER}` : `(select) ${VIEWER}`;
    const ctes = asks ? `with ${[this.#viewer(), ...this.#ctes].join(', ')} ` : '';
    return { statement: namedStatement(label, `${ctes}select ${columns} from ${from}${rest}`), reads: this.#reads, checks: this.#checks };
  }

  /** Materialized, so that the packed text is made once and not for every row. */
  #viewer(): string {
    const placeholders = new Map<string, string>();
    const text = this.#source[this.#credential].replace(/\$([12])(?!\d)/g, (whole) => {
      const known = placeholders.get(whole);
      if (known !== undefined) return known;
      const placeholder = whole === '$1' ? this.param((run) => run.credential) : this.param((run) => run.nowIso, 'timestamptz');
      placeholders.set(whole, placeholder);
      return placeholder;
    });
    return `viewer as materialized (select u.*, ${PACKED_VIEWER} as packed from (${text}) u)`;
  }
}

const MENTIONS_VIEWER = new RegExp(`\\b${VIEWER}\\.`);

/** Values of a prepared statement for this run. Throws AppError when an argument is not acceptable. */
export function valuesOf(prepared: Prepared, run: Run): unknown[] {
  const { reads, checks } = prepared;
  for (const check of checks) check(run);
  const values: unknown[] = new Array(reads.length);
  for (let index = 0; index < reads.length; index += 1) values[index] = reads[index]?.(run);
  return values;
}
