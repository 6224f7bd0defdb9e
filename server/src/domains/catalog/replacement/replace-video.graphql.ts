import type { ArgBuilder, EntityRef, Graph } from '../../../gql/index.ts';
import { processing } from '../../../kernel/key-budgets.ts';
import { localized } from '../../../kernel/languages/catalogs.ts';
import { requireAccount } from '../../channels/index.ts';
import type { MediaTypes } from '../../ingest/index.ts';
import { CONTENT_ACTIONS } from '../contents/content.policy.ts';
import { readContentId } from '../contents/content-commands.ts';
import { uploadInfo } from '../publication/upload-info.graphql.ts';
import { actorOf } from '../services.ts';
import { replaceVideo } from './replace-video.ts';

interface Types {
  readonly Content: EntityRef;
  readonly assets: MediaTypes;
  readonly UploadInfo: EntityRef;
}

/** Declares replaceContentVideo. */
export function declareReplaceVideo(graph: Graph, { Content, assets, UploadInfo }: Types): void {
  const ReplaceContentVideoInput = graph.builder.inputType('ReplaceContentVideoInput', {
    description: 'The new video: either sourceUrl, or filename and size.',
    fields: (t) => ({
      sourceUrl: t.field({
        type: 'URL',
        description: 'Public http or https address from which the server fetches the file.',
      }),
      filename: t.string({ description: 'Name of the file you will upload, without folders.' }),
      size: t.field({ type: 'BigInt', description: 'Exact size in bytes of the file you will upload.' }),
      videoHint: t.field({
        type: assets.enums.VideoPresentationHint,
        description: 'How the video is projected or framed; default: as the video that is replaced.',
      }),
    }),
  });
  graph.mutation('replaceContentVideo', {
    access: 'asset:upload',
    policies: [CONTENT_ACTIONS.replaceVideo],
    charges: processing,
    description:
      'Replaces the video of a content of yours that is ready or published, or whose video could not be fetched or ' +
      'processed. Address, comments, likes, views, captions and chapters stay. The present video is played until the ' +
      'new one is playable; a replacement that fails or is cancelled leaves it as it is. Follow it with ' +
      'waitForProcessing.',
    payload: (f) => ({
      content: f.read({
        type: Content,
        description: 'The content, which is unchanged until the new video is playable.',
      }),
      job: f.read({
        type: assets.TranscodeJob,
        description: 'The processing of the new video: IDLE while the upload is not complete.',
      }),
      upload: f.value({
        type: UploadInfo,
        nullable: true,
        description: 'Where to upload the file; null if the server fetches it.',
      }),
      warnings: f.value({
        type: ['String'],
        description: 'Texts with times in the present video that may not fit the new one: captions and chapters.',
      }),
    }),
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: 'Id of the content.' }),
      input: t.field({ type: ReplaceContentVideoInput, required: true, description: 'The new video.' }),
    }),
    command: async (context, { id, input }) => {
      const content = readContentId(context, id, 'id');
      const actor = actorOf(requireAccount(context));
      const { jobId, upload, warnings } = await replaceVideo(context.services.catalog, actor, content, input);
      return {
        content: content.id,
        job: jobId,
        upload: upload && uploadInfo(context, content, upload),
        warnings: warnings.map((text) => localized(text, context.language)),
      };
    },
  });
}
