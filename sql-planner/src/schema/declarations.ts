import type { Access, CommandContext, Env, IdKind, MutationExtras, SubscriptionContext } from '../register.ts';
import type { PayloadValue, StatementCommand } from './commands.ts';

/** What a SQL fragment is built with. Fragments are written by hand and trusted; values travel only through `param`. */
export interface RowScope {
  /** Alias of the row the field belongs to: `${s.t}.title`. */
  readonly t: string;
  /** Alias of the viewer's row; its columns are null when the request is anonymous. */
  readonly viewer: string;
  /**
   * In columns of rows that a numbered list reads: the row's place in the whole list, from 0. Absent for rows read
   * elsewhere.
   */
  readonly place?: string;
  /** A placeholder whose value is computed at each run. */
  param(read: (env: Env) => unknown, cast?: string): string;
}

/**
 * Arguments of a field, while its SQL is built once for many runs. `given` and `literal` may shape the SQL (each
 * combination gets its own statement); everything else becomes a placeholder. Fields of an input object are named with
 * a dot: `filter.language`.
 */
export interface ArgScope {
  /** Whether the argument was sent and is not null. */
  given(name: string): boolean;
  /** The value of an enum or Boolean argument. */
  literal(name: string): unknown;
  /** A placeholder for the value, null when absent. */
  param(name: string, cast?: string): string;
  /**
   * A placeholder for what `read` makes of the value (never null or absent); `read` may throw an error about the
   * argument.
   */
  read(name: string, read: (value: unknown, name: string, env: Env) => unknown, cast?: string): string;
  /** A placeholder for what `read` makes of all arguments, by name; it may throw an error about one of them. */
  compute(read: (values: Readonly<Record<string, unknown>>, env: Env) => unknown, cast?: string): string;
  /**
   * A placeholder for the key in an argument that is a public identifier of one of the kinds; refused with the argument
   * as field when it is not.
   */
  id(name: string, kinds: readonly IdKind[]): string;
}

/** What of the arguments may shape SQL that has no placeholders of its own. */
export type ArgShape = Pick<ArgScope, 'given' | 'literal'>;

export type Sql = (s: RowScope) => string;

/**
 * Order of a list: columns that together are unique and never null, all in one direction. They may depend on enum and
 * Boolean arguments (`args.literal`); a cursor is good for the order it was made in.
 */
export interface ListOrder {
  readonly by: (child: string, args: ArgShape) => readonly string[];
  /** Newest first by default. */
  readonly direction?: Direction | ((args: ArgShape) => Direction);
}

export type Direction = 'asc' | 'desc';

/** What a list's SQL is built with. */
export interface ListScope extends RowScope {
  /** Name of the list's `shared` relation. */
  readonly shared: string;
}

/**
 * Points that a field is charged each time it is read, whatever it finds, for work that its entries do not show: the
 * sum of those that apply.
 */
export type FieldCost = readonly CostPart[];

export interface CostPart {
  readonly points: number;
  /**
   * Only where the arguments given ask for it; `when` says so in the field's description: `where filter.language is
   * given`.
   */
  readonly if?: { readonly applies: (args: ArgShape) => boolean; readonly when: string };
}

export interface ColumnPlan {
  readonly kind: 'column';
  readonly cost: FieldCost | undefined;
  readonly sql: (s: RowScope, args: ArgScope) => string | readonly string[];
  readonly read: ((values: never, env: Env) => unknown) | undefined;
}

/** Another type over the same row. */
export interface EmbedPlan {
  readonly kind: 'embed';
  readonly visibleIf: Sql | undefined;
}

/** The argument that names an absent row: `instead` where that one is given. */
export interface MissingRow {
  readonly field: string;
  readonly instead?: string;
}

/** At most one row of another table. */
export interface OnePlan {
  readonly kind: 'one';
  readonly on: (child: string, s: RowScope, args: ArgScope) => string;
  /** When several rows may match: the first in this order. */
  readonly first: ListOrder | undefined;
  /** Root fields: the argument that an error about an absent row names; null answers null. */
  readonly missing: MissingRow | null;
}

/**
 * A list that is put together of ordered ranges, one per group: the newest of each channel of an account. Each range is
 * read by its own index for one page at most, whatever lies between.
 */
export interface Groups {
  /** SQL of a relation with a column `id`, each once: the groups. */
  readonly of: (s: RowScope, args: ArgScope) => string;
  /** Whether a row belongs to the group with this id. */
  readonly on: (child: string, groupId: string) => string;
  /**
   * Whether there may be many more groups than entries on a page. Then the first entry of each is looked at, and only
   * the groups that begin with the first of these are read.
   */
  readonly many?: boolean;
}

