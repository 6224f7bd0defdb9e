import type {
  Access,
  CommandContext,
  CredentialKind,
  Env,
  IdKind,
  MutationExtras,
  SubscriptionContext,
} from '../register.ts';
import type { PayloadValue, StatementCommand } from './commands.ts';

/** Parameters for a SQL fragment. Fragments are hand-written and trusted; values are passed only through `param`. */
export interface RowScope {
  /** Alias of the row the field belongs to: `${s.t}.title`. */
  readonly t: string;
  /** Alias of the viewer's row; its columns are null when the request is anonymous. */
  readonly viewer: string;
  /** The kind of the request's credential, for conditions that only some kinds need; each kind has its statements. */
  readonly credential: CredentialKind;
  /** The row that this one was reached from, where the field that it was reached through names it. */
  readonly owner?: Owner;
  /** In the columns of a list's entries: the row's position in the whole list, from 0. Absent for other rows. */
  readonly place?: string;
  /** A placeholder whose value is computed for each request. */
  param(read: (env: Env) => unknown, cast?: string): string;
}

/**
 * The row that a field's rows belong to, under the name that the field gives it: what SQL would look up by a foreign
 * key is there already.
 */
export interface Owner {
  readonly name: string;
  /** Alias of the row. */
  readonly t: string;
}

/**
 * Arguments of a field whose SQL is built once for many requests. `given` and `literal` may change the SQL (each
 * combination gets its own statement); everything else becomes a placeholder. Fields of an input object have a dot in
 * their name: `filter.language`.
 */
export interface ArgScope {
  /** Whether the argument was sent and is not null. */
  given(name: string): boolean;
  /** The value of an enum or Boolean argument. */
  literal(name: string): unknown;
  /** A placeholder for the value, null when absent. */
  param(name: string, cast?: string): string;
  /**
   * A placeholder for the result of `read` for the value (never null or absent); `read` may throw an error about the
   * argument.
   */
  read(name: string, read: (value: unknown, name: string, env: Env) => unknown, cast?: string): string;
  /** A placeholder for the result of `read` for all arguments, by name; it may throw an error about one of them. */
  compute(read: (values: Readonly<Record<string, unknown>>, env: Env) => unknown, cast?: string): string;
  /**
   * A placeholder for the key in an argument that is a public identifier of one of the kinds; otherwise an error about
   * the argument.
   */
  id(name: string, kinds: readonly IdKind[]): string;
}

/** The arguments for SQL without placeholders. */
export type ArgShape = Pick<ArgScope, 'given' | 'literal'>;

export type Sql = (s: RowScope) => string;

/**
 * Order of a list: columns that together are unique and never null, all in one direction. They may depend on enum and
 * Boolean arguments (`args.literal`); a cursor is valid for the order of its list only.
 */
export interface ListOrder {
  readonly by: (child: string, args: ArgShape) => readonly string[];
  /** Newest first by default. */
  readonly direction?: Direction | ((args: ArgShape) => Direction);
}

export type Direction = 'asc' | 'desc';

/** Parameters for a list's SQL. */
export interface ListScope extends RowScope {
  /** Name of the list's `shared` relation. */
  readonly shared: string;
}

/**
 * Points for each read of a field, independent of its result, for work that its entries do not show: the sum of those
 * that apply.
 */
export type FieldCost = readonly CostPart[];

export interface CostPart {
  readonly points: number;
  /**
   * Only with certain arguments; `when` describes them in the field's description: `where filter.language is given`.
   */
  readonly if?: { readonly applies: (args: ArgShape) => boolean; readonly when: string };
}

/** Whether a document selects a field of an object column, by its path such as `items.title`. */
export type Selects = (path: string) => boolean;

export interface ColumnPlan {
  readonly kind: 'column';
  readonly cost: FieldCost | undefined;
  readonly sql: (s: RowScope, args: ArgScope, selects: Selects) => string | readonly string[];
  readonly read: ((values: never, env: Env) => unknown) | undefined;
}

/** Another type over the same row. */
export interface EmbedPlan {
  readonly kind: 'embed';
  readonly visibleIf: Sql | undefined;
}

/** The argument that identifies a missing row: `instead` if that one is given. */
export interface MissingRow {
  readonly field: string;
  readonly instead?: string;
}

/** At most one row of another table. */
export interface OnePlan {
  readonly kind: 'one';
  readonly on: (child: string, s: RowScope, args: ArgScope) => string;
  /** If several rows may match: the first in this order. */
  readonly first: ListOrder | undefined;
  /** Root fields: the argument in the error about a missing row; null returns null. */
  readonly missing: MissingRow | null;
  /** What the row that the field belongs to is called in the columns of its rows. */
  readonly owner: string | undefined;
}

/**
 * A list that merges ordered ranges, one per group: the newest of each channel of an account. Each range is read by
 * index, at most one page of it.
 */
