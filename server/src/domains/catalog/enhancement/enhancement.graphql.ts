import type { ArgBuilder, EntityRef, Graph } from '../../../gql/index.ts';
import { processing } from '../../../kernel/key-budgets.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import { requireAccount } from '../../channels/index.ts';
import type { UpmixLayout } from '../../enhance/index.ts';
import type { MediaTypes } from '../../ingest/index.ts';
import { CONTENT_CHANGE } from '../contents/content.policy.ts';
import { readContentId } from '../contents/content-commands.ts';
import { actorOf } from '../services.ts';
import { estimateContentUpmix, removeContentUpmix, upmixContent } from './upmix-content.ts';
import { declareUpscaling } from './upscaling.graphql.ts';

/** Of the argument `enhance` of operations that process videos. */
export const ENHANCE_HELP =
  'Whether the video is also upscaled and its sound upmixed to 5.1, where that can be done and ' +
  'me.credits.generation suffices, once it is processed; it is played as it is meanwhile. Needs the permission ' +
  'content:enhance.';

/** Declares what enhances the video of a content. */
export function declareEnhancement(
  graph: Graph,
  { Content, assets }: { Content: EntityRef; assets: MediaTypes },
): void {
  declareUpscaling(graph, { Content, assets });
  const contentId = (t: ArgBuilder) => t.field({ type: 'DID', required: true, description: 'Id of the content.' });
  const UpmixContentInput = graph.builder.inputType('UpmixContentInput', {
    description: 'Options of an upmix.',
    fields: (t) => ({
      layout: t.field({ type: assets.enums.UpmixLayout, description: 'Its channels; default SURROUND_5_1.' }),
      again: t.boolean({
        description: 'Whether a video that was upmixed is upmixed again, with this version; default false.',
      }),
    }),
  });
  graph.mutation('upmixContent', {
    access: 'content:enhance',
    policies: [CONTENT_CHANGE],
    charges: processing,
    description:
      'Makes 5.1 or 7.1 of the mono or stereo sound of a processed video of yours, and offers it as "5.1 upmix" or ' +
      '"7.1 upmix" beside the original, in AAC, and as 5.1 in Dolby Digital Plus. Viewers choose it; the original ' +
      'stays the default unless Channel.preferEnhanced is set, and the stereo downmix is the original. The video is ' +
      'played as before meanwhile. Another layout takes the place of an earlier one; repeating it returns the same ' +
      'job. It takes credits (CreditBalance), which estimateUpmix tells; VideoAsset.upmix what it did.',
    payload: (f) => ({ job: f.read({ type: assets.TranscodeJob, description: 'The job.' }) }),
    args: (t: ArgBuilder) => ({
      id: contentId(t),
      input: t.field({ type: UpmixContentInput, description: 'Layout.' }),
    }),
    command: async (context, { id, input }) => {
      const content = readContentId(context, id, 'id');
      const actor = actorOf(requireAccount(context));
      const wanted = { layout: readLayout(input), again: input?.again === true };
      return upmixContent(context.services.catalog, actor, content, wanted);
    },
  });
  graph.mutation('removeUpmix', {
    access: 'content:enhance',
    policies: [CONTENT_CHANGE],
    description: 'Removes the upmix of a content of yours. The original sound stays. Idempotent.',
    payload: (f) => ({ content: f.read({ type: Content, description: 'The content.' }) }),
    args: (t: ArgBuilder) => ({ id: contentId(t) }),
    command: async (context, { id }) => {
      const content = readContentId(context, id, 'id');
      await removeContentUpmix(context.services.catalog, actorOf(requireAccount(context)), content);
      return content.id;
    },
  });
  graph.queryResolve('estimateUpmix', {
    access: 'content:read',
    type: assets.ProcessingEstimate,
    description:
      'Estimates what upmixContent would take for a content of yours, from what was measured on this server.',
    args: (t) => ({
      id: t.field({ type: 'DID', required: true, description: 'Id of the content.' }),
      input: t.field({ type: UpmixContentInput, description: 'Layout.' }),
    }),
    // The schema has validated the shapes.
    resolve: (context, { id, input }) =>
      estimateContentUpmix(
        context,
        readContentId(context, id as string, 'id'),
        readLayout(input as Maybe<UpmixOptions>),
      ),
  });
}

const LAYOUTS = { SURROUND_5_1: '5.1', SURROUND_7_1: '7.1' } as const;

/** As the schema validates it. */
interface UpmixOptions {
  readonly layout?: Maybe<keyof typeof LAYOUTS>;
}

function readLayout(input: Maybe<UpmixOptions>): UpmixLayout {
  return LAYOUTS[input?.layout ?? 'SURROUND_5_1'];
}
