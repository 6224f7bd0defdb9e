import type { EntityRef, Graph } from '../../../gql/index.ts';
import { CONTENT_KINDS } from '../../../kernel/content-kinds.ts';
import { processing, publications } from '../../../kernel/key-budgets.ts';
import type { AssetTypes } from '../../assets/index.ts';
import { CHANNEL_CHANGE, requireAccount } from '../../channels/index.ts';
import { CONTENT_CHANGE } from '../contents/content.policy.ts';
import { instant, readContentId } from '../contents/content-commands.ts';
import type { ContentEnums } from '../contents/content-enums.graphql.ts';
import { TEXT_HELP } from '../contents/content-fields.graphql.ts';
import { actorOf } from '../services.ts';
import { finalizeUpload, waitForContent } from './process-content.ts';
import { publishVideo } from './publish-video.ts';

interface Types {
  readonly Content: EntityRef;
  readonly enums: ContentEnums;
  readonly assets: AssetTypes;
}

/** A wait may take up to 300 s, plus the response. */
const WAIT_TIMEOUT_MS = 310_000;

/** Declares publishVideo, finalizeContentUpload and waitForProcessing. */
export function declarePublishVideo(graph: Graph, types: Types): void {
  declarePublish(graph, types);
  declareFinalize(graph, types);
  declareWait(graph, types);
}

function declarePublish(graph: Graph, { Content, enums, assets }: Types): void {
  const PublishVideoInput = graph.builder.inputType('PublishVideoInput', {
    description: 'A video to publish: either sourceUrl, or filename and size.',
    fields: (t) => ({
      title: t.string({ required: true, description: TEXT_HELP.title }),
      summary: t.string({ description: TEXT_HELP.summary }),
      channel: t.field({
        type: 'DID',
        description: "Identifier of one of your channels; defaults to the account's own channel.",
      }),
      contentType: t.field({ type: enums.ContentType, description: 'Kind of the content; defaults to FEATURE, or follows the hint.' }),
      visibility: t.field({
        type: enums.Visibility,
        description: 'Visibility once published; defaults to PUBLIC.',
      }),
      sourceUrl: t.string({ description: 'Public http or https address the server fetches the file from.' }),
      filename: t.string({ description: 'Name of the file you will upload, without folders.' }),
      size: t.field({ type: 'BigInt', description: 'Exact size in bytes of the file you will upload.' }),
      videoHint: t.field({
        type: assets.enums.VideoContentType,
        description: 'Kind of video; defaults to LANDSCAPE_VIDEO.',
      }),
      layout: t.field({ type: enums.ContentLayout, description: 'Layout of the video; defaults to that of the hint.' }),
      publish: t.boolean({ description: 'Whether to publish as soon as it is ready; defaults to true.' }),
      releaseDate: t.field({
        type: 'DateTime',
        description: 'When to publish, at most five years ahead; as soon as it is ready when omitted or in the past.',
      }),
    }),
  });
  const UploadInstructions = graph.object('UploadInstructions', {
    description: 'How to upload the file.',
    fields: (f) => ({
      endpoint: f.value({
        type: 'String',
        description:
          'An upload already created for exactly this file: HEAD and PATCH it with tus 1.0.0, or PUT the whole file. It needs no key and must be kept secret.',
      }),
      assetName: f.value({ type: 'String', description: 'Name of the asset on the server.' }),
      curlCommand: f.value({ type: 'String', description: 'Uploads the file when pasted into a shell in its folder.' }),
      contentId: f.value({ type: 'DID', description: 'Identifier of the content.' }),
      expiresAt: f.value({ type: 'DateTime', description: 'Deadline for the next bytes.' }),
    }),
  });
  const PublishVideoPayload = graph.object('PublishVideoPayload', {
    description: 'Result of publishVideo.',
    fields: (f) => ({
      content: f.read({ type: Content, description: 'The new content.' }),
      job: f.read({ type: assets.TranscodeJob, nullable: true, description: 'The processing job: IDLE while waiting for the upload.' }),
      published: f.value({ type: 'Boolean', description: 'Whether it is already published; it will be once the video is processed.' }),
      upload: f.value({
        type: UploadInstructions,
        nullable: true,
        description: 'How to upload the file; null where the server fetches it.',
      }),
    }),
  });
  graph.mutation('publishVideo', {
    access: 'content:publish',
    policies: [CHANNEL_CHANGE],
    description:
      'Creates a content, fetches or accepts its file (sourceUrl, or the returned upload), processes it and publishes it. Follow up with waitForProcessing.',
    payload: PublishVideoPayload,
    args: (t) => ({ input: t.field({ type: PublishVideoInput, required: true, description: 'The video.' }) }),
    spends: ({ input }) => [...processing(), ...(input.publish === false ? [] : publications(1))],
    command: async (context, { input }) => {
      const channel = input.channel == null ? null : context.parseDid(input.channel, ['channel'], 'input.channel').id;
      const actor = actorOf(requireAccount(context));
      const started = await publishVideo(context.services.catalog, actor, channel, { ...input, releaseMs: instant(input.releaseDate) });
      const contentId = context.did(CONTENT_KINDS[started.kind].did, started.contentId);
      return {
        content: started.contentId,
        job: started.jobId,
        published: false,
        upload: started.upload && { ...started.upload, contentId },
      };
    },
  });
}

