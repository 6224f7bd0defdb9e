import {
  type GraphQLInputType,
  getNullableType,
  isInputObjectType,
  isListType,
  Kind,
  type ValueNode,
  valueFromAST,
} from 'graphql';

export type Variables = Readonly<Record<string, unknown>>;

/** Reads a value per execution; undefined when omitted. */
export type ValueReader = (variables: Variables) => unknown;

/**
 * A literal as a function of the variables: what needs no variable is coerced once. The document was validated and the
 * variables are coerced, so that every value fits its place.
 */
export function compileValue(node: ValueNode, type: GraphQLInputType): ValueReader {
  if (node.kind === Kind.VARIABLE) {
    const { value: name } = node.name;
    return (variables) => variables[name];
  }
  if (!mentionsVariable(node)) {
    const constant = valueFromAST(node, type);
    return () => constant;
  }
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    const items = (node.kind === Kind.LIST ? node.values : [node]).map((item) => compileValue(item, nullable.ofType));
    return (variables) => items.map((read) => read(variables) ?? null);
  }
  if (node.kind !== Kind.OBJECT || !isInputObjectType(nullable))
    return (variables) => valueFromAST(node, type, { ...variables });
  const given = new Map(node.fields.map((field) => [field.name.value, field.value]));
  const fields = Object.values(nullable.getFields()).map(({ name, type: fieldType, defaultValue }) => {
    const value = given.get(name);
    return { name, read: value && compileValue(value, fieldType), defaultValue };
  });
  return (variables) => {
    const object: Record<string, unknown> = {};
    for (const { name, read, defaultValue } of fields) {
      const value = read?.(variables);
      if (value !== undefined) object[name] = value;
      else if (defaultValue !== undefined) object[name] = defaultValue;
    }
    return object;
  };
}

function mentionsVariable(node: ValueNode): boolean {
  if (node.kind === Kind.VARIABLE) return true;
  if (node.kind === Kind.LIST) return node.values.some(mentionsVariable);
  return node.kind === Kind.OBJECT && node.fields.some((field) => mentionsVariable(field.value));
}
