import type { EntityRef, Graph } from '../../../gql/index.ts';
import { processing, publications } from '../../../kernel/key-budgets.ts';
import { localized } from '../../../kernel/languages/catalogs.ts';
import { type CatalogTypes, errorIn, instant } from '../../catalog/index.ts';
import { CHANNEL_CHANGE } from '../../channels/index.ts';
import type { MediaTypes } from '../../ingest/index.ts';
import { DEFAULT_LIBRARY, importLibrary, MAX_LIBRARY } from './import-library.ts';
import { DRAFT_OPTIONS, importVideo } from './import-video.ts';

interface Types {
  readonly catalog: CatalogTypes;
  readonly assets: MediaTypes;
}

/** YouTube may be slow for a token and the video. */
const ONE_TIMEOUT_MS = 60_000;
/** A page of 50 takes two requests to the site and 50 transactions. */
const LIBRARY_TIMEOUT_MS = 120_000;
const OWN_CHANNEL = "Id of a channel of yours; default: the account's own channel.";
const VIDEO_ID = 'Id on YouTube: the 11 characters after "v=". Only videos of the connected channel can be imported.';

/** Declares the import of videos from YouTube. */
export function declareYouTubeImports(graph: Graph, types: Types): void {
  declareOne(graph, declarePayload(graph, types), types);
  declareLibrary(graph, types);
}

function declarePayload(graph: Graph, { catalog, assets }: Types): EntityRef {
  return graph.object('ImportYouTubeAndPublishResult', {
    description: 'A video imported from YouTube.',
    fields: (f) => ({
      content: f.read({ type: catalog.Content, description: 'The imported content.' }),
      published: f.value({ type: 'Boolean', description: 'Whether it is published already.' }),
      job: f.read({
        type: assets.TranscodeJob,
        nullable: true,
        description: 'The processing of its file.',
      }),
      alreadyImported: f.value({
        type: 'Boolean',
        description: 'Whether the channel had already imported the video; then nothing was changed.',
      }),
    }),
  });
}

function declareOne(graph: Graph, payload: EntityRef, { catalog }: Types): void {
  graph.mutation('createContentFromYouTube', {
    access: 'content:create',
    policies: [CHANNEL_CHANGE],
    description:
      'Creates a draft from a video of the connected YouTube channel: with its ' +
      'title, description, keywords, date and thumbnail, and the file if the ' +
      'operator has configured a downloader; otherwise upload it with createContentAsset, then call ' +
      'finalizeContentUpload. Repeating it returns the same content.',
    type: catalog.Content,
    args: (t) => ({
      channel: t.field({ type: 'DID', description: OWN_CHANNEL }),
      videoId: t.string({ required: true, description: VIDEO_ID }),
    }),
    timeoutMs: ONE_TIMEOUT_MS,
    charges: () => processing(),
    command: (context, { channel, videoId }) => {
      const fields = { videoId: 'videoId', channel: 'channel', releaseDate: 'releaseDate' };
      return importVideo(context, { videoId, channel, options: DRAFT_OPTIONS, fields }).then(({ content }) => content);
    },
  });
  const ImportYouTubeAndPublishInput = graph.builder.inputType('ImportYouTubeAndPublishInput', {
    description: 'A video on YouTube and how to publish it here.',
    fields: (t) => ({
      videoId: t.string({ required: true, description: VIDEO_ID }),
      channel: t.field({ type: 'DID', description: OWN_CHANNEL }),
      layout: t.field({ type: catalog.enums.ContentLayout, description: 'Layout of the video; default LANDSCAPE.' }),
      publish: t.boolean({ description: 'Whether to publish it as soon as it is processed; default true.' }),
      releaseDate: t.field({
        type: 'DateTime',
        description: 'When to publish, at most five years ahead; as soon as it is ready if omitted or in the past.',
      }),
    }),
  });
  graph.mutation('importYouTubeAndPublish', {
    access: 'content:publish',
    policies: [CHANNEL_CHANGE],
    description:
      'Like createContentFromYouTube, and publishes the video as soon as it is processed, for the same audience ' +
      'as on YouTube. Refused if the operator has configured no downloader. Follow it with waitForProcessing.',
    type: payload,
    args: (t) => ({
      input: t.field({ type: ImportYouTubeAndPublishInput, required: true, description: 'The video.' }),
    }),
    timeoutMs: ONE_TIMEOUT_MS,
    charges: ({ input }) => [...processing(), ...(input.publish === false ? [] : publications(1))],
    command: (context, { input }) => {
      const fields = { videoId: 'input.videoId', channel: 'input.channel', releaseDate: 'input.releaseDate' };
      const options = {
        publish: input.publish ?? true,
        layout: input.layout ?? DRAFT_OPTIONS.layout,
        releaseMs: instant(input.releaseDate),
      };
      return importVideo(context, { videoId: input.videoId, channel: input.channel, options, fields }).then(
        ({ needsFile: _, ...imported }) => imported,
      );
    },
  });
}

