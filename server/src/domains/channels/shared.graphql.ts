import type { EntityRef, Graph } from '../../gql/index.ts';

/** Interfaces that every kind of published thing implements. */
export interface SharedTypes {
  readonly Node: EntityRef;
  readonly EntityMetadata: EntityRef;
}

/** Declares Node with `node` and `nodes`, and the metadata that everything with a title has. */
export function declareShared(graph: Graph): SharedTypes {
  const Node = graph.interface('Node', {
    description: 'Anything that has an identifier of its own.',
    fields: (f) => ({ id: f.field({ type: 'DID', description: 'Identifier.' }) }),
  });
  graph.queryNode({
    access: 'public',
    type: Node,
    node: 'The object with this identifier, if it is visible to the caller. A content of kind FEATURE is answered as Feature.',
    nodes: 'The objects with these identifiers, in the same order; null for those that do not exist or are not visible.',
  });
  const EntityMetadata = graph.interface('EntityMetadata', {
    description: 'What something is called and what it is about.',
    fields: (f) => ({
      name: f.field({ type: 'String', description: 'Short name.' }),
      title: f.field({ type: 'String', description: 'Title.' }),
      summary: f.field({ type: 'String', description: 'Description; may have several lines.' }),
      shortSummary: f.field({ type: 'String', description: 'Description in a sentence or two.' }),
      keywords: f.field({ type: ['String'], description: 'Keywords.' }),
    }),
  });
  return { Node, EntityMetadata };
}
