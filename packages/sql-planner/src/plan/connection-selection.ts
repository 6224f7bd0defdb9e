import { type GraphQLCompositeType, type GraphQLObjectType, isObjectType, type SelectionSetNode } from 'graphql';
import { collect, compositeOf, type KeyOf, type ReadableDocument, type Selected } from './selection.ts';

/** An object of a connection with its selected fields: by the names that they are written under, in their order. */
export interface SelectedObject {
  /** Name of its type. */
  readonly type: string;
  readonly fields: ReadonlyMap<string, Selected>;
}

/** What a document selects of a connection. */
export interface ConnectionSelection {
  /** Type of the entries. */
  readonly type: GraphQLCompositeType;
  readonly connection: SelectedObject;
  readonly edge: SelectedObject;
  readonly pageInfo: SelectedObject;
  /** Selections on the entries' nodes. */
  readonly nodes: readonly SelectionSetNode[];
}

export function connectionSelection(document: ReadableDocument, selected: Selected, keyOf: KeyOf): ConnectionSelection {
  const objectOf = (type: GraphQLObjectType, sets: readonly SelectionSetNode[]): SelectedObject => ({
    type: type.name,
    fields: collect(document, type, sets, keyOf),
  });
  const type = asObject(compositeOf(selected.field));
  const connection = objectOf(type, selected.below);
  const edgeType = asObject(compositeOf(fieldOf(type, 'edges')));
  const edge = objectOf(edgeType, find(connection, 'edges')?.below ?? []);
  const infoType = asObject(compositeOf(fieldOf(type, 'pageInfo')));
  return {
    type: compositeOf(fieldOf(edgeType, 'node')),
    connection,
    edge,
    pageInfo: objectOf(infoType, find(connection, 'pageInfo')?.below ?? []),
    nodes: find(edge, 'node')?.below ?? [],
  };
}

/** Whether a field is among the selected ones, under whatever names. */
export function selects(object: SelectedObject, name: string): boolean {
  return find(object, name) !== undefined;
}

/** The names that a field is written under. */
export function namesOf({ fields }: SelectedObject, name: string): string[] {
  return [...fields].filter(([, { node }]) => node.name.value === name).map(([key]) => key);
}

function find({ fields }: SelectedObject, name: string): Selected | undefined {
  return [...fields.values()].find(({ node }) => node.name.value === name);
}

function asObject(type: GraphQLCompositeType): GraphQLObjectType {
  if (!isObjectType(type)) throw new TypeError(`${type.name} is no object type`);
  return type;
}

function fieldOf(type: GraphQLObjectType, name: string): Selected['field'] {
  const field = type.getFields()[name];
  if (!field) throw new TypeError(`${type.name} has no ${name}`);
  return field;
}