function declareLibrary(graph: Graph, { catalog }: Types): void {
  const payload = declareLibraryResult(graph, catalog);
  const ImportYouTubeLibraryInput = graph.builder.inputType('ImportYouTubeLibraryInput', {
    description: 'The uploads to import, and the channel to import them to.',
    fields: (t) => ({
      channel: t.field({ type: 'DID', description: OWN_CHANNEL }),
      maxResults: t.int({ description: `Maximum number, 1 to ${MAX_LIBRARY}; default ${DEFAULT_LIBRARY}.` }),
      publishedAfter: t.field({ type: 'DateTime', description: 'Only videos published on YouTube after this time.' }),
      autoPublish: t.boolean({
        description: 'Whether to publish each as soon as it is processed; default false. Needs a downloader.',
      }),
    }),
  });
  graph.mutation('importYouTubeLibrary', {
    access: 'content:publish',
    policies: [CHANNEL_CHANGE],
    description:
      'Like createContentFromYouTube for the newest uploads of the connected channel that were not ' +
      'imported before. Each has its own result; repeating it continues with older ones. With ' +
      "autoPublish it uses maxResults publications of the key's usage limit.",
    type: payload,
    args: (t) => ({
      input: t.field({ type: ImportYouTubeLibraryInput, description: 'The uploads to import; default: the newest.' }),
    }),
    timeoutMs: LIBRARY_TIMEOUT_MS,
    charges: ({ input }) => [
      ...processing(),
      ...(input?.autoPublish === true ? publications(input.maxResults ?? DEFAULT_LIBRARY) : []),
    ],
    command: async (context, { input }) => {
      const { language } = context;
      const outcome = await importLibrary(context, input ?? {});
      const skipped = outcome.skipped.map(({ reason, error, ...item }) => ({
        ...item,
        reason: localized(reason, language),
        error: error && errorIn(error, language),
      }));
      return { ...outcome, skipped };
    },
  });
}

function declareLibraryResult(graph: Graph, catalog: CatalogTypes): EntityRef {
  const YouTubeImportedItem = graph.object('YouTubeImportedItem', {
    description: 'A video that was imported from YouTube.',
    fields: (f) => ({
      youtubeId: f.value({ type: 'String', description: 'Its id on YouTube.' }),
      contentId: f.value({ type: 'DID', description: 'The imported content.' }),
      title: f.value({ type: 'String', description: 'Its title on YouTube.' }),
      published: f.value({ type: 'Boolean', description: 'Whether it is published already.' }),
      needsFile: f.value({ type: 'Boolean', description: 'Whether its file must be uploaded.' }),
    }),
  });
  const YouTubeSkippedItem = graph.object('YouTubeSkippedItem', {
    description: 'A video on YouTube that was not imported.',
    fields: (f) => ({
      youtubeId: f.value({ type: 'String', description: 'Its id on YouTube.' }),
      title: f.value({ type: 'String', description: 'Its title on YouTube.' }),
      reason: f.value({ type: 'String', description: 'Why, in a sentence.' }),
      error: f.value({
        type: catalog.batch.BatchError,
        nullable: true,
        description: 'The error; null if the channel had imported it before.',
      }),
    }),
  });
  return graph.object('ImportYouTubeLibraryResult', {
    description: 'The result of importYouTubeLibrary.',
    fields: (f) => ({
      imported: f.value({
        type: [YouTubeImportedItem],
        description: `Videos that were imported, at most ${MAX_LIBRARY}, newest first.`,
      }),
      skipped: f.value({
        type: [YouTubeSkippedItem],
        description: 'One for each video on the way that was not, newest first: imported before, or refused.',
      }),
      nextPageToken: f.value({
        type: 'String',
        nullable: true,
        description:
          'Page of the uploads in which the import stopped; null after the last one. Call again to continue.',
      }),
      hasMore: f.value({ type: 'Boolean', description: 'Whether there may be older uploads: call again to continue.' }),
    }),
  });
}
