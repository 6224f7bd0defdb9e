import { type EntityRef, type Graph, interfaceFields } from '../../gql/index.ts';
import { METADATA_FIELDS } from './metadata-fields.ts';

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
      ...interfaceFields(f, METADATA_FIELDS),
    }),
  });
  return { Node, EntityMetadata };
}
