import type { Operation } from '@reelgraph/sql-planner';
import {
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  getDirectiveValues,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/**
 * The selection of an operation without fragment spreads, directives and fragments without a type: `@skip` and
 * `@include` are applied with the values of this request. The limit of fields per operation bounds its size. Pure.
 */
export function flatSelection(
  { node, fragments }: Pick<Operation, 'node' | 'fragments'>,
  variables: Readonly<Record<string, unknown>>,
): SelectionNode[] {
  const flat = (set: SelectionSetNode): SelectionNode[] =>
    set.selections.flatMap((selection): SelectionNode[] => {
      if (!isIncluded(selection, variables)) return [];
      if (selection.kind === Kind.FIELD) {
        const { selectionSet, ...field } = selection;
        if (!selectionSet) return [{ ...field, directives: [] }];
        return [{ ...field, directives: [], selectionSet: { ...selectionSet, selections: flat(selectionSet) } }];
      }
      const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
      if (!fragment) return [];
      const selections = flat(fragment.selectionSet);
      const { typeCondition } = fragment;
      if (!typeCondition || selections.length === 0) return selections;
      const selectionSet = { kind: Kind.SELECTION_SET, selections } as const;
      return [{ kind: Kind.INLINE_FRAGMENT, typeCondition, selectionSet }];
    });
  return flat(node.selectionSet);
}

function isIncluded(selection: SelectionNode, variables: Readonly<Record<string, unknown>>): boolean {
  if (getDirectiveValues(GraphQLSkipDirective, selection, variables)?.if === true) return false;
  return getDirectiveValues(GraphQLIncludeDirective, selection, variables)?.if !== false;
}
