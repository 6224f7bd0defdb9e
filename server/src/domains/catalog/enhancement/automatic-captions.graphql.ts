import type { ArgBuilder, EntityRef, Graph } from '../../../gql/index.ts';
import { processing } from '../../../kernel/key-budgets.ts';
import { type AssetTypes, declareCaptionsJobs } from '../../assets/index.ts';
import { requireAccount } from '../../channels/index.ts';
import { CONTENT_CHANGE } from '../contents/content.policy.ts';
import { readContentId } from '../contents/content-commands.ts';
import { actorOf } from '../services.ts';
import { estimateContentTranscription, transcribeContent } from './transcribe-content.ts';

/** Declares what makes captions of a content from its speech. */
export function declareAutomaticCaptions(
  graph: Graph,
  { Content, assets }: { Content: EntityRef; assets: AssetTypes },
): void {
  const contentId = (t: ArgBuilder) => t.field({ type: 'DID', required: true, description: 'Id of the content.' });
  declareCaptionsJobs(graph, Content, assets.enums);
  const TranscribeContentInput = graph.builder.inputType('TranscribeContentInput', {
    description: 'Options of captions from speech.',
    fields: (t) => ({
      language: t.string({
        description: 'Language of the speech, as a BCP 47 tag such as en or pt-BR; default: it is detected.',
      }),
      again: t.boolean({
        description: 'Whether captions that were made are made again and replaced; default false.',
      }),
    }),
  });
  graph.mutation('transcribeContent', {
    access: 'content:enhance',
    policies: [CONTENT_CHANGE],
    charges: processing,
    description:
      'Makes captions from the speech of a processed video of yours. They are marked as automatic, beside and below ' +
      'those that people wrote, which are never replaced; updateContentCaptions edits them. Repeating it returns the ' +
      'same job. estimateTranscription tells what it takes, Content.captionsJobs what it did, and ' +
      'automaticCaptions whether this server can.',
    payload: assets.TranscodeJob,
    args: (t: ArgBuilder) => ({
      id: contentId(t),
      input: t.field({ type: TranscribeContentInput, description: 'Options.' }),
    }),
    command: async (context, { id, input }) => {
      const content = readContentId(context, id, 'id');
      const actor = actorOf(requireAccount(context));
      return transcribeContent(context.services.catalog, actor, content, input);
    },
  });
  graph.queryResolve('estimateTranscription', {
    access: 'content:read',
    type: assets.ProcessingEstimate,
    description:
      'Estimates what transcribeContent would take for a content of yours, from what was measured on this server.',
    args: (t) => ({ id: t.field({ type: 'DID', required: true, description: 'Id of the content.' }) }),
    resolve: (context, { id }) => estimateContentTranscription(context, readContentId(context, id as string, 'id')),
  });
  const AutomaticCaptions = graph.object('AutomaticCaptions', {
    description: 'What this server can make captions by.',
    fields: (f) => ({
      speech: f.value({ type: 'Boolean', description: 'Whether transcribeContent is set up.' }),
    }),
  });
  graph.queryResolve('automaticCaptions', {
    access: 'content:read',
    type: AutomaticCaptions,
    description: 'Whether this server can make captions: its operator sets that up.',
    resolve: (context) => ({ speech: context.services.catalog.captioning.SPEECH !== 'off' }),
  });
}
