import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  TypeNameMetaFieldDef,
} from 'graphql';
import { propertyKey, responseKey } from '../documents/response-keys.ts';
import type { Variables } from '../documents/values.ts';

/** A document with what is needed to read it. */
export interface ReadableDocument {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Those that directives look at decide what is selected. */
  readonly variables: Variables;
}

/** A field of the selection with all places that select below it. */
export interface Selected {
  readonly field: GraphQLField<unknown, unknown>;
  /** The first place; the arguments are the same in all. */
  readonly node: FieldNode;
  readonly below: SelectionSetNode[];
}

/** The name that identifies a selected field in its plan. */
export type KeyOf = (node: FieldNode) => string;

/**
 * The fields that the selection sets select of an object of `type`, merged as GraphQL does (section 6.3.2),
 * `__typename` among them.
 */
export function collect(
  document: ReadableDocument,
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
  keyOf: KeyOf,
): Map<string, Selected> {
  const fields = type.getFields();
  const found = new Map<string, Selected>();
  const visited = new Set<string>();
  const visit = (set: SelectionSetNode): void => {
    for (const selection of set.selections) {
      if (!isIncluded(selection, document.variables)) continue;
      if (selection.kind === Kind.FIELD) {
        const field =
          selection.name.value === TypeNameMetaFieldDef.name ? TypeNameMetaFieldDef : fields[selection.name.value];
        if (!field) continue;
        const key = keyOf(selection);
        const entry = found.get(key) ?? { field, node: selection, below: [] };
        if (selection.selectionSet) entry.below.push(selection.selectionSet);
        found.set(key, entry);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        if (applies(document.schema, selection.typeCondition?.name.value, type)) visit(selection.selectionSet);
      } else if (!visited.has(selection.name.value)) {
        visited.add(selection.name.value);
        const fragment = document.fragments.get(selection.name.value);
        if (fragment && applies(document.schema, fragment.typeCondition.name.value, type)) visit(fragment.selectionSet);
      }
    }
  };
  for (const set of sets) visit(set);
  return found;
}

/** Whether `@include` and `@skip` leave a selection in. */
function isIncluded(selection: SelectionNode, variables: Variables): boolean {
  if (!selection.directives || selection.directives.length === 0) return true;
  const values = { ...variables };
  const skip = getDirectiveValues(GraphQLSkipDirective, selection, values);
  const include = getDirectiveValues(GraphQLIncludeDirective, selection, values);
  return skip?.['if'] !== true && include?.['if'] !== false;
}

function applies(schema: GraphQLSchema, condition: string | undefined, type: GraphQLObjectType): boolean {
  if (condition === undefined || condition === type.name) return true;
  const other = schema.getType(condition);
  return isAbstractType(other) && schema.isSubType(other, type);
}

/**
 * Whether two response names hold what is read once: the same field with the same arguments and a selection below.
 * Their values are read under one name and put under the names of the response at the end; everything else is written
 * under its response name at once.
 */
export function hasRepeatedParts(
  document: ReadableDocument,
  type: GraphQLCompositeType,
  sets: readonly SelectionSetNode[],
): boolean {
  const types = isObjectType(type) ? [type] : isInterfaceType(type) ? document.schema.getPossibleTypes(type) : [];
  return types.some((each) => {
    const seen = new Set<string>();
    for (const { field, node, below } of collect(document, each, sets, responseKey).values()) {
      if (below.length === 0) continue;
      const key = propertyKey(node);
      if (seen.has(key) || hasRepeatedParts(document, compositeOf(field), below)) return true;
      seen.add(key);
    }
    return false;
  });
}

/** The object or interface type behind lists and non-nulls; fields with a selection below always have one. */
export function compositeOf(field: GraphQLField<unknown, unknown>): GraphQLCompositeType {
  const named = getNamedType(field.type);
  if (!isCompositeType(named)) throw new TypeError(`${field.name} has no fields`);
  return named;
}

/** Whether a field below a selected one is selected too, by the path of its name. */
export function selectsPath(document: ReadableDocument, { field, below }: Selected, path: string): boolean {
  const type = getNamedType(field.type);
  const [name, ...rest] = path.split('.');
  if (!isObjectType(type)) return false;
  return [...collect(document, type, below, responseKey).values()].some(
    (selected) =>
      selected.node.name.value === name && (rest.length === 0 || selectsPath(document, selected, rest.join('.'))),
  );
}
