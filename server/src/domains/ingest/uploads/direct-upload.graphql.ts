import type { Graph } from '../../../gql/index.ts';

/** Declares DirectUpload: where the parts of a file go, if the object storage takes them from their sender. */
export function declareDirectUpload(graph: Graph) {
  return graph.object('DirectUpload', {
    description:
      'An upload straight to the object storage, in parts: request the addresses of parts, PUT each part to its ' +
      'address, then complete the upload with the ETags of the responses. The addresses need no key and must be ' +
      'kept secret.',
    fields: (f) => ({
      partsEndpoint: f.value({
        type: 'URL',
        secret: true,
        description:
          'POST { "first": 1, "count": 100 } to get signed addresses of up to 100 parts, valid for an hour, each for ' +
          'one part of exactly its size.',
      }),
      completeEndpoint: f.value({
        type: 'URL',
        secret: true,
        description: 'POST { "etags": [ … ] } with the ETags of all parts in their order to finish the upload.',
      }),
      partSizeBytes: f.value({ type: 'BigInt', description: 'Size of every part but the last in bytes.' }),
      partCount: f.value({ type: 'Int', description: 'Number of parts.' }),
    }),
  });
}

export type DirectUploadRef = ReturnType<typeof declareDirectUpload>;
