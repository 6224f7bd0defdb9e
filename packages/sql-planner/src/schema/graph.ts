import type { GraphQLSchema } from 'graphql';
import type { Access, CommandContext, IdScalar, MutationExtras } from '../register.ts';
import { buildSchema } from './build-schema.ts';
import { type Builder, createBuilder, type IdScalarOptions } from './builder.ts';
import type { PayloadValue } from './commands.ts';
import type { FieldCost, MutationPlan, RootPlan, SubscriptionPlan } from './declarations.ts';
import {
  connectionPlan,
  describedWith,
  type FieldDeclaration,
  type FieldFactory,
  fieldFactory,
  type InterfaceFieldFactory,
  interfaceFieldFactory,
  lazily,
  listOrder,
} from './fields.ts';
import type {
  EntityOptions,
  Lazy,
  MutationOptions,
  PayloadFields,
  QueryConnectionOptions,
  QueryKeysOptions,
  QueryOneOptions,
  QueryResolveOptions,
  RootDeclaration,
  RootOptions,
  SubscriptionOptions,
  SupertypeOptions,
  TypeDeclaration,
  TypeOptions,
} from './graph-options.ts';
import { lifecycleExtension } from './lifecycle.ts';
import type { ArgBuilder, Args, EntityRef, NodeOptions } from './types.ts';

/**
 * Collects declarations and builds the schema from them. Declarations are plain data and may refer to each
 * other before they exist: nothing is evaluated before {@link Graph.schema}.
 *
 * Every root field is nullable, so that an error of one leaves the others: what a mutation has done is in the response
 * even when the next one fails. Those that are null only together with an error are `@semanticNonNull`.
 */
export class Graph {
  /** For enums and input types, which are declared with Pothos directly. */
  readonly builder: Builder;
  readonly #id: IdScalar;
  readonly #types = new Map<string, TypeDeclaration>();
  readonly #roots = new Map<string, RootDeclaration>();
  #schema: GraphQLSchema | undefined;

  /** `id` is the scalar of identifiers; `others` are further ones for the same text. */
  constructor(id: IdScalarOptions, others: readonly IdScalarOptions[] = []) {
    this.#id = id.name;
    this.builder = createBuilder([id, ...others]);
  }

  /** Rows of a table. */
  entity(name: string, options: EntityOptions): EntityRef {
    return this.#rows(name, options, options.table, options.key ?? 'id', options.node ?? null);
  }

  /** A type over a row of another type, for `embed` and views of the viewer. */
  part(name: string, options: TypeOptions): EntityRef {
    return this.#rows(name, options, null, 'id', null);
  }

