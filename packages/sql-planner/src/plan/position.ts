import type { GraphQLCompositeType, GraphQLNamedType } from 'graphql';
import type { Ports } from '../ports.ts';
import type { CredentialKind } from '../register.ts';
import type { Branch, ListLevel } from '../rows/branch.ts';
import type { Owner, PlannedInterface, PlannedType, RowScope } from '../schema/declarations.ts';
import { type StatementBuilder, VIEWER } from '../statements/statement-builder.ts';
import type { ReadableDocument } from './selection.ts';

/** What a plan is made for: the schema and document with the variables that shape it, and the kind of credential. */
export interface PlanningContext extends ReadableDocument {
  readonly ports: Ports;
  readonly credential: CredentialKind;
}

/** Code that makes a value of `row`, and the points the value costs (see points.ts). */
export interface Code {
  readonly text: string;
  readonly cost: number;
}

/** A step from the viewer's row to another row: adds its join to whichever statement needs it. */
export type Step = (builder: StatementBuilder) => void;

/** One depth of lists in one statement. To-one rows and embedded types lie at the depth of their parent. */
export interface Depth {
  readonly branch: Branch;
  /** Of the branch's statement, or of a subquery in it. */
  readonly builder: StatementBuilder;
  /** Keys of the list rows from the outermost to this one, as SQL. */
  readonly keys: readonly string[];
  /** Whether a list below already continues this statement; a second one gets its own. */
  continued: boolean;
  readonly level: ListLevel | null;
  /** How many lists with entries lie directly below; undefined before the selection was looked at. */
  lists?: number;
}

/** A row that fields are read of. */
export interface Position {
  readonly alias: string;
  readonly steps: readonly Step[];
  readonly depth: Depth;
  /** Rows of a numbered list: the SQL of their place in it. */
  readonly place?: string;
  /** The row that this one was reached from, where the field names it. */
  readonly owner?: Owner;
  /** Rows that may be missing: the key that is null then. */
  readonly optional?: string;
  /** For rows read as another type with restricted visibility: the SQL condition for being visible. */
  readonly visible?: () => string;
}

/** What rows that are reached from `at` by a field of this plan know of it. */
export function ownerOf({ owner }: { readonly owner?: string | undefined }, at: Position): { owner?: Owner } {
  return owner === undefined ? {} : { owner: { name: owner, t: at.alias } };
}

/** How many lists lie above the row. */
export function levelOf(at: Position): number {
  return at.depth.keys.length;
}

/** What is expensive to compute is not computed for those who may not see it. */
export function whereVisible({ visible }: Position, expression: string): string {
  return visible === undefined ? expression : `case when ${visible()} then ${expression} end`;
}

export function scopeOf(builder: StatementBuilder, alias: string, owner?: Owner): RowScope {
  const { credential } = builder;
  const param = builder.requestParam.bind(builder);
  return { t: alias, viewer: VIEWER, credential, param, ...(owner ? { owner } : {}) };
}

/** What an interface declares of its rows; undefined for interfaces of rows in different tables. */
export function abstractOf(type: GraphQLNamedType): PlannedInterface | undefined {
  return type.extensions['abstract'] as PlannedInterface | undefined; // set by Graph
}

/** Table and key of a type whose rows can be joined. */
export function rowsOf(type: GraphQLCompositeType): { table: string; key: string } {
  const rows = (type.extensions['rows'] as PlannedType | undefined) ?? abstractOf(type); // set by Graph
  if (!rows?.table) throw new TypeError(`${type.name} has no table`);
  return { table: rows.table, key: rows.key };
}
