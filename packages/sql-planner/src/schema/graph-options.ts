import type { Access, CommandContext, SubscriptionContext } from '../register.ts';
import type { PayloadValue, StatementCommand } from './commands.ts';
import type { ArgScope, FieldCost, MissingRow, RootPlan, RowScope, Sql, SubscriptionEvent } from './declarations.ts';
import type { FieldDeclaration, FieldFactory } from './fields.ts';
import type { Lifecycle } from './lifecycle.ts';
import type {
  ArgBuilder,
  Args,
  ArgValues,
  ConnectionOptions,
  EntityRef,
  FieldType,
  NodeOptions,
  OneOptions,
} from './types.ts';

/** A declared type, for building the schema. */
export interface TypeDeclaration {
  readonly name: string;
  readonly kind: 'rows' | 'object' | 'interface';
  readonly ref: object;
  readonly description: string;
  readonly interfaces: EntityRef[];
  readonly fields: Array<() => Record<string, FieldDeclaration>>;
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** A declared root field. */
export interface RootDeclaration {
  readonly name: string;
  readonly root: 'Query' | 'Mutation' | 'Subscription';
  readonly access: Access;
  readonly description: string;
  readonly lifecycle: Lifecycle | undefined;
  readonly type: () => FieldType | EntityRef;
  /** Whether it is null only together with an error. */
  readonly semanticNonNull: boolean;
  readonly connection: boolean;
  readonly args: ((t: ArgBuilder) => Args) | undefined;
  readonly plan: RootPlan;
}

export interface TypeOptions {
  readonly description: string;
  readonly lifecycle?: Lifecycle;
  readonly interfaces?: readonly EntityRef[];
  readonly fields: (f: FieldFactory) => Record<string, FieldDeclaration>;
}

export interface EntityOptions extends TypeOptions {
  readonly table: string;
  /** Unique column; defaults to `id`. */
  readonly key?: string;
  readonly node?: NodeOptions;
}

export interface SupertypeOptions extends TypeOptions {
  /** Omitted for types over a row of another type. */
  readonly table?: string;
  /** Unique column; defaults to `id`. */
  readonly key?: string;
  /** SQL for the name of a row's type. */
  readonly typename: Sql;
}

export interface RootOptions {
  /** The access that the caller needs. */
  readonly access: Access;
  readonly description: string;
  readonly lifecycle?: Lifecycle;
}

export type Lazy<T> = T | (() => T);

export interface QueryOneOptions<A extends Args> extends Omit<OneOptions<A>, 'description' | 'lifecycle'>, RootOptions {
  /** The result for a missing row: 'null', or a not-found error about this argument. */
  readonly missing: 'null' | MissingRow;
}

export interface QueryConnectionOptions<A extends Args> extends ConnectionOptions<A>, RootOptions {
  /** The argument in the error if `visibleIf` is not true. */
  readonly denied?: { readonly field: string };
}

export interface QueryResolveOptions<A extends Args> extends RootOptions {
  readonly type: Lazy<FieldType | EntityRef>;
  /** Whether it may be null without an error. */
  readonly nullable?: boolean;
  readonly args?: (t: ArgBuilder) => A;
  /** Returns the value, or for a type with `read` fields the ids under their names. */
  readonly resolve: (context: CommandContext, args: ArgValues<A>) => unknown;
  /** Points besides those of the result. */
  readonly cost?: FieldCost;
  readonly timeoutMs?: number;
}

export interface QueryKeysOptions extends RootOptions {
  readonly type: Lazy<EntityRef>;
  readonly keys: (context: CommandContext) => Promise<readonly string[]>;
  /** Things by their keys, without those that do not exist any more. */
  readonly read: (context: CommandContext, keys: readonly string[]) => Promise<ReadonlyMap<string, object>>;
  /** Points besides those of the result. */
  readonly cost?: FieldCost;
  readonly timeoutMs?: number;
}

export interface SubscriptionOptions<A extends Args> extends RootOptions {
  readonly args?: (t: ArgBuilder) => A;
  /** The type of each message. */
  readonly payload: Lazy<EntityRef>;
  /** Follows the events. Throws if there is nothing to follow for this viewer. */
  readonly source: (context: SubscriptionContext, args: ArgValues<A>) => Promise<AsyncIterable<SubscriptionEvent>>;
  /** The row of a message: as visible to the viewer at that moment. */
  readonly on: (child: string, s: RowScope, args: ArgScope) => string;
  /** A message without a row: 'skip' omits it, otherwise an error about that argument ends the stream. */
  readonly missing: 'skip' | { readonly field: string };
}

/** The fields of a payload. */
export type PayloadFields = (f: FieldFactory) => Record<string, FieldDeclaration>;

export interface MutationOptions<A extends Args, Input> extends RootOptions {
  readonly args?: (t: ArgBuilder) => A;
  /**
   * Fields of its payload, a type named after it: `renameMaker` gets `RenameMakerPayload`. `read` fields are entities
   * by the ids that the command returns; an id alone is that of the first field.
   */
  readonly payload?: PayloadFields;
  /** In place of a payload: an entity, or an object with `read` and `value` fields. */
  readonly type?: Lazy<EntityRef>;
  /** A command with its own transaction; give this or `statement`. */
  readonly command?: (context: CommandContext, args: ArgValues<A>) => Promise<PayloadValue>;
  /** A command that is one SQL statement, in one round trip with the read of its payload. */
  readonly statement?: StatementCommand<ArgValues<A>, Input>;
  /** Time limit, if it is not that of all operations. */
  readonly timeoutMs?: number;
  /** Points besides those of every mutation and of its payload. */
  readonly cost?: FieldCost;
}
