import type { Run } from '../run.ts';
import { namedStatement, type Statement } from '../sql.ts';
import { type CredentialKind, PACKED_VIEWER, type ViewerSource } from '../viewer.ts';

/** Computes the value of a placeholder at each run. */
export type Read = (run: Run) => unknown;

/** A statement with what its values are computed by. */
export interface Prepared {
  readonly statement: Statement;
  readonly reads: readonly Read[];
}

/** Alias of the viewer's row in every planned statement. */
export const VIEWER = 'v';

/** Puts one statement together: `with viewer … select columns from viewer v <joins> order by …`. */
export class StatementBuilder {
  readonly #columns = new Map<string, number>();
  readonly #joins: string[] = [];
  readonly #order: string[] = [];
  readonly #reads: Read[] = [];
  readonly #viewer: string;

  constructor(source: ViewerSource, credential: CredentialKind) {
    this.#viewer = viewerCte(source, credential, (read) => this.param(read));
  }

  /** A placeholder. */
  param(read: Read, cast?: string): string {
    this.#reads.push(read);
    return cast === undefined ? `$${this.#reads.length}` : `$${this.#reads.length}::${cast}`;
  }

  /** Position of an expression among the selected ones; equal expressions are selected once. */
  column(sql: string): number {
    const known = this.#columns.get(sql);
    if (known !== undefined) return known;
    this.#columns.set(sql, this.#columns.size);
    return this.#columns.size - 1;
  }

  join(sql: string): void {
    this.#joins.push(sql);
  }

  order(sql: string): void {
    this.#order.push(sql);
  }

  build(label: string): Prepared {
    const columns = this.#columns.size === 0 ? 'null' : [...this.#columns.keys()].join(', ');
    const order = this.#order.length === 0 ? '' : ` order by ${this.#order.join(', ')}`;
    const joins = this.#joins.map((join) => ` ${join}`).join('');
    const text = `with ${this.#viewer} select ${columns} from viewer ${VIEWER}${joins}${order}`;
    return { statement: namedStatement(label, text), reads: this.#reads };
  }
}

/** The `viewer` CTE. Materialized, so that the packed text is made once and not for every row. */
export function viewerCte(source: ViewerSource, credential: CredentialKind, param: (read: Read) => string): string {
  const placeholders = new Map<string, string>();
  const text = source[credential].replace(/\$([12])(?!\d)/g, (whole) => {
    const known = placeholders.get(whole);
    if (known !== undefined) return known;
    const placeholder = whole === '$1' ? `${param((run) => run.credential)}` : `${param((run) => run.nowIso)}::timestamptz`;
    placeholders.set(whole, placeholder);
    return placeholder;
  });
  return `viewer as materialized (select u.*, ${PACKED_VIEWER} as packed from (${text}) u)`;
}

/** Values of a prepared statement for this run. Throws AppError when an argument is not acceptable. */
export function valuesOf(prepared: Prepared, run: Run): unknown[] {
  const { reads } = prepared;
  const values: unknown[] = new Array(reads.length);
  for (let index = 0; index < reads.length; index += 1) values[index] = reads[index]?.(run);
  return values;
}
