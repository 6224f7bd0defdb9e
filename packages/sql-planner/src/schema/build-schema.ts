import {
  type GraphQLFieldResolver,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
  specifiedDirectives,
} from 'graphql';
import type { Builder } from './builder.ts';
import { type FieldDeclaration, MAX_PAGE_SIZE } from './fields.ts';
import type { RootDeclaration, TypeDeclaration } from './graph-options.ts';
import { deprecationReason, type Lifecycle, lifecycleExtension, lifecycleOf } from './lifecycle.ts';
import { SEMANTIC_NON_NULL } from './semantic-non-null.ts';
import { typeNameOf } from './type-name.ts';
import type { ArgBuilder, Args, EntityRef, FieldType } from './types.ts';

/** The used part of Pothos, for declared fields whose types are only known at run time. */
interface LooseFieldBuilder {
  field(options: Readonly<Record<string, unknown>>): unknown;
}

/** Builds the schema from the declarations and checks that they are complete. */
export function buildSchema(
  builder: Builder,
  types: readonly TypeDeclaration[],
  roots: readonly RootDeclaration[],
): GraphQLSchema {
  const assembly = new Assembly(builder, types);
  for (const type of types) assembly.addType(type);
  assembly.addRoots('Query', roots);
  assembly.addRoots('Mutation', roots);
  assembly.addRoots('Subscription', roots);
  const schema = builder.toSchema({ directives: [...specifiedDirectives, SEMANTIC_NON_NULL] });
  attachResolvers(schema);
  checkSchema(schema);
  return schema;
}

const ROOT_DESCRIPTIONS: Readonly<Record<RootDeclaration['root'], string>> = {
  Query: 'All queries.',
  Mutation: 'All mutations. Several fields run one after another.',
  Subscription: 'All subscriptions, as streams of server-sent events (Accept: text/event-stream).',
};

class Assembly {
  readonly #builder: Builder;
  readonly #types: ReadonlyMap<string, TypeDeclaration>;
  readonly #connections = new Map<string, object>();
  readonly #pageInfo: object;

  constructor(builder: Builder, types: readonly TypeDeclaration[]) {
    this.#builder = builder;
    this.#types = new Map(types.map((type) => [type.name, type]));
    this.#pageInfo = this.#object('PageInfo', 'Position of a page in its list.', {
      hasNextPage: { type: 'Boolean', description: 'Whether there are entries after this page.' },
      hasPreviousPage: { type: 'Boolean', description: 'Whether there are entries before this page.' },
      startCursor: {
        type: 'String',
        nullable: true,
        description: 'Cursor of the first entry; null if the page is empty.',
      },
      endCursor: {
        type: 'String',
        nullable: true,
        description: 'Cursor of the last entry; null if the page is empty.',
      },
    });
  }

  addType(type: TypeDeclaration): void {
    const options = {
      description: type.description,
      extensions: type.extensions,
      interfaces: [...this.#interfacesOf(type)].map((ref) => ref.ref),
      fields: (t: unknown) => this.#fields(type, t as LooseFieldBuilder), // see LooseFieldBuilder
    };
    // Types and fields are data here, which Pothos cannot infer; the resulting schema is checked below.
    const { ref } = type as unknown as { ref: { implement(options: object): void } };
    ref.implement(type.kind === 'interface' ? { ...options, resolveType: typeNameOf } : options);
  }

  /** The interfaces of a type after theirs, as GraphQL requires: the fields of later ones win. */
  #interfacesOf(type: TypeDeclaration): Set<EntityRef> {
    const above = type.interfaces.flatMap(({ name }) => {
      const declared = this.#types.get(name);
      return declared ? [...this.#interfacesOf(declared)] : [];
    });
    return new Set([...above, ...type.interfaces]);
  }

  addRoots(root: RootDeclaration['root'], roots: readonly RootDeclaration[]): void {
    const own = roots.filter((field) => field.root === root);
    if (own.length === 0) return;
    const options = {
      description: ROOT_DESCRIPTIONS[root],
      fields: (t: unknown) =>
        Object.fromEntries(
          own.map((field) => {
            const type =
              field.connection || field.plan.kind !== 'nodes'
                ? this.#typeOf(field.type(), field.connection)
                : [this.#typeOf(field.type(), false)];
            const nullable = field.plan.kind === 'nodes' ? { list: true, items: true } : true;
            const { plan, access, semanticNonNull } = field;
            return [
              field.name,
              this.#field(
                t as LooseFieldBuilder,
                { ...field, type, nullable },
                { plan, access, ...(semanticNonNull ? { semanticNonNull } : {}) },
              ),
            ];
          }),
        ),
    };
    // As in addType.
    const loose = this.#builder as unknown as Record<string, (options: object) => void>;
    loose[`${root.toLowerCase()}Type`]?.call(this.#builder, options);
  }

  #fields(type: TypeDeclaration, t: LooseFieldBuilder): Record<string, unknown> {
    const declared: Record<string, FieldDeclaration> = {};
    for (const fields of type.fields) {
      for (const [name, field] of Object.entries(fields())) {
        if (declared[name]) throw new Error(`${type.name}.${name} is declared twice`);
        declared[name] = field;
      }
    }
    return Object.fromEntries(
      Object.entries(declared).map(([name, field]) => {
        const resolved = { ...field, type: this.#typeOf(field.type(), field.connection) };
        return [
          name,
          this.#field(t, resolved, {
            ...(field.plan ? { plan: field.plan(`${type.name}.${name}`) } : {}),
            ...(field.secret ? { secret: true } : {}),
          }),
        ];
      }),
    );
  }

  #field(
    t: LooseFieldBuilder,
    field: {
      type: unknown;
      nullable: unknown;
      description: string;
      lifecycle: Lifecycle | undefined;
      args: ((t: ArgBuilder) => Args) | undefined;
      connection: boolean;
    },
    extensions: object,
  ): unknown {
    const { args, lifecycle } = field;
    const map =
      field.connection || args
        ? this.#builder.args((b) => ({ ...(field.connection ? pageArgs(b) : {}), ...(args ? args(b) : {}) }))
        : {};
    return t.field({
      type: field.type,
      nullable: field.nullable,
      description: field.description,
      ...(lifecycle?.deprecated ? { deprecationReason: deprecationReason(lifecycle.deprecated) } : {}),
      args: map,
      extensions: { ...extensions, ...lifecycleExtension(lifecycle) },
      resolve: () => null, // replaced by attachResolvers
    });
  }

  #typeOf(type: FieldType | EntityRef, connection: boolean): unknown {
    if (typeof type === 'string') return type;
    // Array.isArray does not narrow readonly tuples.
    if (Array.isArray(type)) return [this.#typeOf(type[0] as FieldType, false)];
    const own = 'ref' in type ? type.ref : type;
    return connection ? this.#connection((type as EntityRef).name, own as object) : own; // connections are to entities
  }

  #connection(name: string, node: object): object {
    const known = this.#connections.get(name);
    if (known) return known;
    // Lists of a type have its lifecycle.
    const extensions = lifecycleExtension(lifecycleOf(this.#types.get(name) ?? {}) ?? undefined);
    const edgeFields = {
      node: { type: node, description: 'The object.' },
      cursor: { type: 'String', description: 'Position of this entry, for after and before.' },
    };
    const edge = this.#object(`${name}Edge`, `An entry of a list of ${name}.`, edgeFields, extensions);
    const connectionFields = {
      edges: { type: [edge], description: 'The entries of this page, in order.' },
      pageInfo: { type: this.#pageInfo, description: 'Position of this page in the list.' },
      totalCount: { type: 'Int', description: 'Number of entries in the whole list.' },
    };
    const connection = this.#object(`${name}Connection`, `A page of a list of ${name}.`, connectionFields, extensions);
    this.#connections.set(name, connection);
    return connection;
  }

  #object(
    name: string,
    description: string,
    fields: Record<string, { type: unknown; nullable?: boolean; description: string }>,
    extensions: object = {},
  ): object {
    const ref = this.#builder.objectRef<object>(name);
    // As in addType.
    (ref as unknown as { implement(options: object): void }).implement({
      description,
      extensions,
      fields: (t: LooseFieldBuilder) =>
        Object.fromEntries(
          Object.entries(fields).map(([key, field]) => [
            key,
            t.field({ nullable: false, ...field, resolve: () => null }),
          ]),
        ),
    });
    return ref;
  }
}

