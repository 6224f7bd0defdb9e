import type { EntityRef, Graph } from '../../gql/index.ts';

/** Interfaces of all published entities. */
export interface SharedTypes {
  readonly Node: EntityRef;
  readonly EntityMetadata: EntityRef;
}

/** Declares the metadata common to all entities with a title. */
export function declareShared(graph: Graph, Node: EntityRef): SharedTypes {
  const EntityMetadata = graph.interface('EntityMetadata', {
    description: 'A title and descriptive texts.',
    fields: (f) => ({
      name: f.field({ type: 'String', description: 'Short name.' }),
      title: f.field({ type: 'String', description: 'Title.' }),
      summary: f.field({ type: 'String', description: 'Description; may have several lines.' }),
      shortSummary: f.field({ type: 'String', description: 'Short description in a sentence or two.' }),
      keywords: f.field({ type: ['String'], description: 'Keywords.' }),
    }),
  });
  return { Node, EntityMetadata };
}
