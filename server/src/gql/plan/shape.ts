import type { CursorCodec } from '../cursor.ts';
import type { RequestContext } from '../request-context.ts';

export type Row = readonly unknown[];

/** What is known of a connection when it is planned. */
export interface ConnectionSpec {
  readonly size: number;
  readonly forward: boolean;
  /** Points of the list itself, whatever is in it. */
  readonly points: number;
  readonly codec: CursorCodec;
  /** Positions of the order values (as text) in the rows of the list; null unless cursors of the page are asked for. */
  readonly edgeCursors: readonly number[] | null;
}

/** A connection as the executor reads it. */
export class ConnectionValue {
  edges: Array<{ node: unknown; cursor: string | null }> = [];
  pageInfo = { hasNextPage: false, hasPreviousPage: false, startCursor: null as string | null, endCursor: null as string | null };
  totalCount: unknown;
  /** Rows of the edges, kept while page cursors are to be made. */
  rows: Row[] = [];
  readonly spec: ConnectionSpec;

  constructor(spec: ConnectionSpec, totalCount: unknown, hasPrevious: boolean, hasNext: boolean) {
    this.spec = spec;
    this.totalCount = totalCount;
    this.pageInfo.hasPreviousPage = hasPrevious;
    this.pageInfo.hasNextPage = hasNext;
  }

  /** Drops the entry beyond the page, which only told that the list goes on, and makes the page's cursors. */
  finish(): void {
    const { edges, pageInfo, rows, spec } = this;
    if (edges.length > spec.size) {
      if (spec.forward) {
        edges.length = spec.size;
        rows.length = Math.min(rows.length, spec.size);
        pageInfo.hasNextPage = true;
      } else {
        edges.shift();
        rows.shift();
        pageInfo.hasPreviousPage = true;
      }
    }
    const first = rows[0];
    const last = rows[rows.length - 1];
    if (first === undefined || last === undefined || spec.edgeCursors === null) return;
    pageInfo.startCursor = spec.codec.encode(spec.edgeCursors.map((index) => String(first[index])));
    pageInfo.endCursor = spec.codec.encode(spec.edgeCursors.map((index) => String(last[index])));
  }
}

/** What the statements of one root field share while their rows become objects. */
export class ShapeState {
  /** Connections that wait for their rows from a statement of their own, by the keys of their ancestors. */
  readonly waiting: Array<Map<string, ConnectionValue | null>> = [];
  /** Connections with something left to do when all rows are in. */
  readonly unfinished: ConnectionValue[] = [];
  /** Objects made, and points of what was read besides. */
  made = 0;

  open(spec: ConnectionSpec, finishes: boolean, total: unknown, hasPrevious: unknown, hasNext: unknown): ConnectionValue {
    const connection = new ConnectionValue(spec, total, hasPrevious === true, hasNext === true);
    this.made += spec.points;
    if (finishes) this.unfinished.push(connection);
    return connection;
  }

  wait(statement: number, key: string, connection: ConnectionValue): ConnectionValue {
    this.mapOf(statement).set(key, connection);
    return connection;
  }

  mapOf(statement: number): Map<string, ConnectionValue | null> {
    let map = this.waiting[statement];
    if (!map) {
      map = new Map();
      this.waiting[statement] = map;
    }
    return map;
  }
}

/** Values that generated code refers to by position. */
export interface Constants {
  readonly reads: Array<(values: never, run: RequestContext) => unknown>;
  readonly specs: ConnectionSpec[];
}

/** Makes objects of the rows of one statement; the first statement of a root field returns the field's value. */
export type Shape = (rows: readonly Row[], run: RequestContext, state: ShapeState) => unknown;