function pageArgs(t: ArgBuilder): Args {
  return {
    first: t.int({ description: `Number of entries from the start, or after the cursor; 1 to ${MAX_PAGE_SIZE}.` }),
    after: t.string({ description: 'Cursor: only entries after it.' }),
    last: t.int({ description: `Number of entries from the end, or before the cursor; 1 to ${MAX_PAGE_SIZE}.` }),
    before: t.string({ description: 'Cursor: only entries before it.' }),
  };
}

/** Objects of rows already have response names as keys, so graphql-js needs only this resolver to locate errors. */
function attachResolvers(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type)) continue;
    for (const field of Object.values(type.getFields())) field.resolve = readByResponseName;
  }
}

const readByResponseName: GraphQLFieldResolver<Readonly<Record<string, unknown>>, unknown> = (
  source,
  _args,
  _context,
  info,
) => source[info.path.key];

/**
 * Throws for a missing description, a root field without access, a field of rows without a plan, and a type that some
 * versions lack although rows of theirs may be of it.
 */
export function checkSchema(schema: GraphQLSchema): void {
  const problems: string[] = [];
  const described = (what: string, description: string | null | undefined) => {
    if (!description?.trim()) problems.push(`${what} has no description`);
  };
  const roots = new Set<GraphQLNamedType | null | undefined>([
    schema.getQueryType(),
    schema.getMutationType(),
    schema.getSubscriptionType(),
  ]);
  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type) || isSpecifiedScalarType(type)) continue;
    described(type.name, type.description);
    if (isEnumType(type))
      for (const value of type.getValues()) described(`${type.name}.${value.name}`, value.description);
    if (isInputObjectType(type))
      for (const field of Object.values(type.getFields())) described(`${type.name}.${field.name}`, field.description);
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    const supertype = type.getInterfaces().find(({ extensions }) => extensions.abstract);
    if (supertype && lifecycleOf(type)) problems.push(`${type.name} is in lists of ${supertype.name} in all versions`);
    for (const field of Object.values(type.getFields())) {
      const path = `${type.name}.${field.name}`;
      described(path, field.description);
      for (const arg of field.args) described(`${path}(${arg.name})`, arg.description);
      if (roots.has(type) && typeof field.extensions.access !== 'string') problems.push(`${path} states no access`);
      if (isObjectType(type) && (type.extensions.rows || type.extensions.object) && !field.extensions.plan)
        problems.push(`${path} has no plan`);
    }
  }
  if (problems.length > 0) throw new Error(`The schema is not complete:\n- ${problems.join('\n- ')}`);
}
