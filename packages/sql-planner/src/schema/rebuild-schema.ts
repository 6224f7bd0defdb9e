import {
  GraphQLEnumType,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLFieldConfigMap,
  GraphQLInputObjectType,
  GraphQLInterfaceType,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  type GraphQLType,
  GraphQLUnionType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
  lexicographicSortSchema,
} from 'graphql';
import { type Hides, SchemaView } from './schema-view.ts';

/**
 * The schema without what `hides` applies to. What cannot exist without it is hidden, too: fields and arguments of a
 * hidden type, types without fields, and types that nothing leads to. The same object if nothing is hidden.
 */
export function schemaView(schema: GraphQLSchema, hides: Hides): GraphQLSchema {
  const view = new SchemaView(schema, hides);
  return view.isWhole ? schema : rebuild(schema, view);
}

/** The schema with what a view of it has. Scalars, and what declarations attached to the elements, stay the same. */
function rebuild(schema: GraphQLSchema, view: SchemaView): GraphQLSchema {
  const types = new Types(schema, view);
  const implementing = Object.values(schema.getTypeMap()).filter(
    (type) => isObjectType(type) && type.getInterfaces().some((parent) => view.hasType(parent)) && view.hasType(type),
  );
  const rebuilt = new GraphQLSchema({
    ...schema.toConfig(),
    query: types.root(schema.getQueryType()),
    mutation: types.root(schema.getMutationType()),
    subscription: types.root(schema.getSubscriptionType()),
    // All others are found from the roots.
    types: implementing.map((type) => types.named(type)),
    assumeValid: true,
  });
  // In the order of the whole schema, which is that of names.
  const sorted = lexicographicSortSchema(rebuilt);
  sendAllValues(schema, sorted);
  return sorted;
}

/** Rows may hold values of enums that the view lacks: they are sent, and cannot be asked for. */
function sendAllValues(schema: GraphQLSchema, view: GraphQLSchema): void {
  for (const type of Object.values(view.getTypeMap())) {
    const whole = schema.getType(type.name);
    // Those of introspection are the same object in all schemas.
    if (type === whole || !isEnumType(type) || !isEnumType(whole)) continue;
    type.serialize = (value) => whole.serialize(value);
  }
}

class Types {
  readonly #schema: GraphQLSchema;
  readonly #view: SchemaView;
  readonly #built = new Map<string, GraphQLNamedType>();

  constructor(schema: GraphQLSchema, view: SchemaView) {
    this.#schema = schema;
    this.#view = view;
  }

  root(type: GraphQLObjectType | null | undefined): GraphQLObjectType | null {
    return type && this.#view.hasType(type) ? this.named(type) : null;
  }

  named<Type extends GraphQLNamedType>(type: Type): Type {
    const known = this.#built.get(type.name);
    if (known) return known as Type; // of the same kind
    const built = this.#build(type);
    this.#built.set(type.name, built);
    return built as Type; // as above
  }

  #build(type: GraphQLNamedType): GraphQLNamedType {
    if (isObjectType(type)) return new GraphQLObjectType({ ...type.toConfig(), ...this.#composite(type) });
    if (isInterfaceType(type)) return new GraphQLInterfaceType({ ...type.toConfig(), ...this.#composite(type) });
    if (isInputObjectType(type)) return this.#input(type);
    if (isEnumType(type)) return this.#enum(type);
    if (!isUnionType(type)) return type;
    const members = () => type.getTypes().filter((member) => this.#view.hasType(member));
    return new GraphQLUnionType({ ...type.toConfig(), types: () => members().map((member) => this.named(member)) });
  }

  #composite(type: GraphQLObjectType | GraphQLInterfaceType) {
    return {
      interfaces: () =>
        type
          .getInterfaces()
          .filter((parent) => this.#view.hasType(parent))
          .map((parent) => this.named(parent)),
      fields: () => this.#fields(type),
    };
  }

  #fields(type: GraphQLObjectType | GraphQLInterfaceType): GraphQLFieldConfigMap<unknown, unknown> {
    const fields = type.getFields();
    const kept = Object.entries(type.toConfig().fields).filter(([name]) => this.#has(fields[name]));
    return Object.fromEntries(
      kept.map(([name, config]) => {
        const args = (fields[name]?.args ?? []).filter((arg) => this.#view.hasInput(arg));
        const types: GraphQLFieldConfigArgumentMap = Object.fromEntries(
          args.map((arg) => [arg.name, { ...config.args?.[arg.name], type: this.#wrapped(arg.type) }]),
        );
        return [name, { ...config, type: this.#wrapped(config.type), args: types }];
      }),
    );
  }

  #has(field: Parameters<SchemaView['hasField']>[0] | undefined): boolean {
    return field !== undefined && this.#view.hasField(field);
  }

  #input(type: GraphQLInputObjectType): GraphQLInputObjectType {
    const fields = () => Object.values(type.getFields()).filter((field) => this.#view.hasInput(field));
    const { fields: configs, ...config } = type.toConfig();
    return new GraphQLInputObjectType({
      ...config,
      fields: () =>
        Object.fromEntries(
          fields().map((field) => [field.name, { ...configs[field.name], type: this.#wrapped(field.type) }]),
        ),
    });
  }

  #enum(type: GraphQLEnumType): GraphQLEnumType {
    const { values, ...config } = type.toConfig();
    const kept = type.getValues().filter((value) => this.#view.hasValue(value));
    return new GraphQLEnumType({
      ...config,
      values: Object.fromEntries(kept.map(({ name }) => [name, values[name] ?? {}])),
    });
  }

  #wrapped<Type extends GraphQLType>(type: Type): Type {
    // Each wrapper is rebuilt around a type of the same kind.
    if (isNonNullType(type)) return new GraphQLNonNull(this.#wrapped(type.ofType)) as unknown as Type;
    if (isListType(type)) return new GraphQLList(this.#wrapped(type.ofType)) as unknown as Type;
    const named = this.#schema.getType((type as GraphQLNamedType).name);
    return this.named((named ?? type) as Type & GraphQLNamedType);
  }
}
