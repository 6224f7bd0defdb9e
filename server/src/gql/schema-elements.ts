import { type Lifecycle, lifecycleOf } from '@reelgraph/sql-planner';
import {
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';

export interface SchemaElement {
  /** `Type`, `Type.field`, `Type.field(argument:)`, `InputType.field` or `EnumType.VALUE`. */
  readonly name: string;
  /** The reason in `@deprecated`, if it is. */
  readonly reason: string | null;
  /** As it was declared; null for most, and in schemas that were read from a text. */
  readonly lifecycle: Lifecycle | null;
}

interface Declared {
  readonly deprecationReason?: string | null | undefined;
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** What a schema consists of, by name. */
export function schemaElements(schema: GraphQLSchema): SchemaElement[] {
  return Object.values(schema.getTypeMap())
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap((type) => [element(type.name, type), ...membersOf(type)])
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function membersOf(type: GraphQLNamedType): SchemaElement[] {
  if (isEnumType(type)) return type.getValues().map((value) => element(`${type.name}.${value.name}`, value));
  if (isInputObjectType(type))
    return Object.values(type.getFields()).map((field) => element(`${type.name}.${field.name}`, field));
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  return Object.values(type.getFields()).flatMap((field) => {
    const path = `${type.name}.${field.name}`;
    return [element(path, field), ...field.args.map((arg) => element(`${path}(${arg.name}:)`, arg))];
  });
}

function element(name: string, declared: Declared): SchemaElement {
  return { name, reason: declared.deprecationReason ?? null, lifecycle: lifecycleOf(declared) };
}