export interface ConnectionPlan {
  readonly kind: 'connection';
  readonly cost: FieldCost | undefined;
  /** Name of the list, unique in the schema; cursors are bound to it. */
  readonly list: string;
  readonly where: (child: string, s: ListScope, args: ArgScope) => string;
  readonly order: ListOrder;
  /** Exact count of the whole list, computed without reading it. */
  readonly total: (s: ListScope, args: ArgScope) => string;
  readonly visibleIf: ((s: RowScope, args: ArgScope) => string) | undefined;
  readonly defaultSize: number;
  /** The relation that rows are taken from where it is not the type's own table. */
  readonly from: string | ((s: ListScope, args: ArgScope) => string) | undefined;
  /** Root fields: a query whose rows the page, the total and the rest share, so that it runs once. */
  readonly shared: ((s: RowScope, args: ArgScope) => string) | undefined;
  /**
   * What of the rows `from` does not have, joined once the page is found: SQL of a relation with the rows of `page`
   * completed.
   */
  readonly complete: ((page: string) => string) | undefined;
  readonly within: Groups | ((args: ArgShape) => Groups | undefined) | undefined;
  /** Refuses a cursor by its order values, as PostgreSQL wrote them, by throwing. */
  readonly checkCursor: ((values: readonly string[], env: Env, argument: string) => void) | undefined;
  /**
   * Root fields: the argument that an error about a list that is not visible names; null answers null without an error.
   */
  readonly denied: { readonly field: string } | null;
  /** Whether the entries know their place in the list (`RowScope.place`). */
  readonly numbered: boolean;
}

/** A property that is simply there: plain objects from json columns, commands and resolvers. */
export interface ValuePlan {
  readonly kind: 'value';
}

/** A field of a payload: an entity read by the id the command returned under the field's name. */
export interface ReadPlan {
  readonly kind: 'read';
}

/** Objects by public identifier: `node(id)` and `nodes(ids)`. */
export interface NodePlan {
  readonly kind: 'node' | 'nodes';
}

export interface ResolvePlan {
  readonly kind: 'resolve';
  readonly cost: FieldCost | undefined;
  readonly resolve: (context: CommandContext, args: never) => unknown;
  readonly timeoutMs: number | undefined;
}

export interface MutationPlan {
  readonly kind: 'mutation';
  readonly cost: FieldCost | undefined;
  /** Runs a transaction of its own; the viewer was authorized. */
  readonly command: ((context: CommandContext, args: never) => Promise<PayloadValue>) | undefined;
  readonly statement: StatementCommand<never, never> | undefined;
  readonly timeoutMs: number | undefined;
  /** What the application declared besides. */
  readonly extras: MutationExtras | undefined;
}

/** An event that a subscription delivers: its place in the log, and what its message is read by. */
export interface SubscriptionEvent {
  /** Opaque; a client that continues after it misses nothing. */
  readonly cursor: string;
  /** What the placeholders of the message's statement see of the event. */
  readonly item: Readonly<Record<string, unknown>>;
}

export interface SubscriptionPlan {
  readonly kind: 'subscription';
  /**
   * Finds out whether there is anything to follow, and follows it until the request's signal says that nobody listens.
   */
  readonly source: (context: SubscriptionContext, args: never) => Promise<AsyncIterable<SubscriptionEvent>>;
  /** How each message is read: one row. */
  readonly read: OnePlan;
}

export type FieldPlan = ColumnPlan | EmbedPlan | OnePlan | ConnectionPlan | ValuePlan | ReadPlan;
export type RootPlan = OnePlan | ConnectionPlan | EmbedPlan | NodePlan | ResolvePlan | MutationPlan | SubscriptionPlan;

/** Extensions of a GraphQL field that the planner reads. */
export interface PlannedField {
  readonly plan: FieldPlan | RootPlan;
  /** Root fields only. */
  readonly access?: Access;
}

/** Extensions of a GraphQL object type that stands for rows of a table (or the view of the viewer, without table). */
export interface PlannedType {
  readonly table: string | null;
  readonly key: string;
  /** Kinds of identifiers that `node` finds here, and which of the rows it may show. */
  readonly node: { readonly kinds: readonly IdKind[]; readonly where: (child: string, s: RowScope) => string } | null;
}

/** Extensions of an interface whose rows live in one table and say their type themselves. */
export interface PlannedInterface {
  readonly table: string;
  readonly key: string;
  /** SQL that yields the GraphQL type's name. */
  readonly typename: Sql;
}
