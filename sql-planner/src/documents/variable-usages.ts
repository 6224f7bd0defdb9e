import {
  type ASTVisitor,
  GraphQLError,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLScalarType,
  type GraphQLSchema,
  getNamedType,
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

/** By name of a variable: scalars of another type than its own at whose places it stands. */
export type ScalarUsages = ReadonlyMap<string, ReadonlySet<GraphQLScalarType>>;

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
 * that accepts variables of its type, in lists as well. Such values are coerced twice: as the type of the variable,
 * and as the scalar of the place. `usages` collects these places.
 */
export function documentRules(usages: Map<OperationDefinitionNode, Map<string, Set<GraphQLScalarType>>>) {
  return specifiedRules.map((rule) =>
    rule === VariablesInAllowedPositionRule ? variablesInAllowedPosition(usages) : rule,
  );
}

function variablesInAllowedPosition(usages: Parameters<typeof documentRules>[0]): ValidationRule {
  return (context: ValidationContext): ASTVisitor => ({
    OperationDefinition: {
      leave(operation) {
        const found = new Map<string, Set<GraphQLScalarType>>();
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
  found: Map<string, Set<GraphQLScalarType>>,
): void {
  const name = usage.node.name.value;
  const definition = operation.variableDefinitions?.find(({ variable }) => variable.name.value === name);
  const declared = definition && typeFromAST(context.getSchema(), definition.type as never); // a union, see overloads
  if (!definition || !isInputType(declared) || !usage.type) return;
  const scalar = scalarAccepting(declared, usage.type);
  const hasDefault = definition.defaultValue !== undefined && definition.defaultValue.kind !== Kind.NULL;
  const type = scalar ? withLeaf(declared, scalar) : declared;
  const problem = isAllowed(context.getSchema(), type, usage.type, hasDefault || usage.defaultValue !== undefined)
    ? problemOfOneOf(usage, declared)
    : `of type "${declared}" used in position expecting type "${usage.type}".`;
  if (problem)
    context.reportError(new GraphQLError(`Variable "$${name}" ${problem}`, { nodes: [definition, usage.node] }));
  else if (scalar) found.set(name, (found.get(name) ?? new Set()).add(scalar));
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
