import {
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isInterfaceType,
  Kind,
  print,
  type SelectionSetNode,
} from 'graphql';

export interface SelectedField {
  readonly type: GraphQLOutputType;
  readonly description: string | null | undefined;
  readonly sets: SelectionSetNode[];
  /** Under @include or @skip everywhere it is selected. */
  optional: boolean;
}

export interface Selected {
  /** By their keys in the response. */
  readonly fields: Map<string, SelectedField>;
  /** Keys of `__typename`. */
  readonly typenames: string[];
}

/** Object types of which the same fields are selected. */
export interface SelectedGroup {
  readonly names: string[];
  readonly selected: Selected;
}

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** What selections on a type select, fragments merged: of an interface by groups of types that are selected alike. */
export function groupsOf(
  schema: GraphQLSchema,
  fragments: Fragments,
  type: GraphQLCompositeType,
  sets: readonly SelectionSetNode[],
): SelectedGroup[] {
  const possible = isAbstractType(type) ? schema.getPossibleTypes(type) : [type];
  const groups = new Map<string, SelectedGroup>();
  for (const concrete of possible) {
    const selected: Selected = { fields: new Map(), typenames: [] };
    for (const set of sets) select({ schema, fragments, concrete }, type, set, false, selected);
    const key = JSON.stringify([selected.typenames, [...selected.fields].map(likeness)]);
    const group = groups.get(key) ?? { names: [], selected };
    group.names.push(concrete.name);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** What distinguishes a field from one of the same key in another type. */
function likeness([key, { type, description, sets, optional }]: [string, SelectedField]): unknown {
  return [key, `${type}`, description, optional, sets.map((set) => print(set))];
}

interface Place {
  readonly schema: GraphQLSchema;
  readonly fragments: Fragments;
  readonly concrete: GraphQLObjectType;
}

/** What a selection on `type` selects of objects of one of its types. Expects validated documents. */
function select(
  place: Place,
  type: GraphQLNamedType | null | undefined,
  set: SelectionSetNode,
  conditional: boolean,
  into: Selected,
): void {
  const { schema, fragments, concrete } = place;
  const common = isInterfaceType(type) ? type.getFields() : {};
  for (const node of set.selections) {
    const optional =
      conditional || (node.directives ?? []).some(({ name }) => name.value === 'include' || name.value === 'skip');
    if (node.kind === Kind.FIELD) {
      const key = node.alias?.value ?? node.name.value;
      if (node.name.value === '__typename') {
        if (!into.typenames.includes(key)) into.typenames.push(key);
        continue;
      }
      const definition = common[node.name.value] ?? concrete.getFields()[node.name.value];
      if (!definition) continue; // unreachable on validated documents
      const field = into.fields.get(key) ?? {
        type: definition.type,
        description: definition.description,
        sets: [],
        optional,
      };
      field.optional = field.optional && optional;
      if (node.selectionSet) field.sets.push(node.selectionSet);
      into.fields.set(key, field);
      continue;
    }
    const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : fragments.get(node.name.value);
    const condition = fragment?.typeCondition && schema.getType(fragment.typeCondition.name.value);
    if (!fragment || (condition && !applies(schema, condition.name, concrete))) continue;
    select(place, condition ?? type, fragment.selectionSet, optional, into);
  }
}

/** Whether a fragment on the type `condition` selects of objects of the concrete type. */
export function applies(schema: GraphQLSchema, condition: string, concrete: GraphQLObjectType): boolean {
  const type = schema.getType(condition);
  return condition === concrete.name || (isAbstractType(type) && schema.isSubType(type, concrete));
}
