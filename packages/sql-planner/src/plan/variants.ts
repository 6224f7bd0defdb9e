import type { GraphQLInterfaceType, GraphQLObjectType, SelectionSetNode } from 'graphql';
import type { FieldPlan } from '../schema/declarations.ts';
import { collect, type KeyOf, type ReadableDocument, type Selected } from './selection.ts';

/** What is selected of rows of one of the types of an interface. */
export interface Variant {
  readonly type: GraphQLObjectType;
  /** A field that is selected in the same way of several types is the same object in all of them. */
  readonly fields: ReadonlyMap<string, Selected>;
}

/** What is selected of each type of an interface. */
export function variantsOf(
  document: ReadableDocument,
  type: GraphQLInterfaceType,
  sets: readonly SelectionSetNode[],
  keyOf: KeyOf,
): Variant[] {
  const known = new Map<string, Selected[]>();
  const shared = (key: string, selected: Selected): Selected => {
    const candidate = { ...selected, field: commonField(type, selected.field) };
    const others = known.get(key) ?? [];
    const same = others.find((other) => isSame(other, candidate));
    if (same) return same;
    known.set(key, [...others, candidate]);
    return candidate;
  };
  return document.schema.getPossibleTypes(type).map((variant) => ({
    type: variant,
    fields: new Map(
      [...collect(document, variant, sets, keyOf)].map(([key, selected]) => [key, shared(key, selected)]),
    ),
  }));
}

/** The field of the interface where the type has it as the interface declares it, or as a more specific view of it. */
function commonField(type: GraphQLInterfaceType, field: Selected['field']): Selected['field'] {
  const common = type.getFields()[field.name];
  const plans = [field.extensions['plan'], common?.extensions['plan']];
  const [plan, other] = plans as Array<FieldPlan | undefined>; // set by Graph
  return common && (plan === other || (plan?.kind === 'embed' && other?.kind === 'embed')) ? common : field;
}

function isSame(one: Selected, other: Selected): boolean {
  return (
    one.field === other.field &&
    one.node === other.node &&
    one.below.length === other.below.length &&
    one.below.every((set, index) => set === other.below[index])
  );
}
