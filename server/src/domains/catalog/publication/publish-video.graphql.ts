import { type EntityRef, type Graph, newInputFields } from '../../../gql/index.ts';
import { processing, publications } from '../../../kernel/key-budgets.ts';
import { localized } from '../../../kernel/languages/catalogs.ts';
import { sentences, type Text, t } from '../../../kernel/languages/message.ts';
import { CHANNEL_CHANGE, requireAccount } from '../../channels/index.ts';
import type { MediaTypes } from '../../ingest/index.ts';
import { CHANNEL_CONTENT, CONTENT_CHANGE, checkHasVideo } from '../contents/content.policy.ts';
import { instant, readContentId } from '../contents/content-commands.ts';
import type { ContentEnums } from '../contents/content-enums.graphql.ts';
import { CONTENT_FIELDS } from '../contents/content-fields.ts';
import { requireEnhancement } from '../enhancement/enhance-video.ts';
import { ENHANCE_HELP } from '../enhancement/enhancement.graphql.ts';
import { readParent } from '../series/create-child.ts';
import { actorOf } from '../services.ts';
import { finalizeUpload, waitForContent } from './process-content.ts';
import { publishVideo } from './publish-video.ts';
import { uploadInfo } from './upload-info.graphql.ts';

interface Types {
  readonly Content: EntityRef;
  readonly enums: ContentEnums;
  readonly assets: MediaTypes;
}

/** A wait may take up to 300 s, plus the response. */
const WAIT_TIMEOUT_MS = 310_000;

/** Declares publishVideo, finalizeContentUpload and waitForProcessing. */
export function declarePublishVideo(graph: Graph, types: Types, UploadInfo: EntityRef): void {
  declareFinalize(graph, types, declarePublish(graph, types, UploadInfo));
  declareWait(graph, types);
}

function declarePublish(graph: Graph, types: Types, UploadInfo: EntityRef): EntityRef {
  const { Content, assets } = types;
  const PublishVideoInput = declarePublishInput(graph, types);
  const PublishVideoResult = graph.object('PublishVideoResult', {
    description: 'A video on its way to publication.',
    fields: (f) => ({
      content: f.read({ type: Content, description: 'The content.' }),
      job: f.read({
        type: assets.TranscodeJob,
        nullable: true,
        description: 'The processing: IDLE while the upload is not complete.',
      }),
      published: f.value({
        type: 'Boolean',
        description: 'Whether it is published already; it is once the video is processed.',
      }),
      upload: f.value({
        type: UploadInfo,
        nullable: true,
        description: 'Where to upload the file; null if the server fetches it, and once it is uploaded.',
      }),
    }),
  });
  graph.mutation('publishVideo', {
    access: 'content:publish',
    policies: [CHANNEL_CHANGE],
    description:
      'Everything in one call: creates the content, gets the file (by sourceUrl, or by the returned upload), ' +
      'processes it and publishes it. Follow it with waitForProcessing.',
    type: PublishVideoResult,
    args: (t) => ({ input: t.field({ type: PublishVideoInput, required: true, description: 'The video.' }) }),
    charges: ({ input }) => [...processing(), ...(input.publish === false ? [] : publications(1))],
    command: async (context, { input }) => {
      const channel = input.channel == null ? null : context.parseDid(input.channel, ['channel'], 'input.channel').id;
      const parent = input.parent == null ? null : readParent(context, 'EPISODE', input.parent, 'input.parent');
      const actor = actorOf(requireAccount(context));
      context.requirePermission('content:create');
      context.requirePermission('asset:upload');
      if (input.enhance === true) requireEnhancement(context);
      const started = await publishVideo(context.services.catalog, actor, channel, {
        ...input,
        parent,
        releaseMs: instant(input.releaseDate),
      });
      const { contentId: content, kind, jobId: job, upload } = started;
      return { content, job, published: false, upload: upload && uploadInfo(context, { id: content, kind }, upload) };
    },
  });
  return PublishVideoResult;
}

function declarePublishInput(graph: Graph, { enums, assets }: Types) {
  const { title, summary, visibility } = CONTENT_FIELDS;
  return graph.builder.inputType('PublishVideoInput', {
    description: 'A video and how to publish it: either sourceUrl, or filename and size.',
    fields: (t) => ({
      ...newInputFields(t, { title, summary, visibility }),
      channel: t.field({
        type: 'DID',
        description: "Id of a channel of yours; default: the account's own channel.",
      }),
      parent: t.field({
        type: 'DID',
        description: 'Id of a season or miniseries of yours: the video becomes its last episode.',
      }),
      contentType: t.field({
        type: assets.enums.VideoContentType,
        description: 'Kind of video; SHORT creates a short. Default: according to the hint.',
      }),
      sourceUrl: t.field({
        type: 'URL',
        description: 'Public http or https address from which the server fetches the file.',
      }),
      filename: t.string({ description: 'Name of the file you will upload, without folders.' }),
      size: t.field({ type: 'BigInt', description: 'Exact size in bytes of the file you will upload.' }),
      videoHint: t.field({
        type: assets.enums.VideoPresentationHint,
        description: 'How the video is projected or framed; default NONE, a flat video.',
      }),
      layout: t.field({
        type: enums.ContentLayout,
        description: 'Layout of the video; default: according to the hint.',
      }),
      publish: t.boolean({ description: 'Whether to publish as soon as it is ready; default true.' }),
      enhance: t.boolean({ description: `${ENHANCE_HELP} Default false.` }),
      releaseDate: t.field({
        type: 'DateTime',
        description: 'When to publish, at most five years ahead; as soon as it is ready if omitted or in the past.',
      }),
    }),
  });
}

