import type { Env } from '../register.ts';
import type { CursorCodec } from '../statements/cursor.ts';
import type { Row } from '../statements/sql.ts';

/** The planned part of a connection. */
export interface ConnectionSpec {
  readonly size: number;
  readonly forward: boolean;
  /** Points of the list itself, without its entries. */
  readonly points: number;
  readonly codec: CursorCodec;
  /** Positions of the order values (as text) in the rows of the list; null unless cursors of the page are selected. */
  readonly edgeCursors: readonly number[] | null;
  /** The response names of each field of the page information. */
  readonly info: Readonly<Record<'hasNextPage' | 'hasPreviousPage' | 'startCursor' | 'endCursor', readonly string[]>>;
}

/** A connection whose rows are being read. */
export class Connection {
  /** The connection in the response. */
  value: unknown = null;
  /** Its page information in the response. */
  info: Record<string, unknown> = {};
  readonly edges: unknown[] = [];
  /** Rows of the edges, if the page needs cursors. */
  readonly rows: Row[] = [];
  readonly spec: ConnectionSpec;

  constructor(spec: ConnectionSpec) {
    this.spec = spec;
  }

  /** Drops the entry after the page, which only shows that the list continues, and creates the page's cursors. */
  finish(): void {
    const { edges, rows, spec } = this;
    if (edges.length > spec.size) {
      if (spec.forward) {
        edges.length = spec.size;
        rows.length = Math.min(rows.length, spec.size);
        this.#set('hasNextPage', true);
      } else {
        edges.shift();
        rows.shift();
        this.#set('hasPreviousPage', true);
      }
    }
    const first = rows[0];
    const last = rows[rows.length - 1];
    if (first === undefined || last === undefined || spec.edgeCursors === null) return;
    this.#set('startCursor', spec.codec.encode(spec.edgeCursors.map((index) => String(first[index]))));
    this.#set('endCursor', spec.codec.encode(spec.edgeCursors.map((index) => String(last[index]))));
  }

  #set(field: keyof ConnectionSpec['info'], value: unknown): void {
    for (const name of this.spec.info[field]) this.info[name] = value;
  }
}

/** Rows whose columns are in several arrays each. */
export function unchunked(rows: readonly (readonly Row[])[] | null): Row[] {
  return (rows ?? []).map((row) => row.flat());
}

/** State that the statements of one root field share while their rows become objects. */
export class ShapeState {
  /** Connections that wait for the rows of another statement, by the keys of their ancestors. */
  readonly waiting: Array<Map<string, Connection>> = [];
  /** Connections to finish after all rows were read. */
  readonly unfinished: Connection[] = [];
  /** Number of objects, and points of other reads. */
  points = 0;
  /** Whether every non-null field has a value. */
  isComplete = true;

  open(spec: ConnectionSpec, finishes: boolean): Connection {
    const connection = new Connection(spec);
    this.points += spec.points;
    if (finishes) this.unfinished.push(connection);
    return connection;
  }

  /** Puts the entries of a list that came as one value into its connection. */
  fill(
    connection: Connection,
    rows: readonly Row[] | null,
    entry: (row: Row) => unknown,
    keepsRows: boolean,
  ): Connection {
    for (const row of rows ?? []) {
      this.points += 1;
      connection.edges.push(entry(row));
      if (keepsRows) connection.rows.push(row);
    }
    return connection;
  }

  wait(statement: number, key: string, connection: Connection): Connection {
    this.mapOf(statement).set(key, connection);
    return connection;
  }

  mapOf(statement: number): Map<string, Connection> {
    let map = this.waiting[statement];
    if (!map) {
      map = new Map();
      this.waiting[statement] = map;
    }
    return map;
  }

  /** Replaces the missing value of a non-null field: graphql-js then completes the response and locates the error. */
  missing(): null {
    this.isComplete = false;
    return null;
  }
}

/** Maps a value with fields as properties to the response; null for a missing value. */
export type Projection = (value: unknown, state: ShapeState) => unknown;

/** Values that generated code reads by position. */
export class Constants {
  readonly reads: Array<(values: never, env: Env) => unknown> = [];
  readonly specs: ConnectionSpec[] = [];
  readonly projections: Projection[] = [];
}

/** The result of reading rows. */
export interface Shaped {
  /** The value in the response. */
  readonly value: unknown;
  readonly points: number;
  readonly isComplete: boolean;
}

/** What reading the rows needs of the request. */
export interface ShapeInput {
  readonly env: Env;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Turns the rows of one statement into objects; the first statement of a root field returns the field's value. */
export type Shape = (rows: readonly Row[], input: ShapeInput, state: ShapeState) => unknown;
