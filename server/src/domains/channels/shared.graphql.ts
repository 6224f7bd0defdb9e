import { type EntityRef, type Graph, interfaceFields } from '../../gql/index.ts';
import { METADATA_FIELDS } from './metadata-fields.ts';

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
      ...interfaceFields(f, METADATA_FIELDS),
    }),
  });
  return { Node, EntityMetadata };
}