function declareFinalize(graph: Graph, { Content, enums, assets }: Types): void {
  const FinalizeContentUploadInput = graph.builder.inputType('FinalizeContentUploadInput', {
    description: 'A completed upload and the next steps.',
    fields: (t) => ({
      contentId: t.field({ type: 'DID', required: true, description: 'Identifier of the content.' }),
      layout: t.field({
        type: enums.ContentLayout,
        description: 'Layout of the video; defaults to the one set before.',
      }),
      publish: t.boolean({ description: 'Whether to publish as soon as it is ready; defaults to the value set before.' }),
      releaseDate: t.field({
        type: 'DateTime',
        description: 'When to publish, at most five years ahead; as soon as it is ready when omitted or in the past.',
      }),
    }),
  });
  const FinalizeContentUploadPayload = graph.object('FinalizeContentUploadPayload', {
    description: 'Result of finalizeContentUpload.',
    fields: (f) => ({
      content: f.read({ type: Content, description: 'The content.' }),
      job: f.read({ type: assets.TranscodeJob, nullable: true, description: 'The processing job.' }),
      published: f.value({ type: 'Boolean', description: 'Whether it is published now.' }),
    }),
  });
  graph.mutation('finalizeContentUpload', {
    access: 'content:publish',
    policies: [CONTENT_CHANGE],
    description:
      'Declares the upload of one of your contents complete and starts processing and publication. Idempotent; an unfinished upload is INVALID_INPUT with the number of missing bytes.',
    payload: FinalizeContentUploadPayload,
    args: (t) => ({ input: t.field({ type: FinalizeContentUploadInput, required: true, description: 'The upload.' }) }),
    spends: ({ input }) => [...processing(), ...(input.publish === true ? publications(1) : [])],
    command: async (context, { input }) => {
      const content = readContentId(context, input.contentId, 'input.contentId');
      const actor = actorOf(requireAccount(context));
      const { jobId, published } = await finalizeUpload(context.services.catalog, actor, content, {
        ...input,
        releaseMs: instant(input.releaseDate),
      });
      return { content: content.id, job: jobId, published };
    },
  });
}

function declareWait(graph: Graph, { Content, assets }: Types): void {
  const WaitForProcessingInput = graph.builder.inputType('WaitForProcessingInput', {
    description: 'The content to wait for, and for how long.',
    fields: (t) => ({
      contentId: t.field({ type: 'DID', required: true, description: 'Identifier of the content.' }),
      timeoutSeconds: t.int({ description: 'Maximum wait, 0 to 300 seconds; defaults to 60.' }),
    }),
  });
  const WaitForProcessingPayload = graph.object('WaitForProcessingPayload', {
    description: 'State of processing.',
    fields: (f) => ({
      status: f.value({
        type: assets.enums.TranscodeJobStatus,
        description: 'COMPLETE, ERROR or CANCELLED, or the current state at the timeout.',
      }),
      job: f.read({ type: assets.TranscodeJob, nullable: true, description: 'The processing job; null when nothing was submitted.' }),
      error: f.value({ type: 'String', nullable: true, description: 'Why it failed and what to do; null otherwise.' }),
      content: f.read({ type: Content, nullable: true, description: 'The content.' }),
    }),
  });
  graph.mutation('waitForProcessing', {
    access: 'content:update',
    policies: [CONTENT_CHANGE],
    unrecorded: true,
    description: 'Waits until the processing of one of your contents has ended, and its publication if requested.',
    payload: WaitForProcessingPayload,
    timeoutMs: WAIT_TIMEOUT_MS,
    args: (t) => ({ input: t.field({ type: WaitForProcessingInput, required: true, description: 'The content to wait for.' }) }),
    command: async (context, { input }) => {
      const content = readContentId(context, input.contentId, 'input.contentId');
      const actor = actorOf(requireAccount(context));
      const { timeoutSeconds } = input;
      const state = await waitForContent(context.services.catalog, actor, content, { timeoutSeconds, signal: context.signal });
      return { status: state.status, job: state.jobId, error: state.error, content: content.id };
    },
  });
}
