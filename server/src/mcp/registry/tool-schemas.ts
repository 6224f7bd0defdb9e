import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isInputObjectType,
  isListType,
  isNonNullType,
  Kind,
  type SelectionSetNode,
  TypeInfo,
  typeFromAST,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { firstSentence, inputSchema, isClearable, type JsonSchema, leafSchema, orNull } from './json-schema.ts';
import type { ToolFile } from './tool-file.ts';

/** Variables of @include and @skip have no argument with a description. */
const SWITCHES: Readonly<Record<string, string>> = { detail: 'Return more fields.' };

/**
 * The JSON Schema of a tool's arguments: its operation's variables, with the descriptions of the schema's arguments.
 */
export function argumentsSchema(schema: GraphQLSchema, tool: ToolFile): JsonSchema {
  const uses = variableUses(schema, tool);
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const { variable, type, defaultValue } of tool.operation.variableDefinitions ?? []) {
    const name = variable.name.value;
    // The document is valid: each variable has an existing input type.
    const declared = typeFromAST(schema, type as never) as GraphQLInputType;
    const use = uses.get(name);
    const description = use?.description ?? SWITCHES[name];
    properties[name] = {
      ...(use?.isClearable ? orNull(inputSchema(declared)) : inputSchema(declared)),
      ...(description ? { description } : {}),
      ...(defaultValue ? { default: valueFromASTUntyped(defaultValue) } : {}),
    };
    if (type.kind === Kind.NON_NULL_TYPE && !defaultValue) required.push(name);
  }
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}), additionalProperties: false };
}

interface VariableUse {
  readonly description: string;
  /** Whether null clears the field that the variable is used for. */
  readonly isClearable: boolean;
}

/** The argument or input field that each variable is used in. */
function variableUses(schema: GraphQLSchema, tool: ToolFile): Map<string, VariableUse> {
  const uses = new Map<string, VariableUse>();
  const info = new TypeInfo(schema);
  const note = (name: string, description: string | null | undefined, isClearable: boolean) => {
    if (description && !uses.has(name)) uses.set(name, { description: firstSentence(description), isClearable });
  };
  visit(
    tool.document,
    visitWithTypeInfo(info, {
      Argument({ value }) {
        if (value.kind === Kind.VARIABLE && !info.getDirective())
          note(value.name.value, info.getArgument()?.description, false);
      },
      ObjectField({ name, value }) {
        const parent = getNamedType(info.getParentInputType());
        if (value.kind !== Kind.VARIABLE || !isInputObjectType(parent)) return;
        const field = parent.getFields()[name.value];
        if (field) note(value.name.value, field.description, isClearable(field));
      },
    }),
  );
  return uses;
}

/**
 * The JSON Schema of a tool's structured result: its operation's selection. Nothing is required, because null and
 * excluded fields are missing. Each field has a single type: some clients cannot read a list of types (MCP Inspector,
 * `--strict`).
 */
export function resultSchema(schema: GraphQLSchema, tool: ToolFile): JsonSchema {
  const root = tool.operation.operation === 'query' ? schema.getQueryType() : schema.getMutationType();
  const fragments = new Map(
    tool.document.definitions
      .filter((each) => each.kind === Kind.FRAGMENT_DEFINITION)
      .map((each) => [each.name.value, each]),
  );
  if (!root) throw new Error(`The schema has no ${tool.operation.operation}.`);
  return selectionSchema(schema, root, [tool.operation.selectionSet], fragments);
}

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;
/** The selected fields of a type, by response key. */
type Fields = Map<string, { nodes: FieldNode[]; type: GraphQLOutputType }>;

function selectionSchema(
  schema: GraphQLSchema,
  type: GraphQLOutputType,
  selections: readonly SelectionSetNode[],
  fragments: Fragments,
): JsonSchema {
  if (isNonNullType(type)) return selectionSchema(schema, type.ofType, selections, fragments);
  if (isListType(type)) return { type: 'array', items: selectionSchema(schema, type.ofType, selections, fragments) };
  if (!isCompositeType(type)) return leafSchema(type);
  const fields: Fields = new Map();
  for (const selection of selections) collect(schema, type, selection, fragments, fields);
  if (fields.has('edges')) return pageSchema(schema, fields, fragments);
  return { type: 'object', properties: propertiesOf(schema, fields, fragments) };
}

function propertiesOf(schema: GraphQLSchema, fields: Fields, fragments: Fragments): Record<string, JsonSchema> {
  return Object.fromEntries(
    [...fields].map(([key, { nodes, type }]) => {
      const subselections = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
      return [
        key,
        subselections.length > 0 ? selectionSchema(schema, type, subselections, fragments) : leafSchema(type),
      ];
    }),
  );
}

/** A connection, in the shape of `answerShape`. */
function pageSchema(schema: GraphQLSchema, fields: Fields, fragments: Fragments): JsonSchema {
  const { edges, pageInfo: _pageInfo, ...others } = propertiesOf(schema, fields, fragments);
  const { node, cursor: _cursor, ...ofEdge } = edges?.items?.properties ?? {};
  const item: JsonSchema = { type: 'object', properties: { ...node?.properties, ...ofEdge } };
  return { type: 'object', properties: { ...others, items: { type: 'array', items: item }, next: { type: 'string' } } };
}

/** Collects the selected fields of a type, including fragments, by response key. */
function collect(
  schema: GraphQLSchema,
  type: GraphQLOutputType,
  { selections }: SelectionSetNode,
  fragments: Fragments,
  into: Fields,
): void {
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD) {
      const named = getNamedType(type);
      const field = 'getFields' in named ? named.getFields()[selection.name.value] : undefined;
      if (!field) continue; // __typename
      const key = selection.alias?.value ?? selection.name.value;
      const known = into.get(key);
      if (known) known.nodes.push(selection);
      else into.set(key, { nodes: [selection], type: field.type as GraphQLOutputType });
      continue;
    }
    const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
    if (!fragment) continue;
    const narrower = fragment.typeCondition ? schema.getType(fragment.typeCondition.name.value) : getNamedType(type);
    if (
      narrower &&
      isCompositeType(narrower) &&
      (narrower === getNamedType(type) || isAbstractType(getNamedType(type)))
    )
      collect(schema, narrower, fragment.selectionSet, fragments, into);
  }
}
