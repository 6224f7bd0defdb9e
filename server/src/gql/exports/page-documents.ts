import type { Operation } from '@reelgraph/sql-planner';
import {
  type FieldNode,
  Kind,
  type NamedTypeNode,
  print,
  type SelectionNode,
  type VariableDefinitionNode,
  visit,
} from 'graphql';
import { argument, type ExportedConnection, type ExportedList } from './export-document.ts';

/** A list with the document that reads a page of it. */
export interface PagedList {
  readonly key: string;
  readonly path: string;
  readonly text: string;
  readonly nested: readonly PagedList[];
}

/** The documents of an export, and the variables for the position of a page. */
export interface PageDocuments {
  readonly root: PagedList;
  /** Response names from the data to the exported connection. */
  readonly keys: readonly string[];
  /** Variable with the cursor that a page starts after. */
  readonly after: string;
  /** Variable with the object whose list is read; in documents of nested lists. */
  readonly id: string;
}

/** Builds the documents that read an export page by page: of the connection, and of each list in its objects. Pure. */
export function pageDocuments(operation: Operation, { keys, place, list }: ExportedConnection): PageDocuments {
  const definitions = operation.node.variableDefinitions ?? [];
  const taken = new Set(definitions.map(({ variable }) => variable.name.value));
  const [after, id] = [freeName('exportAfter', taken), freeName('exportId', taken)];
  const rest = (field: FieldNode): FieldNode => ({
    ...field,
    arguments: [...(field.arguments ?? []), argument('after', variable(after))],
  });
  const text = (selection: SelectionNode, own: readonly VariableDefinitionNode[]): string => {
    const used = new Set<string>();
    visit(selection, { Variable: ({ name }) => void used.add(name.value) });
    const variableDefinitions = [...definitions, ...own].filter((each) => used.has(each.variable.name.value));
    return print({
      kind: Kind.OPERATION_DEFINITION,
      operation: 'query' as never, // OperationTypeNode.QUERY, which an erasable import does not have as a value
      variableDefinitions,
      selectionSet: { kind: Kind.SELECTION_SET, selections: [selection] },
    });
  };
  const cursor = declared(after, named('String'));
  const nestedList = ({ key, path, variants, nested }: ExportedList): PagedList => ({
    key,
    path,
    text: text(objectWith(id, variants, rest), [
      declared(id, { kind: Kind.NON_NULL_TYPE, type: named('DID') }),
      cursor,
    ]),
    nested: nested.map(nestedList),
  });
  const [own] = list.variants;
  if (!own) throw new TypeError('an exported list has a field');
  const root = {
    key: list.key,
    path: list.path,
    text: text(place(rest(own.field)), [cursor]),
    nested: list.nested.map(nestedList),
  };
  return { root, keys, after, id };
}

/** `node(id) { ... on Type { list } }`. */
function objectWith(
  id: string,
  variants: ExportedList['variants'],
  rest: (field: FieldNode) => FieldNode,
): SelectionNode {
  const selections = variants.map(({ on, field }) => ({
    kind: Kind.INLINE_FRAGMENT as const,
    typeCondition: named(on),
    selectionSet: { kind: Kind.SELECTION_SET as const, selections: [rest(field)] },
  }));
  return {
    kind: Kind.FIELD,
    name: { kind: Kind.NAME, value: 'node' },
    arguments: [argument('id', variable(id))],
    selectionSet: { kind: Kind.SELECTION_SET, selections },
  };
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  return taken.has(name) ? freeName(`${name}_`, taken) : name;
}

function variable(name: string) {
  return { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: name } } as const;
}

function named(name: string): NamedTypeNode {
  return { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: name } };
}

function declared(name: string, type: VariableDefinitionNode['type']): VariableDefinitionNode {
  return { kind: Kind.VARIABLE_DEFINITION, variable: variable(name), type };
}
