import type { InputFieldMap, InputShapeFromFields } from '@pothos/core';
import type { Env, IdKind, IdScalar } from '../register.ts';
import type { GraphTypes } from './builder.ts';
import type {
  ArgScope,
  ArgShape,
  FieldCost,
  Groups,
  ListOrder,
  ListScope,
  RowScope,
  Selects,
  Sql,
} from './declarations.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { SCALARS } from './scalars.ts';

type Types = PothosSchemaTypes.ExtendDefaultTypes<GraphTypes>;
export type ArgBuilder = PothosSchemaTypes.InputFieldBuilder<Types, 'Arg'>;
export type InputBuilder = PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>;
export type Args = InputFieldMap;
export type ArgValues<Map extends Args> = InputShapeFromFields<Map>;

export type ScalarName = 'String' | 'Int' | 'Float' | 'Boolean' | 'ID' | IdScalar | keyof typeof SCALARS;
/** An enum or plain object type of Pothos, or a declared type. */
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
  /** One sentence for the schema. */
  readonly description: string;
  readonly lifecycle?: Lifecycle;
}

export interface ColumnOptions<Values, A extends Args = Args> extends Described {
  readonly type: FieldType | (() => FieldType);
  readonly nullable?: boolean;
  readonly args?: (t: ArgBuilder) => A;
  /** Points besides those of the result, for work that the response does not show. */
  readonly cost?: FieldCost;
  /** One SQL expression or several. */
  readonly sql: (s: RowScope, args: ArgScope, selects: Selects) => string | readonly string[];
  /** Derives the value from the values of the expressions (an array). By default, the single value. */
  readonly read?: (values: Values, env: Env) => unknown;
  /**
   * Whether the value is a credential, such as a key or an address that is its own permission. Operations that select
   * it are `secret`.
   */
  readonly secret?: boolean;
}

export interface EmbedOptions extends Described {
  readonly type: EntityRef | (() => EntityRef);
  readonly nullable?: boolean;
  /** The field is null if this is not true. */
  readonly visibleIf?: Sql;
}

export interface OneOptions<A extends Args = Args> extends Described {
  readonly type: EntityRef | (() => EntityRef);
  readonly nullable?: boolean;
  readonly args?: (t: ArgBuilder) => A;
  readonly on: (child: string, s: RowScope, args: ArgScope) => string;
  readonly first?: ListOrder;
  /** What the row that the field belongs to is called in the columns of what it leads to (`RowScope.owner`). */
  readonly owner?: string;
}

export interface ConnectionOptions<A extends Args = Args> extends Described {
  readonly type: EntityRef | (() => EntityRef);
  readonly nullable?: boolean;
  readonly args?: (t: ArgBuilder) => A;
  /** Points besides those of the result, for work that the response does not show. */
  readonly cost?: FieldCost;
  readonly where: (child: string, s: ListScope, args: ArgScope) => string;
  /** Column expressions that together are unique and never null; newest first by default. */
  readonly order: ListOrder['by'] | ListOrder;
  readonly total: (s: ListScope, args: ArgScope) => string;
  /** What the row that the field belongs to is called in the columns of what it leads to (`RowScope.owner`). */
  readonly owner?: string;
  /** The whole list is null if this is not true (declare it nullable). */
  readonly visibleIf?: (s: RowScope, args: ArgScope) => string;
  readonly defaultSize?: number;
  /** For a list that merges ordered ranges; a function if that depends on which arguments are given. */
  readonly within?: Groups | ((args: ArgShape) => Groups | undefined);
  /** Throws an error about `argument` to reject a cursor by its order values, as PostgreSQL wrote them. */
  readonly checkCursor?: (values: readonly string[], env: Env, argument: string) => void;
  /**
   * A relation with all columns of the type's table and those that `where` and `order` need besides:
   * `(select c.*, f.created_at as followed_at from follows f join channels c on …)`.
   */
  readonly from?: string | ((s: ListScope, args: ArgScope) => string);
  /**
   * If few columns suffice to find a page: the relation that adds the others to the rows of `page`, a query. Columns of
   * `from` keep their names: ``(page) => `select c.*, p.score from (${page}) p join contents c on c.id
   * = p.content_id` ``.
   */
  readonly complete?: (page: string) => string;
  /** Root fields only: a query, known as `s.shared`, that runs once for the page, the total and everything else. */
  readonly shared?: (s: RowScope, args: ArgScope) => string;
  /**
   * Gives the entries' columns their position in the whole list (`s.place`), counted once per page and only if it is
   * selected. Not with `within`.
   */
  readonly numbered?: boolean;
}

export interface ValueOptions extends Described {
  readonly type: FieldType | (() => FieldType);
  readonly nullable?: boolean;
  /**
   * Whether the value is a credential, such as a key or an address that is its own permission. Operations that select
   * it are `secret`.
   */
  readonly secret?: boolean;
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
