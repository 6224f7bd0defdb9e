import type { ArgBuilder, EntityRef, Graph } from '../../../gql/index.ts';
import { requireAccount } from '../../channels/index.ts';
import { CONTENT_ACTIONS } from '../contents/content.policy.ts';
import { readContentId } from '../contents/content-commands.ts';
import { actorOf } from '../services.ts';
import { readThumbnail, setThumbnail } from './set-thumbnail.ts';

/** Declares the mutation that chooses a content's poster. */
export function declareSetThumbnail(graph: Graph, Content: EntityRef): void {
  const SetContentThumbnailInput = graph.builder.inputType('SetContentThumbnailInput', {
    description: 'The poster of a content: exactly one of the two fields.',
    fields: (t) => ({
      imageId: t.field({
        type: 'DID',
        description:
          'Id of an image of the same content. It becomes the POSTER; ' +
          'the former one stays as OTHER, and so does a THUMBNAIL.',
      }),
      timeMs: t.int({
        description:
          'A time of its video, in milliseconds. The frame replaces the former poster as ' +
          'soon as a worker has extracted it; a THUMBNAIL stays as OTHER.',
      }),
    }),
  });
  graph.mutation('setContentThumbnail', {
    access: 'asset:upload',
    policies: [CONTENT_ACTIONS.addImage],
    description:
      'Chooses the poster of a content of yours, which is shown in lists and before playback. An image ' +
      'is the poster at once; a frame some seconds later, which the event image.ready reports. The ' +
      'last choice counts: lists show a THUMBNAIL that is uploaded later.',
    payload: (f) => ({ content: f.read({ type: Content, description: 'The content.' }) }),
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: 'Id of the content.' }),
      input: t.field({ type: SetContentThumbnailInput, required: true, description: 'The image or the time.' }),
    }),
    command: async (context, { id, input }) => {
      const content = readContentId(context, id, 'id');
      await setThumbnail(
        context.services.catalog,
        actorOf(requireAccount(context)),
        content,
        readThumbnail(context, input),
      );
      return content.id;
    },
  });
}
