import type { ArgBuilder, EntityRef, Graph } from '../../../gql/index.ts';
import { processing } from '../../../kernel/key-budgets.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import type { AssetTypes, UpscaleInput } from '../../assets/index.ts';
import { requireAccount } from '../../channels/index.ts';
import { CONTENT_CHANGE } from '../contents/content.policy.ts';
import { readContentId } from '../contents/content-commands.ts';
import { actorOf } from '../services.ts';
import { estimateContentUpscale, removeContentUpscale, upscaleContent } from './upscale-content.ts';

/** As the schema validates it. */
interface UpscaleOptions {
  readonly target?: Maybe<number>;
  readonly model?: Maybe<'COMPRESSED' | 'CLEAN'>;
}

const MODELS = { COMPRESSED: 'compressed', CLEAN: 'clean' } as const;

/** Declares what upscales the video of a content. */
export function declareUpscaling(graph: Graph, { Content, assets }: { Content: EntityRef; assets: AssetTypes }): void {
  const contentId = (t: ArgBuilder) => t.field({ type: 'DID', required: true, description: 'Id of the content.' });
  const UpscaleContentInput = graph.builder.inputType('UpscaleContentInput', {
    description: 'Options of upscaling.',
    fields: (t) => ({
      target: t.int({
        description:
          'Lines of the quality, one of VideoAsset.upscaleTargets; default the most of these with at most twice the ' +
          'size of the video, otherwise the fewest.',
      }),
      model: t.field({ type: assets.enums.UpscaleModel, description: 'What enlarges it; default COMPRESSED.' }),
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
      'Each scene is enlarged with the network ' +
      'as far as it gains in a test; if no scene gains, the job completes with the outcome NO_GAIN and stores ' +
      'nothing. The video is played as before meanwhile. Another target takes the place of an earlier one; repeating ' +
      'it returns the same job. estimateUpscale tells what it takes, VideoAsset.upscale what it did.',
    payload: assets.TranscodeJob,
    args: (t: ArgBuilder) => ({
      id: contentId(t),
      input: t.field({ type: UpscaleContentInput, description: 'Target and model.' }),
    }),
    command: async (context, { id, input }) => {
      const content = readContentId(context, id, 'id');
      const actor = actorOf(requireAccount(context));
      const wanted = { ...readOptions(input), again: input?.again === true };
      return upscaleContent(context.services.catalog, actor, content, wanted);
    },
  });
  graph.mutation('removeUpscale', {
    access: 'content:enhance',
    policies: [CONTENT_CHANGE],
    description: 'Removes the enhanced quality of a content of yours. The others stay. Idempotent.',
    payload: Content,
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
      estimateContentUpscale(
        context,
        readContentId(context, id as string, 'id'),
        readOptions(input as Maybe<UpscaleOptions>),
      ),
  });
}

function readOptions(input: Maybe<UpscaleOptions>): UpscaleInput {
  const { target = null, model } = input ?? {};
  return { target, model: model ? MODELS[model] : null };
}
