import {
  type GraphQLFieldConfig,
  GraphQLFloat,
  GraphQLInterfaceType,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLSchema,
  GraphQLString,
  isInterfaceType,
  isIntrospectionType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';

/** Built-in scalars that stand for ours in answers: their values come in their final form. */
const PLAIN: Readonly<Record<string, GraphQLOutputType>> = { DID: GraphQLString, DateTime: GraphQLString, BigInt: GraphQLFloat };

const twins = new WeakMap<GraphQLSchema, GraphQLSchema>();

/**
 * The schema as the compiler sees it, for documents without arguments: they were read when the operation was planned.
 * Built-in scalars stand in place of ours: the compiler inlines those, and calls a function for each value of any
 * other. Introspection must not be asked of this schema.
 */
export function jitSchema(schema: GraphQLSchema): GraphQLSchema {
  let twin = twins.get(schema);
  if (!twin) {
    twin = makeTwin(schema);
    twins.set(schema, twin);
  }
  return twin;
}

function makeTwin(schema: GraphQLSchema): GraphQLSchema {
  const made = new Map<string, GraphQLNamedType>();
  const named = (type: GraphQLNamedType): GraphQLNamedType => made.get(type.name) ?? type;
  const output = (type: GraphQLOutputType): GraphQLOutputType => {
    if (isNonNullType(type)) return new GraphQLNonNull(output(type.ofType));
    if (isListType(type)) return new GraphQLList(output(type.ofType));
    return PLAIN[type.name] ?? (named(type) as GraphQLOutputType); // a twin is of the kind of its original
  };
  const fields = (config: Record<string, GraphQLFieldConfig<unknown, unknown>>) =>
    Object.fromEntries(Object.entries(config).map(([name, field]) => [name, { ...field, args: {}, type: output(field.type) }]));
  const interfaces = (types: readonly GraphQLInterfaceType[]) => types.map((type) => named(type) as GraphQLInterfaceType); // as above
  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type)) continue;
    if (isObjectType(type)) {
      const config = type.toConfig();
      made.set(
        type.name,
        new GraphQLObjectType({ ...config, fields: () => fields(config.fields), interfaces: () => interfaces(config.interfaces) }),
      );
    } else if (isInterfaceType(type)) {
      const config = type.toConfig();
      made.set(
        type.name,
        new GraphQLInterfaceType({ ...config, fields: () => fields(config.fields), interfaces: () => interfaces(config.interfaces) }),
      );
    }
  }
  const root = (type: GraphQLObjectType | undefined | null) => type && (named(type) as GraphQLObjectType); // as above
  const config = schema.toConfig();
  const { query, mutation, subscription } = config;
  return new GraphQLSchema({
    ...config,
    query: root(query),
    mutation: root(mutation),
    subscription: root(subscription),
    types: config.types.map(named),
  });
}