function declareFinalize(graph: Graph, { enums }: Types, PublishVideoResult: EntityRef): void {
  const FinalizeContentUploadInput = graph.builder.inputType('FinalizeContentUploadInput', {
    description: 'A complete upload, and how to continue.',
    fields: (t) => ({
      contentId: t.field({ type: 'DID', required: true, description: 'Id of the content.' }),
      layout: t.field({
        type: enums.ContentLayout,
        description: 'Layout of the video; default: unchanged.',
      }),
      publish: t.boolean({
        description:
          'Whether to publish as soon as it is ready; default: unchanged. False also clears a release date in the ' +
          'future.',
      }),
      enhance: t.boolean({ description: `${ENHANCE_HELP} Default: unchanged.` }),
      releaseDate: t.field({
        type: 'DateTime',
        description:
          'When to publish, at most five years ahead; as soon as it is ready if null or in the past; default: ' +
          'unchanged.',
      }),
    }),
  });
  graph.mutation('finalizeContentUpload', {
    access: 'content:publish',
    policies: [CONTENT_CHANGE],
    description:
      'Completes the upload of a content of yours and starts processing. Idempotent; an ' +
      'unfinished upload is INVALID_INPUT with the number of missing bytes.',
    type: PublishVideoResult,
    args: (t) => ({ input: t.field({ type: FinalizeContentUploadInput, required: true, description: 'The upload.' }) }),
    charges: ({ input }) => [...processing(), ...(input.publish === true ? publications(1) : [])],
    command: async (context, { input }) => {
      const content = readContentId(context, input.contentId, 'input.contentId');
      const actor = actorOf(requireAccount(context));
      if (input.enhance === true) requireEnhancement(context);
      const { jobId, published } = await finalizeUpload(context.services.catalog, actor, content, {
        ...input,
        ...(input.releaseDate === undefined ? {} : { releaseMs: instant(input.releaseDate) }),
      });
      return { content: content.id, job: jobId, published, upload: null };
    },
  });
}

function declareWait(graph: Graph, { Content, assets }: Types): void {
  const WaitForProcessingInput = graph.builder.inputType('WaitForProcessingInput', {
    description: 'Options of waiting for processing.',
    fields: (t) => ({
      contentId: t.field({ type: 'DID', required: true, description: 'Id of the content.' }),
      timeoutSeconds: t.int({ description: 'Longest wait, 0 to 300 seconds; default 60.' }),
    }),
  });
  const WaitForProcessingResult = graph.object('WaitForProcessingResult', {
    description: 'The result of processing, or its progress.',
    fields: (f) => ({
      status: f.value({
        type: assets.enums.TranscodeJobStatus,
        description: 'COMPLETE, ERROR or CANCELLED, or the current state if the timeout ends first.',
      }),
      job: f.read({
        type: assets.TranscodeJob,
        nullable: true,
        description: 'The processing; null if nothing was submitted.',
      }),
      error: f.value({
        type: 'String',
        nullable: true,
        description: 'Why it failed and how to fix it; null otherwise.',
      }),
      hint: f.value({
        type: 'String',
        nullable: true,
        description:
          'What is missing for processing to start, or why it cannot; null once it is submitted and its file is there.',
      }),
      content: f.read({ type: Content, nullable: true, description: 'The content.' }),
    }),
  });
  graph.mutation('waitForProcessing', {
    access: 'content:read',
    policies: [CHANNEL_CONTENT],
    unrecorded: true,
    description:
      'Waits until the processing of a content of your channels has ended, including its publication if requested.',
    type: WaitForProcessingResult,
    timeoutMs: WAIT_TIMEOUT_MS,
    args: (t) => ({
      input: t.field({ type: WaitForProcessingInput, required: true, description: 'The content and the timeout.' }),
    }),
    command: async (context, { input }) => {
      const content = readContentId(context, input.contentId, 'input.contentId');
      const actor = actorOf(requireAccount(context));
      const { timeoutSeconds } = input;
      const state = await waitForContent(context.services.catalog, actor, content, {
        timeoutSeconds,
        signal: context.signal,
      });
      const { status, jobId } = state;
      const say = (text: Text | null) => text && localized(text, context.language);
      const none = checkHasVideo(content.kind, 'input.contentId');
      const hint = none ? sentences(none.text, none.fix) : (MISSING[status] ?? null);
      return { status, job: jobId, error: say(state.error), hint: say(hint), content: content.id };
    },
  });
}

/** What a content waits for before it is processed. */
const MISSING: Readonly<Record<string, string>> = {
  NONE: t`Nothing was submitted. Upload a video with createContentAsset, then call submitContentForProcessing;
    publishVideo does both for a new content.`,
  IDLE: t`The file has not arrived completely. Send it to the endpoint of its upload, as its curlCommand does.`,
};
