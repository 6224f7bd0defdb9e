import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLOutputType,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';

type Field = GraphQLField<unknown, unknown>;

const MOST_VALUES = 12;
const MOST_OBJECTS = 4;
/** Fields that identify a referenced object, best first. */
const NAMES = ['title', 'name', 'username', 'handle', 'label', 'type', 'code'];

/** The selection of an example for a field's type: a short one. */
export function exampleSelection(type: GraphQLOutputType, depth = 0): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return '';
  if (isConnection(named)) return connection(named, depth);
  const fields = fieldsOf(named).filter((field) => !field.deprecationReason && !field.args.some(isRequiredArgument));
  const values = fields.filter((field) => isLeafType(getNamedType(field.type)));
  const objects = fields.filter(
    (field) => !isLeafType(getNamedType(field.type)) && !isConnection(getNamedType(field.type)),
  );
  const few = depth > 0 && isNode(named);
  const chosen = few ? reference(values) : inOrder(values).slice(0, MOST_VALUES);
  const deeper = few || depth > 1 ? [] : objects.slice(0, MOST_OBJECTS).map((field) => within(field, depth));
  const parts = [...chosen, ...deeper.filter((part) => part !== null)];
  return ` { ${(parts.length === 0 ? ['__typename'] : parts).join(' ')} }`;
}

function within(field: Field, depth: number): string | null {
  const selection = exampleSelection(field.type, depth + 1);
  return selection === ' { __typename }' ? null : `${field.name}${selection}`;
}

function connection(type: GraphQLNamedType, depth: number): string {
  const edge = fieldsOf(type).find(({ name }) => name === 'edges');
  const node = edge && fieldsOf(getNamedType(edge.type)).find(({ name }) => name === 'node');
  const selection = node ? exampleSelection(node.type, depth) : ' { __typename }';
  return ` { totalCount edges { node${selection} } pageInfo { hasNextPage endCursor } }`;
}

/** Identifier and names come first; data for search engines is long. */
function inOrder(values: readonly Field[]): string[] {
  const names = values.map(({ name }) => name).filter((name) => name !== 'structuredData');
  const first = ['id', ...NAMES].filter((name) => names.includes(name));
  return [...first, ...names.filter((name) => !first.includes(name))];
}

function reference(values: readonly Field[]): string[] {
  const names = values.map(({ name }) => name);
  const best = NAMES.find((name) => names.includes(name));
  return best === undefined ? ['id'] : ['id', best];
}

function isConnection({ name }: GraphQLNamedType): boolean {
  return name.endsWith('Connection');
}

function isNode(type: GraphQLNamedType): boolean {
  return isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Node');
}

function fieldsOf(type: GraphQLNamedType): Field[] {
  return isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
}
