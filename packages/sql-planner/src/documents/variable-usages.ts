import {
  type ASTVisitor,
  GraphQLError,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLScalarType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isScalarType,
  isTypeSubTypeOf,
  Kind,
  type OperationDefinitionNode,
  specifiedRules,
  typeFromAST,
  type ValidationContext,
  type ValidationRule,
  VariablesInAllowedPositionRule,
} from 'graphql';

type VariableUsage = ReturnType<ValidationContext['getRecursiveVariableUsages']>[number];

/** By name of a variable: the types of the places where it stands whose values its own type does not ensure. */
export type VariableUsages = ReadonlyMap<string, ReadonlySet<GraphQLInputType>>;

/** Types of variables that GraphQL's own scalars accept besides their own; other scalars declare theirs. */
const ACCEPTED_BY_SPECIFIED: Readonly<Record<string, readonly string[]>> = {
  Float: ['Int'],
  String: ['ID', 'DID'],
  ID: ['String', 'DID'],
};

function accepts(location: GraphQLScalarType, variable: string): boolean {
  const declared = location.extensions['acceptsVariablesOf'] ?? ACCEPTED_BY_SPECIFIED[location.name];
  return Array.isArray(declared) && declared.includes(variable);
}

/**
 * The rules that documents are validated by: GraphQL's, except that a variable may stand where a scalar is expected
 * that accepts variables of its type, in lists as well, and that a list variable whose type allows null items may
 * stand where none are allowed. Such values are checked twice: as the type of the variable, and as that of the place.
 * `usages` collects the types of these places.
 */
export function documentRules(usages: Map<OperationDefinitionNode, Map<string, Set<GraphQLInputType>>>) {
  return specifiedRules.map((rule) =>
    rule === VariablesInAllowedPositionRule ? variablesInAllowedPosition(usages) : rule,
  );
}

function variablesInAllowedPosition(usages: Parameters<typeof documentRules>[0]): ValidationRule {
  return (context: ValidationContext): ASTVisitor => ({
    OperationDefinition: {
      leave(operation) {
        const found = new Map<string, Set<GraphQLInputType>>();
        for (const usage of context.getRecursiveVariableUsages(operation)) check(context, operation, usage, found);
        usages.set(operation, found);
      },
    },
  });
}

function check(
  context: ValidationContext,
  operation: OperationDefinitionNode,
  usage: VariableUsage,
  found: Map<string, Set<GraphQLInputType>>,
): void {
  const name = usage.node.name.value;
  const definition = operation.variableDefinitions?.find(({ variable }) => variable.name.value === name);
  const declared = definition && typeFromAST(context.getSchema(), definition.type as never); // a union, see overloads
  if (!definition || !isInputType(declared) || !usage.type) return;
  const scalar = scalarAccepting(declared, usage.type);
  const hasDefault = definition.defaultValue !== undefined && definition.defaultValue.kind !== Kind.NULL;
  const leaf = scalar ? withLeaf(declared, scalar) : declared;
  const type = withItemsOf(leaf, usage.type);
  const problem = isAllowed(context.getSchema(), type, usage.type, hasDefault || usage.defaultValue !== undefined)
    ? problemOfOneOf(usage, declared)
    : `of type "${declared}" used in position expecting type "${usage.type}".`;
  if (problem)
    context.reportError(new GraphQLError(`Variable "$${name}" ${problem}`, { nodes: [definition, usage.node] }));
  else if (type !== declared) found.set(name, (found.get(name) ?? new Set()).add(usage.type));
}

function problemOfOneOf({ parentType }: VariableUsage, declared: GraphQLInputType): string | null {
  if (!isInputObjectType(parentType) || !parentType.isOneOf || isNonNullType(declared)) return null;
  return `is of type "${declared}" but must be non-nullable to be used for OneOf Input Object "${parentType}".`;
}

/** The scalar of the place, where it is another than that of the variable and accepts it. */
function scalarAccepting(variable: GraphQLInputType, location: GraphQLInputType): GraphQLScalarType | null {
  const scalar = getNamedType(location);
  const { name } = getNamedType(variable);
  return isScalarType(scalar) && scalar.name !== name && accepts(scalar, name) ? scalar : null;
}

function withLeaf(type: GraphQLInputType, leaf: GraphQLScalarType): GraphQLInputType {
  if (isNonNullType(type)) return new GraphQLNonNull(withLeaf(type.ofType, leaf) as GraphQLScalarType); // not non-null
  return isListType(type) ? new GraphQLList(withLeaf(type.ofType, leaf)) : leaf;
}

/** The list type with items that are non-null where those of the place are. */
function withItemsOf(type: GraphQLInputType, location: GraphQLInputType): GraphQLInputType {
  const place = getNullableType(location);
  const list = getNullableType(type);
  if (!isListType(list) || !isListType(place)) return type;
  const items = withItemsOf(list.ofType, place.ofType);
  const mustExist = isNonNullType(place.ofType) && !isNonNullType(items);
  if (items === list.ofType && !mustExist) return type;
  const changed = new GraphQLList(mustExist ? new GraphQLNonNull(items) : items);
  return isNonNullType(type) ? new GraphQLNonNull(changed) : changed;
}

/** GraphQL section 5.8.5: a nullable variable may stand where a value is required if one of the two has a default. */
function isAllowed(
  schema: GraphQLSchema,
  variable: GraphQLInputType,
  location: GraphQLInputType,
  hasDefault: boolean,
): boolean {
  if (!isNonNullType(location) || isNonNullType(variable)) return isTypeSubTypeOf(schema, variable, location);
  return hasDefault && isTypeSubTypeOf(schema, variable, location.ofType);
}
