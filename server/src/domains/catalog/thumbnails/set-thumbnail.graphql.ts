import type { ArgBuilder, EntityRef, Graph } from '../../../gql/index.ts';
import { requireAccount } from '../../channels/index.ts';
import { CONTENT_ACTIONS } from '../contents/content.policy.ts';
import { readContentId } from '../contents/content-commands.ts';
import { actorOf } from '../services.ts';
import { readThumbnail, setThumbnail } from './set-thumbnail.ts';

/** Declares the mutation that chooses a content's poster. */
export function declareSetThumbnail(graph: Graph, Content: EntityRef): void {
  const SetContentThumbnailInput = graph.builder.inputType('SetContentThumbnailInput', {
    description: 'The new poster of a content: exactly one of the two.',
    fields: (t) => ({
      imageId: t.field({
        type: 'DID',
        description:
          'Identifier of an image of the same content. It becomes the POSTER; the previous one and a THUMBNAIL are kept as OTHER.',
      }),
      timeSeconds: t.float({
        description:
          'A time in its video, in seconds. The frame replaces the previous poster as soon as a worker has extracted it; a THUMBNAIL is kept as OTHER.',
      }),
    }),
  });
  graph.mutation('setContentThumbnail', {
    access: 'asset:upload',
    policies: [CONTENT_ACTIONS.addImage],
    description:
      'Sets the poster of one of your contents, which is shown in lists and before playback. An image becomes the poster at once; a frame some seconds later, reported by the event image.ready. The last choice wins: a THUMBNAIL uploaded later is shown in lists.',
    payload: Content,
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: 'Identifier of the content.' }),
      input: t.field({ type: SetContentThumbnailInput, required: true, description: 'The picture.' }),
    }),
    command: async (context, { id, input }) => {
      const content = readContentId(context, id, 'id');
      await setThumbnail(context.services.catalog, actorOf(requireAccount(context)), content, readThumbnail(context, input));
      return content.id;
    },
  });
}
