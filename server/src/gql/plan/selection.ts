import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { propertyKey } from './property-key.ts';

/** A document whose directives are resolved already, with what is needed to read it. */
export interface ReadableDocument {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
}

/** A field of the selection with all places that select below it. */
export interface Selected {
  readonly field: GraphQLField<unknown, unknown>;
  /** The first place; the arguments are the same in all. */
  readonly node: FieldNode;
  readonly below: SelectionSetNode[];
}

/**
 * The fields that the selection sets ask of an object of `type`, merged as GraphQL does (section 6.3.2), keyed by
 * property (or by response name at the root). `__typename` is left out: the executor answers it.
 */
export function collect(
  document: ReadableDocument,
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
  keyOf = propertyKey,
): Map<string, Selected> {
  const fields = type.getFields();
  const found = new Map<string, Selected>();
  const visited = new Set<string>();
  const visit = (set: SelectionSetNode): void => {
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        const field = fields[selection.name.value];
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

function applies(schema: GraphQLSchema, condition: string | undefined, type: GraphQLObjectType): boolean {
  if (condition === undefined || condition === type.name) return true;
  const other = schema.getType(condition);
  return isAbstractType(other) && schema.isSubType(other, type);
}

/** The object or interface type behind lists and non-nulls; fields with a selection below always have one. */
export function compositeOf(field: GraphQLField<unknown, unknown>): GraphQLCompositeType {
  const named = getNamedType(field.type);
  if (!isCompositeType(named)) throw new TypeError(`${field.name} has no fields`);
  return named;
}
