import type { EntityRef, Graph } from '../../gql/index.ts';

/** Interfaces that every kind of published thing implements. */
export interface SharedTypes {
  readonly Node: EntityRef;
  readonly EntityMetadata: EntityRef;
}

/** Declares the metadata that everything with a title has. */
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
