import { type EntityRef, type Graph, newInputFields } from '../../../gql/index.ts';
import { CONTENT_KINDS } from '../../../kernel/content-kinds.ts';
import { processing, publications } from '../../../kernel/key-budgets.ts';
import type { AssetTypes } from '../../assets/index.ts';
import { CHANNEL_CHANGE, requireAccount } from '../../channels/index.ts';
import { CONTENT_CHANGE } from '../contents/content.policy.ts';
import { instant, readContentId } from '../contents/content-commands.ts';
import type { ContentEnums } from '../contents/content-enums.graphql.ts';
import { CONTENT_FIELDS } from '../contents/content-fields.ts';
import { actorOf } from '../services.ts';
import { finalizeUpload, waitForContent } from './process-content.ts';
import { publishVideo } from './publish-video.ts';

interface Types {
  readonly Content: EntityRef;
  readonly enums: ContentEnums;
  readonly assets: AssetTypes;
}

/** A wait may take up to 300 s, and a moment to answer. */
const WAIT_TIMEOUT_MS = 310_000;

/** Declares the main job: publishVideo, finalizeContentUpload and waitForProcessing. */
export function declarePublishVideo(graph: Graph, types: Types): void {
  declarePublish(graph, types);
  declareFinalize(graph, types);
  declareWait(graph, types);
}

function declarePublish(graph: Graph, { Content, enums, assets }: Types): void {
  const { title, summary, visibility } = CONTENT_FIELDS;
  const PublishVideoInput = graph.builder.inputType('PublishVideoInput', {
    description: 'A video and what to do with it: either sourceUrl, or filename and size.',
    fields: (t) => ({
      ...newInputFields(t, { title, summary, visibility }),
      channel: t.field({
        type: 'DID',
        description: "Identifier of a channel of your own; the account's own channel unless it says otherwise.",
      }),
      contentType: t.field({ type: enums.ContentType, description: 'What it is to be; FEATURE unless it or the hint says otherwise.' }),
      sourceUrl: t.string({ description: 'Public http or https address the server fetches the file from.' }),
      filename: t.string({ description: 'Name of the file you will upload, without folders.' }),
      size: t.field({ type: 'BigInt', description: 'Exact size in bytes of the file you will upload.' }),
      videoHint: t.field({
        type: assets.enums.VideoContentType,
        description: 'What kind of video it is; LANDSCAPE_VIDEO unless it says otherwise.',
      }),
      layout: t.field({ type: enums.ContentLayout, description: 'How the video is laid out; by the hint unless it says otherwise.' }),
      publish: t.boolean({ description: 'Whether to publish as soon as it is ready; true unless it says otherwise.' }),
      releaseDate: t.field({
        type: 'DateTime',
        description: 'When to publish, at most five years ahead; as soon as it is ready when left out or past.',
      }),
    }),
  });
  const UploadInstructions = graph.object('UploadInstructions', {
    description: 'Where and how to send the file.',
    fields: (f) => ({
      endpoint: f.value({
        type: 'String',
        description:
          'An upload already created for exactly this file: HEAD and PATCH it by tus 1.0.0, or PUT the whole file. It needs no key and must be kept secret.',
      }),
      assetName: f.value({ type: 'String', description: 'Name of the asset on the server.' }),
      curlCommand: f.value({ type: 'String', description: 'Sends the file when pasted into a shell in the folder of the file.' }),
      contentId: f.value({ type: 'DID', description: 'Identifier of the content.' }),
      expiresAt: f.value({ type: 'DateTime', description: 'Until when the next bytes must arrive.' }),
    }),
  });
  const PublishVideoPayload = graph.object('PublishVideoPayload', {
    description: 'What publishVideo began.',
    fields: (f) => ({
      content: f.read({ type: Content, description: 'The new content.' }),
      job: f.read({ type: assets.TranscodeJob, nullable: true, description: 'The processing: IDLE while the upload is awaited.' }),
      published: f.value({ type: 'Boolean', description: 'Whether it is published already; it is once the video was processed.' }),
      upload: f.value({
        type: UploadInstructions,
        nullable: true,
        description: 'Where to send the file; null where the server fetches it.',
      }),
    }),
  });
  graph.mutation('publishVideo', {
    access: 'content:publish',
    policies: [CHANNEL_CHANGE],
    description:
      'The whole job in one call: makes the content, takes the file (by sourceUrl, or by the answered upload), processes it and publishes it. Follow it with waitForProcessing.',
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
    description: 'An upload that is complete, and what should follow.',
    fields: (t) => ({
      contentId: t.field({ type: 'DID', required: true, description: 'Identifier of the content.' }),
      layout: t.field({
        type: enums.ContentLayout,
        description: 'How the video is laid out; as it was said before unless it says otherwise.',
      }),
      publish: t.boolean({ description: 'Whether to publish as soon as it is ready; as it was said before unless it says otherwise.' }),
      releaseDate: t.field({
        type: 'DateTime',
        description: 'When to publish, at most five years ahead; as soon as it is ready when left out or past.',
      }),
    }),
  });
  const FinalizeContentUploadPayload = graph.object('FinalizeContentUploadPayload', {
    description: 'What finalizeContentUpload found or began.',
    fields: (f) => ({
      content: f.read({ type: Content, description: 'The content.' }),
      job: f.read({ type: assets.TranscodeJob, nullable: true, description: 'The processing.' }),
      published: f.value({ type: 'Boolean', description: 'Whether it is published now.' }),
    }),
  });
  graph.mutation('finalizeContentUpload', {
    access: 'content:publish',
    policies: [CONTENT_CHANGE],
    description:
      'Says that the upload of a content of your own is complete and what should follow. Repeating it changes nothing; an unfinished upload is INVALID_INPUT with the number of missing bytes.',
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
    description: 'What to wait for, and for how long.',
    fields: (t) => ({
      contentId: t.field({ type: 'DID', required: true, description: 'Identifier of the content.' }),
      timeoutSeconds: t.int({ description: 'Longest wait, 0 to 300 seconds; 60 unless it says otherwise.' }),
    }),
  });
  const WaitForProcessingPayload = graph.object('WaitForProcessingPayload', {
    description: 'How processing ended, or how far it is.',
    fields: (f) => ({
      status: f.value({
        type: assets.enums.TranscodeJobStatus,
        description: 'COMPLETE, ERROR or CANCELLED, or the state it is still in when the time is up.',
      }),
      job: f.read({ type: assets.TranscodeJob, nullable: true, description: 'The processing; null when nothing was submitted.' }),
      error: f.value({ type: 'String', nullable: true, description: 'Why it failed and what to do; null otherwise.' }),
      content: f.read({ type: Content, nullable: true, description: 'The content.' }),
    }),
  });
  graph.mutation('waitForProcessing', {
    access: 'content:update',
    policies: [CONTENT_CHANGE],
    unrecorded: true,
    description: 'Waits until the processing of a content of your own has ended, and its publication if that was asked for.',
    payload: WaitForProcessingPayload,
    timeoutMs: WAIT_TIMEOUT_MS,
    args: (t) => ({ input: t.field({ type: WaitForProcessingInput, required: true, description: 'What to wait for.' }) }),
    command: async (context, { input }) => {
      const content = readContentId(context, input.contentId, 'input.contentId');
      const actor = actorOf(requireAccount(context));
      const { timeoutSeconds } = input;
      const state = await waitForContent(context.services.catalog, actor, content, { timeoutSeconds, signal: context.signal });
      return { status: state.status, job: state.jobId, error: state.error, content: content.id };
    },
  });
}
