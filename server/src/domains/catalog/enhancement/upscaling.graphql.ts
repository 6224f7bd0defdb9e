import type { ArgBuilder, EntityRef, Graph } from '../../../gql/index.ts';
import { processing } from '../../../kernel/key-budgets.ts';
import { requireAccount } from '../../channels/index.ts';
import type { UpscaleInput } from '../../enhance/index.ts';
import type { MediaTypes } from '../../ingest/index.ts';
import { CONTENT_CHANGE } from '../contents/content.policy.ts';
import { readContentId } from '../contents/content-commands.ts';
import { actorOf } from '../services.ts';
import { estimateContentUpscale, removeContentUpscale, upscaleContent } from './upscale-content.ts';

/** Declares what upscales the video of a content. */
export function declareUpscaling(graph: Graph, { Content, assets }: { Content: EntityRef; assets: MediaTypes }): void {
  const contentId = (t: ArgBuilder) => t.field({ type: 'DID', required: true, description: 'Id of the content.' });
  const UpscaleContentInput = graph.builder.inputType('UpscaleContentInput', {
    description: 'Options of upscaling.',
    fields: (t) => ({
      target: t.int({
        description:
          'Lines of the quality, one of VideoAsset.upscaleTargets that the model can make; default the most of these ' +
          'with at most twice the size of the video, otherwise the fewest.',
      }),
      model: t.string({
        description:
          'Name of the model that enlarges it, as the query upscaling lists them; default compressed, for what a ' +
          'codec has changed, as nearly every upload.',
      }),
      again: t.boolean({ description: 'Whether one that is complete is made again; default false.' }),
    }),
  });
  graph.mutation('upscaleContent', {
    access: 'content:enhance',
    policies: [CONTENT_CHANGE],
    charges: processing,
    description:
      'Enlarges a processed video of yours with a neural network, and offers the result beside the other qualities, ' +
      'as "2160p enhanced". Viewers choose it; players do not by themselves unless Channel.preferEnhanced is set. ' +
      'Each scene is enlarged with the network as far as it gains in a test; if no scene gains, the job completes ' +
      'with the outcome NO_GAIN and stores nothing. The video is played as before meanwhile. Another target takes ' +
      'the place of an earlier one; repeating it returns the same job. It takes credits (CreditBalance), which ' +
      'estimateUpscale tells; VideoAsset.upscale tells what it did, and upscaling what this server can.',
    payload: (f) => ({ job: f.read({ type: assets.TranscodeJob, description: 'The job.' }) }),
    args: (t: ArgBuilder) => ({
      id: contentId(t),
      input: t.field({ type: UpscaleContentInput, description: 'Target and model.' }),
    }),
    command: async (context, { id, input }) => {
      const content = readContentId(context, id, 'id');
      const actor = actorOf(requireAccount(context));
      const { target, model, again } = input ?? {};
      return upscaleContent(context.services.catalog, actor, content, { target, model, again: again === true });
    },
  });
  graph.mutation('removeUpscale', {
    access: 'content:enhance',
    policies: [CONTENT_CHANGE],
    description: 'Removes the enhanced quality of a content of yours. The others stay. Idempotent.',
    payload: (f) => ({ content: f.read({ type: Content, description: 'The content.' }) }),
    args: (t: ArgBuilder) => ({ id: contentId(t) }),
    command: async (context, { id }) => {
      const content = readContentId(context, id, 'id');
      await removeContentUpscale(context.services.catalog, actorOf(requireAccount(context)), content);
      return content.id;
    },
  });
  graph.queryResolve('estimateUpscale', {
    access: 'content:read',
    type: assets.ProcessingEstimate,
    description:
      'Estimates what upscaleContent would take for a content of yours if all scenes gain, from what was measured on ' +
      'this server.',
    args: (t) => ({
      id: t.field({ type: 'DID', required: true, description: 'Id of the content.' }),
      input: t.field({ type: UpscaleContentInput, description: 'Target and model.' }),
    }),
    // The schema has validated the shapes.
    resolve: (context, { id, input }) =>
      estimateContentUpscale(context, readContentId(context, id as string, 'id'), (input ?? {}) as UpscaleInput),
  });
}