  /** A type whose values come from json columns, commands and resolvers: `value` and `read` fields. */
  object(name: string, options: TypeOptions): EntityRef {
    const ref = this.builder.objectRef<object>(name);
    return this.#declare(
      {
        name,
        kind: 'object',
        ref,
        description: options.description,
        interfaces: [...(options.interfaces ?? [])],
        fields: [() => options.fields(fieldFactory)],
        extensions: { object: true, ...lifecycleExtension(options.lifecycle) },
      },
      null,
      'id',
    );
  }

  /** An interface of types with rows in different tables. */
  interface(
    name: string,
    options: Pick<TypeOptions, 'description' | 'lifecycle'> & {
      readonly fields: (f: InterfaceFieldFactory) => Record<string, FieldDeclaration>;
    },
  ): EntityRef {
    const { description } = options;
    const fields = [() => options.fields(interfaceFieldFactory)];
    const extensions = lifecycleExtension(options.lifecycle);
    return this.#interface({ name, description, interfaces: [], fields, extensions }, null, 'id');
  }

  /**
   * An interface over the rows of one table, or over a row of another such type, each of which is of the type that
   * `typename` names. Types that implement it have its fields as it declares them, unless they declare them themselves.
   */
  supertype(name: string, options: SupertypeOptions): EntityRef {
    const { description, table = null, key = 'id', typename } = options;
    const declared = { name, description, interfaces: [...(options.interfaces ?? [])] };
    const extensions = { abstract: { table, key, typename }, ...lifecycleExtension(options.lifecycle) };
    return this.#interface({ ...declared, fields: [() => options.fields(fieldFactory)], extensions }, table, key);
  }

  /** Adds fields to a type that was declared elsewhere, and the interfaces that it implements with them. */
  extend(
    type: EntityRef,
    fields: (f: FieldFactory) => Record<string, FieldDeclaration>,
    interfaces: readonly EntityRef[] = [],
  ): void {
    const declared = this.#types.get(type.name);
    if (!declared) throw new Error(`${type.name} is not declared`);
    declared.fields.push(() => fields(fieldFactory));
    declared.interfaces.push(...interfaces);
  }

  /** A root field that is a list. */
  queryConnection<A extends Args = Args>(name: string, options: QueryConnectionOptions<A>): void {
    // A connection plan is a member of both unions.
    const plan = { ...connectionPlan(options, `Query.${name}`), denied: options.denied ?? null } as RootPlan;
    this.#root(name, 'Query', options, {
      type: lazily(options.type),
      semanticNonNull: !options.nullable || options.denied !== undefined,
      connection: true,
      args: options.args,
      plan,
    });
  }

  /** A root field that is one row. */
  queryOne<A extends Args = Args>(name: string, options: QueryOneOptions<A>): void {
    const missing = options.missing === 'null' ? null : options.missing;
    const { on, first } = options;
    const plan: RootPlan = { kind: 'one', on, first: first && listOrder(first), missing, owner: undefined };
    this.#root(name, 'Query', options, {
      type: lazily(options.type),
      semanticNonNull: missing !== null || options.nullable === false,
      connection: false,
      args: options.args,
      plan,
    });
  }

  /** A root field over the viewer's own row: `type` is a part whose `s.t` is the viewer. */
  queryViewer(name: string, options: RootOptions & { readonly type: Lazy<EntityRef> }): void {
    this.#root(name, 'Query', options, {
      type: lazily(options.type),
      semanticNonNull: true,
      connection: false,
      args: undefined,
      plan: { kind: 'embed', visibleIf: undefined },
    });
  }

  /** `node(id)` and `nodes(ids)` over every entity declared with `node`; `type` is the Node interface. */
  queryNode(options: {
    readonly access: Access;
    readonly type: EntityRef;
    readonly node: string;
    readonly nodes: string;
  }): void {
    const id = (t: ArgBuilder) => ({
      id: t.field({ type: this.#id, required: true, description: 'Id of the object.' }),
    });
    const ids = (t: ArgBuilder) => ({
      ids: t.field({ type: [this.#id], required: true, description: 'Ids, at most 100.' }),
    });
    const type = () => options.type;
    this.#root(
      'node',
      'Query',
      { access: options.access, description: options.node },
      { type, semanticNonNull: false, connection: false, args: id, plan: { kind: 'node' } },
    );
    this.#root(
      'nodes',
      'Query',
      { access: options.access, description: options.nodes },
      { type, semanticNonNull: true, connection: false, args: ids, plan: { kind: 'nodes' } },
    );
  }

  /** A root field with a resolver. */
  queryResolve<A extends Args = Args>(name: string, options: QueryResolveOptions<A>): void {
    // `resolve` gets the arguments that the schema declares, as its type says.
    const plan: RootPlan = {
      kind: 'resolve',
      cost: options.cost,
      resolve: options.resolve as (context: CommandContext, args: never) => unknown,
      timeoutMs: options.timeoutMs,
    };
    this.#root(name, 'Query', options, {
      type: lazily(options.type),
      semanticNonNull: !options.nullable,
      connection: false,
      args: options.args,
      plan,
    });
  }

  /**
   * A root field that is a list of what is not in the database: `keys` are all that there are, in descending order, and
   * `read` gets those of the page.
   */
  queryKeys(name: string, options: QueryKeysOptions): void {
    const { cost, keys, read, timeoutMs } = options;
    const plan: RootPlan = { kind: 'keys', list: `Query.${name}`, cost, keys, read, timeoutMs };
    this.#root(name, 'Query', options, {
      type: lazily(options.type),
      semanticNonNull: true,
      connection: true,
      args: undefined,
      plan,
    });
  }

  /** A mutation; `extras` are the application's own declarations. */
  mutation<A extends Args = Args, Input = unknown>(
    name: string,
    options: MutationOptions<A, Input>,
    extras?: MutationExtras,
  ): void {
    if ((options.command === undefined) === (options.statement === undefined))
      throw new Error(`${name}: give either command or statement`);
    const { type, ...calls } = this.#answerOf(name, options);
    const plan: RootPlan = { kind: 'mutation', cost: options.cost, ...calls, timeoutMs: options.timeoutMs, extras };
    this.#root(name, 'Mutation', options, {
      type,
      semanticNonNull: true,
      connection: false,
      args: options.args,
      plan,
    });
  }

  /** A subscription: each message is a planned read of its own, with the permissions of that moment. */
  subscription<A extends Args = Args>(name: string, options: SubscriptionOptions<A>): void {
    const missing = options.missing === 'skip' ? null : options.missing;
    const plan: RootPlan = {
      kind: 'subscription',
      // As above: the arguments are the declared ones.
      source: options.source as SubscriptionPlan['source'],
      read: { kind: 'one', on: options.on, first: undefined, missing, owner: undefined },
    };
    this.#root(name, 'Subscription', options, {
      type: lazily(options.payload),
      semanticNonNull: true,
      connection: false,
      args: options.args,
      plan,
    });
  }

  /** The schema, built and checked once: everything has a description, every root field declares its access. */
  schema(): GraphQLSchema {
    this.#schema ??= buildSchema(this.builder, [...this.#types.values()], [...this.#roots.values()]);
    return this.#schema;
  }

  /** The type that a mutation answers with, and its command, which returns values for it. */
  #answerOf<A extends Args, Input>(
    name: string,
    { payload, type, command, statement }: MutationOptions<A, Input>,
  ): Pick<MutationPlan, 'command' | 'statement' | 'main'> & { readonly type: () => EntityRef } {
    // As above: the arguments are the declared ones.
    const declared = {
      command: command as MutationPlan['command'],
      statement: statement as MutationPlan['statement'],
    };
    if ((payload === undefined) === (type === undefined)) throw new Error(`${name}: give either payload or type`);
    if (type !== undefined) return { ...declared, type: lazily(type) };
    const fields = payload as PayloadFields; // one of them is given
    const ref = this.object(`${name.charAt(0).toUpperCase()}${name.slice(1)}Payload`, {
      description: `The result of ${name}.`,
      fields,
    });
    return { ...namingFirst(declared, fields), type: () => ref };
  }

  #rows(name: string, options: TypeOptions, table: string | null, key: string, node: NodeOptions | null): EntityRef {
    const ref = this.builder.objectRef<object>(name);
    return this.#declare(
      {
        name,
        kind: 'rows',
        ref,
        description: options.description,
        interfaces: [...(options.interfaces ?? [])],
        fields: [() => options.fields(fieldFactory)],
        extensions: { rows: { table, key, node }, ...lifecycleExtension(options.lifecycle) },
      },
      table,
      key,
    );
  }

  #interface(declaration: Omit<TypeDeclaration, 'kind' | 'ref'>, table: string | null, key: string): EntityRef {
    const ref = this.builder.interfaceRef<object>(declaration.name);
    return this.#declare({ ...declaration, kind: 'interface', ref }, table, key);
  }

  #declare(declaration: TypeDeclaration, table: string | null, key: string): EntityRef {
    this.#open(declaration.name, this.#types.has(declaration.name));
    this.#types.set(declaration.name, declaration);
    return { name: declaration.name, ref: declaration.ref, table, key };
  }

  #root(
    name: string,
    root: 'Query' | 'Mutation' | 'Subscription',
    options: RootOptions & { readonly cost?: FieldCost },
    rest: Pick<RootDeclaration, 'type' | 'semanticNonNull' | 'connection' | 'args' | 'plan'>,
  ): void {
    this.#open(`${root}.${name}`, this.#roots.has(name));
    this.#roots.set(name, {
      name,
      root,
      access: options.access,
      description: describedWith(options.description, options.cost),
      lifecycle: options.lifecycle,
      ...rest,
    });
  }

  #open(what: string, taken: boolean): void {
    if (this.#schema) throw new Error(`${what} is declared after the schema was built`);
    if (taken) throw new Error(`${what} is declared twice`);
  }
}

/** The command with its id, where it returns one alone, under the name of the payload's first field. */
function namingFirst(
  { command, statement }: Pick<MutationPlan, 'command' | 'statement'>,
  payload: PayloadFields,
): Pick<MutationPlan, 'command' | 'statement' | 'main'> {
  let first: string | undefined;
  const main = (): string => {
    first ??= Object.keys(payload(fieldFactory))[0] ?? 'id'; // checkSchema refuses types without fields
    return first;
  };
  const name = (value: PayloadValue): PayloadValue => (typeof value === 'string' ? { [main()]: value } : value);
  return {
    command: command && (async (context, args) => name(await command(context, args))),
    statement: statement && { ...statement, payload: (...given) => name(statement.payload(...given)) },
    main,
  };
}
