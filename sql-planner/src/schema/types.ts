import type { InputFieldMap, InputShapeFromFields } from '@pothos/core';
import type { Env, IdKind, IdScalar } from '../register.ts';
import type { GraphTypes } from './builder.ts';
import type { ArgScope, ArgShape, FieldCost, Groups, ListOrder, ListScope, RowScope, Sql } from './declarations.ts';

type Types = PothosSchemaTypes.ExtendDefaultTypes<GraphTypes>;
export type ArgBuilder = PothosSchemaTypes.InputFieldBuilder<Types, 'Arg'>;
export type InputBuilder = PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>;
export type Args = InputFieldMap;
export type ArgValues<Map extends Args> = InputShapeFromFields<Map>;

export type ScalarName = 'String' | 'Int' | 'Float' | 'Boolean' | 'ID' | IdScalar | 'DateTime' | 'BigInt' | 'JSON';
/** An enum or plain object type made with the schema builder, or one of ours. */
export interface NamedType {
  readonly name: string;
}
export type LeafType = ScalarName | NamedType;
/** A type or a list of it. */
export type FieldType = LeafType | readonly [LeafType];

/** An object type whose rows the planner reads. */
export interface EntityRef {
  readonly name: string;
  readonly ref: object;
  readonly table: string | null;
  readonly key: string;
}

interface Described {
  /** One sentence for the reader of the schema. */
  readonly description: string;
  readonly deprecationReason?: string;
}

export interface ColumnOptions<Values, A extends Args = Args> extends Described {
  readonly type: FieldType | (() => FieldType);
  readonly nullable?: boolean;
  readonly args?: (t: ArgBuilder) => A;
  /** Points beside those of what it finds, for work that the answer does not show. */
  readonly cost?: FieldCost;
  /** One SQL expression or several. */
  readonly sql: (s: RowScope, args: ArgScope) => string | readonly string[];
  /** Makes the value of the expressions' values (always an array). Without it: the one value as it is. */
  readonly read?: (values: Values, env: Env) => unknown;
}

export interface EmbedOptions extends Described {
  readonly type: EntityRef | (() => EntityRef);
  readonly nullable?: boolean;
  /** Null where this is not true. */
  readonly visibleIf?: Sql;
}

export interface OneOptions<A extends Args = Args> extends Described {
  readonly type: EntityRef | (() => EntityRef);
  readonly nullable?: boolean;
  readonly args?: (t: ArgBuilder) => A;
  readonly on: (child: string, s: RowScope, args: ArgScope) => string;
  readonly first?: ListOrder;
}

export interface ConnectionOptions<A extends Args = Args> extends Described {
  readonly type: EntityRef | (() => EntityRef);
  readonly nullable?: boolean;
  readonly args?: (t: ArgBuilder) => A;
  /** Points beside those of what it finds, for work that the answer does not show. */
  readonly cost?: FieldCost;
  readonly where: (child: string, s: ListScope, args: ArgScope) => string;
  /** Column expressions that together are unique and never null: newest first unless `direction` says otherwise. */
  readonly order: ListOrder['by'] | ListOrder;
  readonly total: (s: ListScope, args: ArgScope) => string;
  /** The whole list is null where this is not true (declare it nullable). */
  readonly visibleIf?: (s: RowScope, args: ArgScope) => string;
  readonly defaultSize?: number;
  /** Where the list is put together of ordered ranges; a function where that depends on which arguments are given. */
  readonly within?: Groups | ((args: ArgShape) => Groups | undefined);
  /** Refuses a cursor by its order values, as PostgreSQL wrote them, by throwing an error about `argument`. */
  readonly checkCursor?: (values: readonly string[], env: Env, argument: string) => void;
  /**
   * A relation with all columns of the type's table and those that `where` and `order` need besides:
   * `(select c.*, f.created_at as followed_at from follows f join channels c on …)`.
   */
  readonly from?: string | ((s: ListScope, args: ArgScope) => string);
  /**
   * Where a page is found of few columns, sorted or merged: the relation that adds the others to the rows of `page`, a
   * query. Those of `from` keep their names: ``(page) => `select c.*, p.score from (${page}) p join contents c on c.id
   * = p.content_id` ``.
   */
  readonly complete?: (page: string) => string;
  /** Root fields only: a query, known as `s.shared`, that runs once for the page, the total and everything else. */
  readonly shared?: (s: RowScope, args: ArgScope) => string;
  /**
   * Tells the entries' columns their place in the whole list (`s.place`), counted once per page and only where it is
   * selected. Not with `within`.
   */
  readonly numbered?: boolean;
}

export interface ValueOptions extends Described {
  readonly type: FieldType | (() => FieldType);
  readonly nullable?: boolean;
}

export interface ReadOptions extends Described {
  readonly type: EntityRef | (() => EntityRef);
  readonly nullable?: boolean;
}

export interface NodeOptions {
  readonly kinds: readonly IdKind[];
  /** Which rows `node` may show to the viewer. */
  readonly where: (child: string, s: RowScope) => string;
}
