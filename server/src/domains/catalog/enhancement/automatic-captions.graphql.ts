import type { ArgBuilder, EntityRef, Graph } from '../../../gql/index.ts';
import { processing } from '../../../kernel/key-budgets.ts';
import { localized } from '../../../kernel/languages/catalogs.ts';
import { requireAccount } from '../../channels/index.ts';
import { declareCaptionsJobs, speechEngine, speechSetup } from '../../enhance/index.ts';
import type { MediaTypes } from '../../ingest/index.ts';
import { CONTENT_CHANGE } from '../contents/content.policy.ts';
import { readContentId } from '../contents/content-commands.ts';
import { actorOf } from '../services.ts';
import { estimateContentTranscription, transcribeContent } from './transcribe-content.ts';
import { estimateCaptionsTranslation, translateCaptions } from './translate-captions.ts';

/** Declares what makes captions of a content from its speech, and translates them. */
export function declareAutomaticCaptions(
  graph: Graph,
  { Content, assets }: { Content: EntityRef; assets: MediaTypes },
): void {
  declareCaptionsJobs(graph, Content, assets);
  declareTranscription(graph, assets);
  declareTranslation(graph, assets);
  declareAvailability(graph);
}

function contentId(t: ArgBuilder) {
  return t.field({ type: 'DID', required: true, description: 'Id of the content.' });
}

function declareTranscription(graph: Graph, assets: MediaTypes): void {
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
      'those that people wrote, which are never replaced; updateContentCaptions edits them. Repeating it returns ' +
      'the same job. It takes credits (CreditBalance), which estimateTranscription tells; Content.captionsJobs ' +
      'tells what it did, and automaticCaptions whether this server can.',
    payload: (f) => ({ job: f.read({ type: assets.TranscodeJob, description: 'The job.' }) }),
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
}

function declareTranslation(graph: Graph, assets: MediaTypes): void {
  const TranslateCaptionsInput = graph.builder.inputType('TranslateCaptionsInput', {
    description: 'A translation of captions.',
    fields: (t) => ({
      from: t.string({
        required: true,
        description: 'Language of the captions to translate, as a BCP 47 tag; those of people are taken first.',
      }),
      to: t.string({ required: true, description: 'Language to translate them into, as a BCP 47 tag.' }),
      again: t.boolean({
        description: 'Whether a translation that was made is made again and replaced; default false.',
      }),
    }),
  });
  const translation = (t: ArgBuilder) => ({
    id: contentId(t),
    input: t.field({ type: TranslateCaptionsInput, required: true, description: 'The languages.' }),
  });
  graph.mutation('translateCaptions', {
    access: 'content:enhance',
    policies: [CONTENT_CHANGE],
    charges: processing,
    description:
      'Translates captions of a video of yours. The translation is marked as automatic, beside and below captions ' +
      'that people wrote, which are never replaced; updateContentCaptions edits it. Repeating it returns the same ' +
      'job. It takes credits (CreditBalance), which estimateTranslation tells; Content.captionsJobs tells what it ' +
      'did, and automaticCaptions whether this server can.',
    payload: (f) => ({ job: f.read({ type: assets.TranscodeJob, description: 'The job.' }) }),
    args: translation,
    command: async (context, { id, input }) => {
      const content = readContentId(context, id, 'id');
      return translateCaptions(context.services.catalog, actorOf(requireAccount(context)), content, input);
    },
  });
  graph.queryResolve('estimateTranslation', {
    access: 'content:read',
    type: assets.ProcessingEstimate,
    description:
      'Estimates what translateCaptions would take for a content of yours, from what was measured on this server.',
    args: (t) => ({
      id: t.field({ type: 'DID', required: true, description: 'Id of the content.' }),
      input: t.field({ type: TranslateCaptionsInput, required: true, description: 'The languages.' }),
    }),
    // The schema has validated the shape.
    resolve: (context, { id, input }) =>
      estimateCaptionsTranslation(
        context,
        readContentId(context, id as string, 'id'),
        input as Parameters<typeof estimateCaptionsTranslation>[2],
      ),
  });
}

function declareAvailability(graph: Graph): void {
  const AutomaticCaptions = graph.object('AutomaticCaptions', {
    description: 'What this server can make captions by.',
    fields: (f) => ({
      speech: f.value({ type: 'Boolean', description: 'Whether transcribeContent is set up and switched on.' }),
      speechSetup: f.value({
        type: 'String',
        nullable: true,
        description: 'What the operator can do to set transcribeContent up; null where it is set up or switched off.',
      }),
      translation: f.value({ type: 'Boolean', description: 'Whether translateCaptions is set up and switched on.' }),
    }),
  });
  graph.queryResolve('automaticCaptions', {
    access: 'content:read',
    type: AutomaticCaptions,
    description: 'Whether this server can make captions: its operator sets that up.',
    resolve: ({ services, language }) => {
      const { captioning, switchedOff } = services.catalog;
      const isOn = !switchedOff().includes('AUTOMATIC_CAPTIONS');
      const setup = isOn ? speechSetup(captioning) : null;
      return {
        speech: isOn && speechEngine(captioning) !== null,
        speechSetup: setup && localized(setup, language),
        translation: isOn && captioning.TRANSLATION !== 'off',
      };
    },
  });
}