export interface Groups {
  /** The groups: SQL of a relation with a unique column `id`. */
  readonly of: (s: RowScope, args: ArgScope) => string;
  /** Whether a row belongs to the group with this id. */
  readonly on: (child: string, groupId: string) => string;
  /**
   * Whether there may be many more groups than entries on a page. Then the first entry of each is read, and only the
   * groups with the first of these are read further.
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
  /** Exact count of the whole list, without reading it. */
  readonly total: (s: ListScope, args: ArgScope) => string;
  readonly visibleIf: ((s: RowScope, args: ArgScope) => string) | undefined;
  readonly defaultSize: number;
  /** The relation of the rows, if it is not the type's own table. */
  readonly from: string | ((s: ListScope, args: ArgScope) => string) | undefined;
  /** Root fields: a query that runs once for the page, the total and everything else. */
  readonly shared: ((s: RowScope, args: ArgScope) => string) | undefined;
  /**
   * Columns that `from` does not have, joined after the page is found: SQL of a relation with the rows of `page` and
   * all columns.
   */
  readonly complete: ((page: string) => string) | undefined;
  readonly within: Groups | ((args: ArgShape) => Groups | undefined) | undefined;
  /** Throws to reject a cursor by its order values, as PostgreSQL wrote them. */
  readonly checkCursor: ((values: readonly string[], env: Env, argument: string) => void) | undefined;
  /** Root fields: the argument in the error about a list that is not visible; null returns null without an error. */
  readonly denied: { readonly field: string } | null;
  /** Whether the entries have their position in the list (`RowScope.place`). */
  readonly numbered: boolean;
  /** What the row that the list belongs to is called in the columns of its entries. */
  readonly owner: string | undefined;
}

/** A property of a plain object from a json column, command or resolver. */
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
  /** Throws for arguments that are wrong whoever asks, before the viewer is authorized. */
  readonly check?: (args: never) => void;
  readonly resolve: (context: CommandContext, args: never) => unknown;
  readonly timeoutMs: number | undefined;
}

/** A list of what is not in the database. */
export interface KeysPlan {
  readonly kind: 'keys';
  /** Unique name of the list. */
  readonly list: string;
  readonly cost: FieldCost | undefined;
  /** All keys, in descending order. */
  readonly keys: (context: CommandContext) => Promise<readonly string[]>;
  /** What has these keys, without what does not exist any more. */
  readonly read: (context: CommandContext, keys: readonly string[]) => Promise<ReadonlyMap<string, object>>;
  readonly timeoutMs: number | undefined;
}

export interface MutationPlan {
  readonly kind: 'mutation';
  readonly cost: FieldCost | undefined;
  /** Runs its own transaction; the viewer was authorized. */
  readonly command: ((context: CommandContext, args: never) => Promise<PayloadValue>) | undefined;
  readonly statement: StatementCommand<never, never> | undefined;
  /** The first field of the payload, for whose entity an id alone and the statement's row are. */
  readonly main?: () => string;
  readonly timeoutMs: number | undefined;
  /** The application's own declarations. */
  readonly extras: MutationExtras | undefined;
}

/** An event that a subscription delivers: its cursor in the log, and the values that its message is read by. */
export interface SubscriptionEvent {
  /** Opaque; a client that continues after it misses no event. */
  readonly cursor: string;
  /** Values of the event for the placeholders of the message's statement. */
  readonly item: Readonly<Record<string, unknown>>;
}

export interface SubscriptionPlan {
  readonly kind: 'subscription';
  /** Throws if there is nothing to follow; otherwise yields events until the request's signal is aborted. */
  readonly source: (context: SubscriptionContext, args: never) => Promise<AsyncIterable<SubscriptionEvent>>;
  /** The plan that reads each message: one row. */
  readonly read: OnePlan;
}

export type FieldPlan = ColumnPlan | EmbedPlan | OnePlan | ConnectionPlan | ValuePlan | ReadPlan;
export type RootPlan =
  | OnePlan
  | ConnectionPlan
  | EmbedPlan
  | NodePlan
  | ResolvePlan
  | KeysPlan
  | MutationPlan
  | SubscriptionPlan;

/** Extensions of a GraphQL field that the planner reads. */
export interface PlannedField {
  readonly plan: FieldPlan | RootPlan;
  /** Root fields only. */
  readonly access?: Access;
  /** Set when the value is a credential. */
  readonly secret?: boolean;
}

/** Extensions of a GraphQL object type that stands for rows of a table (or the view of the viewer, without table). */
export interface PlannedType {
  readonly table: string | null;
  readonly key: string;
  /** Kinds of identifiers that `node` reads here, and which rows it may show. */
  readonly node: { readonly kinds: readonly IdKind[]; readonly where: (child: string, s: RowScope) => string } | null;
}

/** Extensions of an interface over rows of one table, or over a row of another type, which have different types. */
export interface PlannedInterface {
  readonly table: string | null;
  readonly key: string;
  /** SQL for the GraphQL type's name. */
  readonly typename: Sql;
}
