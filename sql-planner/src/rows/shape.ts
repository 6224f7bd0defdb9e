import type { Env } from '../register.ts';
import type { CursorCodec } from '../statements/cursor.ts';
import type { Row } from '../statements/sql.ts';

/** What is known of a connection when it is planned. */
export interface ConnectionSpec {
  readonly size: number;
  readonly forward: boolean;
  /** Points of the list itself, whatever is in it. */
  readonly points: number;
  readonly codec: CursorCodec;
  /** Positions of the order values (as text) in the rows of the list; null unless cursors of the page are selected. */
  readonly edgeCursors: readonly number[] | null;
  /** The names under which the page information holds each of its fields. */
  readonly info: Readonly<Record<'hasNextPage' | 'hasPreviousPage' | 'startCursor' | 'endCursor', readonly string[]>>;
}

/** A connection whose rows are being read. */
export class Connection {
  /** The connection as the response holds it. */
  value: unknown = null;
  /** Its page information, likewise. */
  info: Record<string, unknown> = {};
  readonly edges: unknown[] = [];
  /** Rows of the edges, kept while page cursors are to be made. */
  readonly rows: Row[] = [];
  readonly spec: ConnectionSpec;

  constructor(spec: ConnectionSpec) {
    this.spec = spec;
  }

  /** Drops the entry beyond the page, which only showed that the list goes on, and makes the page's cursors. */
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

/** What the statements of one root field share while their rows become objects. */
export class ShapeState {
  /** Connections that wait for their rows from a statement of their own, by the keys of their ancestors. */
  readonly waiting: Array<Map<string, Connection>> = [];
  /** Connections with something left to do when all rows are in. */
  readonly unfinished: Connection[] = [];
  /** Objects made, and points of what was read besides. */
  points = 0;
  /** Whether every field that must have a value has one. */
  isComplete = true;

  open(spec: ConnectionSpec, finishes: boolean): Connection {
    const connection = new Connection(spec);
    this.points += spec.points;
    if (finishes) this.unfinished.push(connection);
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

  /**
   * In place of a value that must be there and is not: the response is then completed by graphql-js, which finds the
   * error's place.
   */
  missing(): null {
    this.isComplete = false;
    return null;
  }
}

/** Makes what the response holds of a value whose properties are named by fields: null where there is none. */
export type Projection = (value: unknown, state: ShapeState) => unknown;

/** Values that generated code refers to by position. */
export class Constants {
  readonly reads: Array<(values: never, env: Env) => unknown> = [];
  readonly specs: ConnectionSpec[] = [];
  readonly projections: Projection[] = [];
}

/** What rows became. */
export interface Shaped {
  /** As the response holds it. */
  readonly value: unknown;
  readonly points: number;
  readonly isComplete: boolean;
}

/** What of a request the rows are read with. */
export interface ShapeInput {
  readonly env: Env;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Makes objects of the rows of one statement; the first statement of a root field returns the field's value. */
export type Shape = (rows: readonly Row[], input: ShapeInput, state: ShapeState) => unknown;
