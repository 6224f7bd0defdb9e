import {
  type ArgBuilder,
  CHANGES_HELP,
  changeInputFields,
  type EntityRef,
  type Graph,
  newInputFields,
} from '../../../gql/index.ts';
import { processing, publications } from '../../../kernel/key-budgets.ts';
import type { AssetTypes } from '../../assets/index.ts';
import { requireAccount } from '../../channels/index.ts';
import type { BatchTypes } from '../batches/batch.graphql.ts';
import { declareContentBatches } from '../batches/content-batches.graphql.ts';
import { ENHANCE_HELP } from '../enhancement/enhancement.graphql.ts';
import { createContentAsset } from '../publication/create-content-asset.ts';
import { submitContent } from '../publication/process-content.ts';
import { actorOf } from '../services.ts';
import { CONTENT_ACTIONS } from './content.policy.ts';
import { publishContent, readContentId, unpublishContent, updateContent } from './content-commands.ts';
import type { ContentEnums } from './content-enums.graphql.ts';
import { CONTENT_FIELDS, DESCRIBED_FIELDS } from './content-fields.ts';
import { createContent } from './create-content.ts';

interface Types {
  readonly Content: EntityRef;
  readonly enums: ContentEnums;
  readonly assets: AssetTypes;
  readonly batch: BatchTypes;
}

/** Declares the mutations on one content. */
export function declareContentMutations(graph: Graph, types: Types): void {
  declareEditing(graph, types);
  declareLifecycle(graph, types);
  declareFiles(graph, types);
}

function declareEditing(graph: Graph, { Content, enums, batch }: Types): void {
  const CreateContentInput = graph.builder.inputType('CreateContentInput', {
    description: 'A new content.',
    fields: (t) => ({
      ...newInputFields(t, DESCRIBED_FIELDS),
      contentType: t.field({ type: enums.ContentType, description: 'Kind of content; default FEATURE.' }),
      layout: t.field({
        type: enums.ContentLayout,
        description: 'Layout of the video; default LANDSCAPE, or PORTRAIT for a SHORT.',
      }),
    }),
  });
  graph.mutation('createContent', {
    access: 'content:create',
    description:
      'Creates a draft. Add a video with createContentAsset and ' +
      'submitContentForProcessing, or use publishVideo for everything in one call.',
    payload: Content,
    args: (t: ArgBuilder) => ({
      channel: t.field({
        type: 'DID',
        description: "Id of a channel of yours; default: the account's own channel.",
      }),
      input: t.field({ type: CreateContentInput, required: true, description: 'The content.' }),
    }),
    statement: createContent,
  });
  const UpdateContentInput = graph.builder.inputType('UpdateContentInput', {
    description: `Changes to a content. ${CHANGES_HELP}`,
    fields: (t) => changeInputFields(t, CONTENT_FIELDS),
  });
  graph.mutation('updateContent', {
    access: 'content:update',
    description: 'Updates the metadata of a content of yours, in any state.',
    payload: Content,
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: 'Id of the content.' }),
      input: t.field({ type: UpdateContentInput, required: true, description: 'The changes.' }),
    }),
    statement: updateContent,
  });
  declareContentBatches(graph, batch, UpdateContentInput);
}

function declareLifecycle(graph: Graph, { Content }: Types): void {
  graph.mutation('publishContent', {
    access: 'content:publish',
    charges: () => publications(1),
    description: 'Publishes a content of yours that is READY, at once or at releaseDate. Idempotent.',
    payload: Content,
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: 'Id of the content.' }),
      releaseDate: t.field({
        type: 'DateTime',
        description: 'When to publish, at most five years ahead; at once if omitted or in the past.',
      }),
    }),
    statement: publishContent,
  });
  graph.mutation('unpublishContent', {
    access: 'content:publish',
    description:
      'Unpublishes a content of yours, or cancels its scheduled ' +
      'publication. It is READY afterwards and can be published again.',
    payload: Content,
    args: (t: ArgBuilder) => ({ id: t.field({ type: 'DID', required: true, description: 'Id of the content.' }) }),
    statement: unpublishContent,
  });
}

function declareFiles(graph: Graph, { Content, enums, assets }: Types): void {
  const CreateContentAssetInput = graph.builder.inputType('CreateContentAssetInput', {
    description: 'A file to upload for a content: a video or an image.',
    fields: (t) => ({
      filename: t.string({ required: true, description: 'Name of the file, without folders.' }),
      size: t.field({
        type: 'BigInt',
        required: true,
        description: 'Exact size in bytes; the plan limits videos, images have at most 25 MiB.',
      }),
      video: t.field({ type: assets.VideoAssetInput, description: 'Set for a video.' }),
      image: t.field({ type: assets.ImageAssetInput, description: 'Set for an image.' }),
    }),
  });
  graph.mutation('createContentAsset', {
    access: 'asset:upload',
    policies: [CONTENT_ACTIONS.addVideo],
    description:
      'Creates the upload of a file for a content of yours; upload the ' +
      'file to its endpoint. A video waits for submitContentForProcessing.',
    payload: assets.IngestionSession,
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: 'Id of the content.' }),
      input: t.field({ type: CreateContentAssetInput, required: true, description: 'The file.' }),
    }),
    command: async (context, { id, input }) => {
      const content = readContentId(context, id, 'id');
      const actor = actorOf(requireAccount(context));
      return (await createContentAsset(context.services.catalog, actor, content, input)).id;
    },
  });
  const SubmitContentForProcessingInput = graph.builder.inputType('SubmitContentForProcessingInput', {
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
          'is now. It is played as it is meanwhile, also if that fails. Default false.',
      }),
      enhance: t.boolean({ description: `${ENHANCE_HELP} Default: unchanged.` }),
    }),
  });
  graph.mutation('submitContentForProcessing', {
    access: 'content:update',
    policies: [CONTENT_ACTIONS.process, CONTENT_ACTIONS.processAgain],
    charges: processing,
    description:
      'Starts processing the uploaded video of a content of yours. Repeating it during or after processing changes ' +
      'nothing, unless a processed video is to be processed again.',
    payload: Content,
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: 'Id of the content.' }),
      input: t.field({ type: SubmitContentForProcessingInput, description: 'Processing options.' }),
    }),
    command: async (context, { id, input }) => {
      const content = readContentId(context, id, 'id');
      if (input?.enhance === true) context.requirePermission('content:enhance');
      await submitContent(context.services.catalog, actorOf(requireAccount(context)), content, input ?? {});
      return content.id;
    },
  });
}
