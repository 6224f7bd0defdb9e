/**
 * What a change means for a program of the release before, which runs beside the new one.
 *
 * `breaks`: it may fail, or what it needs is gone. `locks`: its statements on the table wait while PostgreSQL reads all
 * rows or builds an index. `rewrites`: they wait while PostgreSQL writes the table again, which needs space for it.
 */
export type Hazard = 'breaks' | 'locks' | 'rewrites';

/** One thing that a statement does. */
export interface SchemaChange {
  /** Such as "drops column contents.title". */
  readonly what: string;
  /** The table whose rows or columns it is about. */
  readonly table: string | null;
  readonly hazard: Hazard | null;
}

/** Tables, and columns as `table.column`, that no program which runs beside the migration can know. */
export type NewObjects = Set<string>;
