import { type GraphQLNamedType, type GraphQLSchema, getNamedType, isObjectType } from 'graphql';

/**
 * Names of the object types with an identity: nodes, which `node(id)` returns, and entries of connections, such as
 * search results, which exist in a response only.
 */
export function entityTypes(schema: GraphQLSchema): ReadonlySet<string> {
  const found = new Set<string>();
  for (const type of Object.values(schema.getTypeMap())) {
    if (isNode(type)) found.add(type.name);
    if (!isObjectType(type) || !type.name.endsWith('Edge')) continue;
    const entry = getNamedType(type.getFields()['node']?.type);
    if (isObjectType(entry) && 'id' in entry.getFields()) found.add(entry.name);
  }
  return found;
}

function isNode(type: GraphQLNamedType): boolean {
  return isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Node');
}
