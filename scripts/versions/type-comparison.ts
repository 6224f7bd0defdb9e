import {
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql';

export function kindOf(type: GraphQLNamedType): string {
  if (isObjectType(type)) return 'object';
  if (isInterfaceType(type)) return 'interface';
  if (isUnionType(type)) return 'union';
  if (isEnumType(type)) return 'enum';
  return isInputObjectType(type) ? 'input' : 'scalar';
}

/** Whether every value of the later type is one of the earlier type: a value that is never null any more. */
export function isNarrowerOutput(before: GraphQLType, after: GraphQLType): boolean {
  if (isNonNullType(before)) return isNonNullType(after) && isNarrowerOutput(before.ofType, after.ofType);
  if (isNonNullType(after)) return isNarrowerOutput(before, after.ofType);
  if (isListType(before)) return isListType(after) && isNarrowerOutput(before.ofType, after.ofType);
  return !isListType(after) && getNamedType(before).name === getNamedType(after).name;
}

/** Whether the later type takes every value of the earlier one: a value that may be null now. */
export function isWiderInput(before: GraphQLType, after: GraphQLType): boolean {
  return isNarrowerOutput(after, before);
}

/** Names of the types that responses can contain. */
export function reachableFrom(schema: GraphQLSchema): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (type: GraphQLNamedType): void => {
    if (found.has(type.name)) return;
    found.add(type.name);
    if (isUnionType(type)) for (const member of type.getTypes()) visit(member);
    if (isInterfaceType(type)) for (const member of schema.getPossibleTypes(type)) visit(member);
    if (!isObjectType(type) && !isInterfaceType(type)) return;
    for (const field of Object.values(type.getFields())) visit(getNamedType(field.type));
  };
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  for (const root of roots) if (root) visit(root);
  return found;
}
