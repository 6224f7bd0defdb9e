import type { CommandContext, EntityRef, Graph } from '../../../gql/index.ts';
import { CONTENT_KINDS, type ContentKind } from '../../../kernel/content-kinds.ts';
import type { MediaTypes, OpenedIngestion } from '../../ingest/index.ts';

/** Declares UploadInfo, which mutations return that open the upload of a video. */
export function declareUploadInfo(graph: Graph, assets: MediaTypes): EntityRef {
  return graph.object('UploadInfo', {
    description: 'Where and how to upload the file.',
    fields: (f) => ({
      endpoint: f.value({
        type: 'String',
        secret: true,
        description:
          'An upload for exactly this file: HEAD and PATCH it by tus 1.0.0, ' +
          'or PUT the whole file. It needs no key and must be kept secret.',
      }),
      direct: f.value({
        type: assets.DirectUpload,
        nullable: true,
        description: 'How to send the file straight to the object storage; null where it takes none.',
      }),
      assetName: f.value({ type: 'String', description: 'Name of the asset on the server.' }),
      curlCommand: f.value({
        type: 'String',
        secret: true,
        description: 'A shell command that uploads the file; run it in the folder of the file.',
      }),
      contentId: f.value({ type: 'DID', description: 'Id of the content.' }),
      expiresAt: f.value({ type: 'DateTime', description: 'Deadline for the next data.' }),
    }),
  });
}

/** An opened upload of a content as an UploadInfo. */
export function uploadInfo(
  context: CommandContext,
  { id, kind }: { readonly id: string; readonly kind: ContentKind },
  upload: OpenedIngestion,
) {
  const direct = context.services.ingest.directUpload(upload.id, upload.sizeBytes);
  return { ...upload, contentId: context.did(CONTENT_KINDS[kind].did, id), direct };
}
