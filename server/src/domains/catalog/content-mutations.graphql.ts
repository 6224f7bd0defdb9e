import {
  type ArgBuilder,
  CHANGES_HELP,
  changeInputFields,
  type EntityRef,
  type Graph,
  ifRevisionField,
} from '../../gql/index.ts';
import { processing, publications } from '../../kernel/key-budgets.ts';
import { requireAccount } from '../channels/index.ts';
import type { MediaTypes } from '../ingest/index.ts';
import type { BatchTypes } from './batches/batch.graphql.ts';
import { declareContentBatches, PUBLISHED_FOR_HELP, WHEN_READY_HELP } from './bulk-changes/content-batches.graphql.ts';
import { CONTENT_ACTIONS } from './contents/content.policy.ts';
import { publishContent, readContentId, unpublishContent, updateContent } from './contents/content-commands.ts';
import type { ContentEnums } from './contents/content-enums.graphql.ts';
import { CONTENT_FIELDS } from './contents/content-fields.ts';
import { createContent } from './contents/create-content.ts';
import { requireEnhancement } from './enhancement/enhance-video.ts';
import { ENHANCE_HELP } from './enhancement/enhancement.graphql.ts';
import { createContentAsset } from './publication/create-content-asset.ts';
import { submitContent } from './publication/process-content.ts';
import { actorOf } from './services.ts';
import type { TaxonomyTypes } from './taxonomy/taxonomy-types.graphql.ts';

interface Types {
  readonly Content: EntityRef;
  readonly enums: ContentEnums;
  readonly assets: MediaTypes;
  readonly batch: BatchTypes;
  readonly taxonomy: TaxonomyTypes;
}

/** Declares the mutations on one content. */
export function declareContentMutations(graph: Graph, types: Types): void {
  declareEditing(graph, types);
  declareLifecycle(graph, types);
  declareFiles(graph, types);
}

function declareEditing(graph: Graph, types: Types): void {
  const { Content } = types;
  const ContentInput = declareContentInput(graph, types);
  graph.mutation('createContent', {
    access: 'content:create',
    description:
      'Creates a draft. Add a video with createContentAsset and ' +
      'submitContentForProcessing, or use publishVideo for everything in one call.',
    type: Content,
    args: (t: ArgBuilder) => ({
      channel: t.field({
        type: 'DID',
        description: "Id of a channel of yours; default: the account's own channel.",
      }),
      input: t.field({ type: ContentInput, required: true, description: 'The content; it needs a title.' }),
    }),
    statement: createContent,
  });
  graph.mutation('updateContent', {
    access: 'content:update',
    description: 'Updates the metadata of a content of yours, in any state.',
    type: Content,
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', description: 'Id of the content; required.' }),
      input: t.field({ type: ContentInput, required: true, description: 'The changes.' }),
    }),
    statement: updateContent,
  });
  declareContentBatches(graph, types, ContentInput);
}

function declareContentInput(graph: Graph, { enums, taxonomy }: Types) {
  const named = (name: string, description: string) =>
    graph.builder.inputType(name, {
      description,
      fields: (t) => ({ name: t.string({ required: true, description: 'Its name or slug, in any case.' }) }),
    });
  const [ContentGenreInput, CategoryInput] = [
    named('ContentGenreInput', 'A genre by its name.'),
    named('CategoryInput', 'A category by its name.'),
  ];
  const ContentRatingInput = graph.builder.inputType('ContentRatingInput', {
    description: 'An age rating by its label.',
    fields: (t) => ({
      name: t.string({ required: true, description: 'Its label in the system, such as PG-13.' }),
      system: t.field({ type: taxonomy.ContentRatingSystem, required: true, description: 'The rating system.' }),
    }),
  });
  const { title, summary, shortSummary, keywords } = CONTENT_FIELDS;
  const ContentMetadataInput = graph.builder.inputType('ContentMetadataInput', {
    description: 'The texts and terms of a content, with the terms by their names. The same fields of ContentInput.',
    fields: (t) => ({
      name: t.string({ description: 'The same as title.' }),
      ...changeInputFields(t, { title, summary, shortSummary, keywords }),
      genre: t.field({ type: ContentGenreInput, description: 'Its only genre.' }),
      rating: t.field({ type: ContentRatingInput, description: 'Its age rating.' }),
      categories: t.field({ type: [CategoryInput], description: 'Its categories, at most 3. Replaces all.' }),
    }),
  });
  const ContentHintInput = graph.builder.inputType('ContentHintInput', {
    description: 'What a content is.',
    fields: (t) => ({
      type: t.field({ type: enums.ContentType, required: true, description: 'Its type, which cannot change.' }),
      containsAds: t.field({
        type: enums.ContentAdHint,
        required: true,
        description: 'Whether it contains advertising.',
      }),
    }),
  });
  return graph.builder.inputType('ContentInput', {
    description:
      `A new content, or changes to one. ${CHANGES_HELP} Texts and terms are ` +
      'fields, or those of metadata; a field that is given twice is refused.',
    fields: (t) => ({
      ...changeInputFields(t, CONTENT_FIELDS),
      contentType: t.field({ type: enums.ContentType, description: 'Type of a new content; default FEATURE.' }),
      metadata: t.field({ type: ContentMetadataInput, description: 'Texts and terms by their names.' }),
      ifRevision: ifRevisionField(t, 'an existing content'),
      hints: t.field({
        type: [ContentHintInput],
        description: 'What it is: contentType and containsAds in one entry.',
      }),
    }),
  });
}

