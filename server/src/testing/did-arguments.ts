import assert from 'node:assert/strict';
import {
  type ArgumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  type ValueNode,
} from 'graphql';

/** An argument of the type DID, anywhere in the schema: also inside of input objects and lists. */
export interface DidArgument {
  /** `Query`, `Mutation`, `Subscription`, or an object type with such a field. */
  readonly typeName: string;
  readonly field: GraphQLField<unknown, unknown>;
  /** Names of the argument and of the fields below it. */
  readonly path: readonly string[];
  /** The scalar, `DID` or one for some DIDs. */
  readonly scalar: string;
}

const SCALARS: readonly string[] = ['DID', 'IngestionID'];

/** Every such argument. */
export function didArguments(schema: GraphQLSchema): DidArgument[] {
  return Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type)
      ? Object.values(type.getFields()).flatMap((field) =>
          field.args.flatMap((arg) =>
            pathsIn(arg.type, [arg.name], []).map(({ path, scalar }) => ({ typeName: type.name, field, path, scalar })),
          ),
        )
      : [],
  );
}

interface DidPath {
  readonly path: readonly string[];
  readonly scalar: string;
}

function pathsIn(type: GraphQLInputType, path: readonly string[], above: readonly string[]): DidPath[] {
  const named = getNamedType(type);
  if (SCALARS.includes(named.name)) return [{ path, scalar: named.name }];
  if (!isInputObjectType(named) || above.includes(named.name)) return [];
  return Object.values(named.getFields()).flatMap((field) =>
    pathsIn(field.type, [...path, field.name], [...above, named.name]),
  );
}

const ASKED: ValueNode = { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: 'asked' } };

/** The arguments of an example, as text, with `$asked` at the path and with what else is required. */
export function askingFor({ field, path: [name = '', ...rest] }: DidArgument, example: string): string {
  const given = new Map(argumentsIn(example).map((arg) => [arg.name.value, arg.value]));
  for (const arg of field.args) {
    if (arg.name === name) given.set(name, withAsked(arg.type, given.get(name), rest));
    else if (isRequiredArgument(arg) && !given.has(arg.name)) given.set(arg.name, anyValue(arg.type));
  }
  return [...given].map(([key, value]) => `${key}: ${print(value)}`).join(', ');
}

function argumentsIn(example: string): readonly ArgumentNode[] {
  if (example === '') return [];
  const [operation] = parse(`{ call(${example}) }`).definitions as [OperationDefinitionNode]; // as written here
  return (operation.selectionSet.selections[0] as FieldNode).arguments ?? [];
}

function withAsked(type: GraphQLInputType, given: ValueNode | undefined, path: readonly string[]): ValueNode {
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    const first = given?.kind === Kind.LIST ? given.values[0] : given;
    return { kind: Kind.LIST, values: [withAsked(nullable.ofType, first, path)] };
  }
  const [name, ...rest] = path;
  if (name === undefined) return ASKED;
  assert.ok(isInputObjectType(nullable));
  const fields = new Map(
    (given?.kind === Kind.OBJECT ? given.fields : []).map((entry) => [entry.name.value, entry.value] as const),
  );
  for (const field of Object.values(nullable.getFields())) {
    if (field.name === name) fields.set(name, withAsked(field.type, fields.get(name), rest));
    else if (isRequiredInputField(field) && !fields.has(field.name)) fields.set(field.name, anyValue(field.type));
  }
  return objectOf(fields);
}

function objectOf(fields: ReadonlyMap<string, ValueNode>): ValueNode {
  return {
    kind: Kind.OBJECT,
    fields: [...fields].map(([name, value]) => ({
      kind: Kind.OBJECT_FIELD,
      name: { kind: Kind.NAME, value: name },
      value,
    })),
  };
}

/** A value of the type, which need not make sense. */
function anyValue(type: GraphQLInputType): ValueNode {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return { kind: Kind.LIST, values: [] };
  if (isEnumType(nullable)) return { kind: Kind.ENUM, value: nullable.getValues()[0]?.name ?? '' };
  if (isInputObjectType(nullable))
    return objectOf(
      new Map(
        Object.values(nullable.getFields())
          .filter(isRequiredInputField)
          .map((field) => [field.name, anyValue(field.type)]),
      ),
    );
  if (['Int', 'Float', 'Long', 'BigInt'].includes(nullable.name)) return { kind: Kind.INT, value: '1' };
  if (nullable.name === 'Boolean') return { kind: Kind.BOOLEAN, value: true };
  return { kind: Kind.STRING, value: 'x' };
}
