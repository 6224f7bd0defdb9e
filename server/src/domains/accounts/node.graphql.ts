import type { EntityRef, Graph } from '../../gql/index.ts';

/** Declares Node with `node` and `nodes`: what every domain's objects with an identifier implement. */
export function declareNode(graph: Graph): EntityRef {
  const Node = graph.interface('Node', {
    description: 'Anything that has an identifier of its own.',
    fields: (f) => ({ id: f.field({ type: 'DID', description: 'Identifier.' }) }),
  });
  graph.queryNode({
    access: 'public',
    type: Node,
    node: 'The object with this identifier, if it is visible to the caller. A content of kind FEATURE has the type Feature.',
    nodes: 'The objects with these identifiers, in the same order; null for those that do not exist or are not visible.',
  });
  return Node;
}