function declareLifecycle(graph: Graph, { Content, enums }: Types): void {
  graph.mutation('publishContent', {
    access: 'content:publish',
    charges: () => publications(1),
    description:
      'Publishes a content of yours that is READY, at once or at releaseDate; with whenReady also one whose video is ' +
      'not processed yet. Idempotent.',
    type: Content,
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: 'Id of the content.' }),
      releaseDate: t.field({
        type: 'DateTime',
        description: 'When to publish, at most five years ahead; at once if omitted. A past date is INVALID_INPUT.',
      }),
      whenReady: t.boolean({ description: WHEN_READY_HELP }),
      visibility: t.field({ type: enums.Visibility, description: PUBLISHED_FOR_HELP }),
    }),
    statement: publishContent,
  });
  graph.mutation('unpublishContent', {
    access: 'content:publish',
    description:
      'Unpublishes a content of yours, or cancels its scheduled or requested publication. It can be published again: ' +
      'a published content is READY afterwards.',
    type: Content,
    args: (t: ArgBuilder) => ({ id: t.field({ type: 'DID', required: true, description: 'Id of the content.' }) }),
    statement: unpublishContent,
  });
}

function declareFiles(graph: Graph, { Content, enums, assets }: Types): void {
  const ContentAssetInput = graph.builder.inputType('ContentAssetInput', {
    description: 'A file to upload for a content: a video or an image.',
    fields: (t) => ({
      filename: t.string({ required: true, description: 'Name of the file, without folders.' }),
      size: t.field({
        type: 'BigInt',
        description: 'Exact size in bytes, required; the plan limits videos, images have at most 25 MiB.',
      }),
      video: t.field({ type: assets.VideoInput, description: 'Set for a video.' }),
      image: t.field({ type: assets.ImageInput, description: 'Set for an image.' }),
    }),
  });
  graph.mutation('createContentAsset', {
    access: 'asset:upload',
    policies: [CONTENT_ACTIONS.addVideo],
    description:
      'Creates the upload of a file for a content of yours; upload the ' +
      'file to its endpoint. A video waits for submitContentForProcessing.',
    type: assets.IngestionSession,
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: 'Id of the content.' }),
      input: t.field({ type: ContentAssetInput, required: true, description: 'The file.' }),
    }),
    command: async (context, { id, input }) => {
      const content = readContentId(context, id, 'id');
      const actor = actorOf(requireAccount(context));
      return (await createContentAsset(context.services.catalog, actor, content, input)).id;
    },
  });
  const ProcessingInput = graph.builder.inputType('ProcessingInput', {
    description: 'Processing options.',
    fields: (t) => ({
      assetName: t.string({ description: 'tus.filename of the upload; default: the newest video upload.' }),
      layout: t.field({
        type: enums.ContentLayout,
        description: 'Layout of the video; default: unchanged.',
      }),
      again: t.boolean({
        description:
          'Whether a video that was processed completely is processed again, with the encoder of this server as it ' +
          'is now. It is played as it is meanwhile, also if that fails. Default: whether the content is published.',
      }),
      enhance: t.boolean({ description: `${ENHANCE_HELP} Default: unchanged.` }),
    }),
  });
  const ProcessingResult = graph.object('ProcessingResult', {
    description: 'A content and its processing.',
    fields: (f) => ({
      content: f.read({ type: Content, description: 'The content.' }),
      job: f.read({ type: assets.TranscodeJob, description: 'The processing of its video.' }),
    }),
  });
  graph.mutation('submitContentForProcessing', {
    access: 'content:update',
    policies: [CONTENT_ACTIONS.process, CONTENT_ACTIONS.processAgain],
    charges: processing,
    description:
      'Starts processing the uploaded video of a content of yours. Repeating it during or after processing changes ' +
      'nothing, unless a processed video is to be processed again: with again, or because the content is published.',
    type: ProcessingResult,
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: 'Id of the content.' }),
      input: t.field({ type: ProcessingInput, description: 'Processing options.' }),
    }),
    command: async (context, { id, input }) => {
      const content = readContentId(context, id, 'id');
      if (input?.enhance === true) requireEnhancement(context);
      const actor = actorOf(requireAccount(context));
      const { jobId } = await submitContent(context.services.catalog, actor, content, input ?? {});
      return { content: content.id, job: jobId };
    },
  });
}
