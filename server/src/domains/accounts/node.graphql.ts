import type { EntityRef, Graph } from '../../gql/index.ts';

/** Declares Node with `node` and `nodes`: the interface of all objects with an identifier. */
export function declareNode(graph: Graph): EntityRef {
  const Node = graph.interface('Node', {
    description: 'An object with an id.',
    fields: (f) => ({ id: f.field({ type: 'DID', description: 'Id.' }) }),
  });
  graph.queryNode({
    access: 'public',
    type: Node,
    node: 'The object with this id, if it is visible to the caller. A content of kind FEATURE is returned as Feature.',
    nodes:
      'One for each of these ids, in the same order: the object; null for those that do not exist, are not visible ' +
      'or are no ids.',
  });
  return Node;
}
