import type { ColumnPlan, FieldCost, FieldPlan, ListOrder } from './declarations.ts';
import type { Lifecycle } from './lifecycle.ts';
import type {
  ArgBuilder,
  Args,
  ColumnOptions,
  ConnectionOptions,
  EmbedOptions,
  EntityRef,
  FieldType,
  OneOptions,
  ReadOptions,
  ValueOptions,
} from './types.ts';

/** A declared field, before the schema is built. */
export interface FieldDeclaration {
  readonly type: () => FieldType | EntityRef;
  readonly nullable: boolean;
  readonly description: string;
  readonly lifecycle: Lifecycle | undefined;
  readonly args: ((t: ArgBuilder) => Args) | undefined;
  readonly secret: boolean;
  /** Null in interfaces, whose implementations have the plans. A list gets its name. */
  readonly plan: ((list: string) => FieldPlan) | null;
  /** Whether the field is a connection to `type`. */
  readonly connection: boolean;
}

interface Common {
  readonly description: string;
  readonly lifecycle?: Lifecycle;
  readonly nullable?: boolean;
  readonly cost?: FieldCost;
  readonly secret?: boolean;
}

/** Default page size of a list, and the maximum for a request. */
export const DEFAULT_PAGE_SIZE = 20;
export const MAX_PAGE_SIZE = 100;

function declaration(
  options: Common,
  rest: Pick<FieldDeclaration, 'type' | 'plan' | 'connection'> & { args?: FieldDeclaration['args'] },
): FieldDeclaration {
  return {
    nullable: options.nullable ?? false,
    description: describedWith(options.description, options.cost),
    lifecycle: options.lifecycle,
    args: undefined,
    secret: options.secret ?? false,
    ...rest,
  };
}

/** A field's description with its cost besides its entries. */
export function describedWith(description: string, cost: FieldCost | undefined): string {
  if (!cost) return description;
  const parts = cost.map((part) => `${part.points} points more${part.if ? ` ${part.if.when}` : ''}`);
  return `${description} Costs ${parts.join(', ')}.`;
}

/** The value, or a function that returns it later. */
export function lazily<T>(value: T | (() => T)): () => T {
  // No other member of the union is a function.
  return typeof value === 'function' ? (value as () => T) : () => value;
}

export function listOrder(order: ListOrder['by'] | ListOrder): ListOrder {
  return typeof order === 'function' ? { by: order } : order;
}

/** The plan of a connection, shared by fields and root fields. */
export function connectionPlan(options: ConnectionOptions<never> | ConnectionOptions, list: string): FieldPlan {
  return {
    kind: 'connection',
    list,
    cost: options.cost,
    where: options.where,
    order: listOrder(options.order),
    total: options.total,
    visibleIf: options.visibleIf,
    defaultSize: options.defaultSize ?? DEFAULT_PAGE_SIZE,
    from: options.from,
    complete: options.complete,
    within: options.within,
    checkCursor: options.checkCursor,
    denied: null,
    shared: options.shared,
    numbered: options.numbered ?? false,
    owner: options.owner,
  };
}

/** Declares the fields of rows, objects and interfaces: the `f` of every declaration. */
export const fieldFactory = {
  /** A value of the row. */
  column<Values = never, A extends Args = Args>(options: ColumnOptions<Values, A>): FieldDeclaration {
    return declaration(options, {
      type: lazily(options.type),
      connection: false,
      args: options.args,
      // `read` gets what `sql` selects; the declaration asserts its type in the annotation of the parameter.
      plan: () => ({ kind: 'column', cost: options.cost, sql: options.sql, read: options.read as ColumnPlan['read'] }),
    });
  },

  /** Another type over the same row. */
  embed(options: EmbedOptions): FieldDeclaration {
    return declaration(options, {
      type: lazily(options.type),
      connection: false,
      plan: () => ({ kind: 'embed', visibleIf: options.visibleIf }),
    });
  },

  /** At most one row of another entity. */
  one<A extends Args = Args>(options: OneOptions<A>): FieldDeclaration {
    return declaration(options, {
      type: lazily(options.type),
      connection: false,
      args: options.args,
      plan: () => ({ kind: 'one', on: options.on, first: options.first, missing: null, owner: options.owner }),
    });
  },

  /** A list of another entity, as a Relay connection. */
  connection<A extends Args = Args>(options: ConnectionOptions<A>): FieldDeclaration {
    return declaration(options, {
      type: lazily(options.type),
      connection: true,
      args: options.args,
      plan: (list) => connectionPlan(options, list),
    });
  },

  /** A property of a plain object. */
  value(options: ValueOptions): FieldDeclaration {
    return declaration(options, { type: lazily(options.type), connection: false, plan: () => ({ kind: 'value' }) });
  },

  /** In the payload of a mutation or the result of a resolver: an entity read by the id under this name. */
  read(options: ReadOptions): FieldDeclaration {
    return declaration(options, { type: lazily(options.type), connection: false, plan: () => ({ kind: 'read' }) });
  },
};

export type FieldFactory = typeof fieldFactory;

/** Declares the fields of interfaces, which have no plans. */
export const interfaceFieldFactory = {
  field(options: ValueOptions): FieldDeclaration {
    return declaration(options, { type: lazily(options.type), connection: false, plan: null });
  },

  connection(options: ReadOptions & { readonly args?: (t: ArgBuilder) => Args }): FieldDeclaration {
    return declaration(options, { type: lazily(options.type), connection: true, args: options.args, plan: null });
  },
};

export type InterfaceFieldFactory = typeof interfaceFieldFactory;
