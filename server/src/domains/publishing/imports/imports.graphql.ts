import type { EntityRef, Graph } from '../../../gql/index.ts';
import { processing, publications } from '../../../kernel/key-budgets.ts';
import type { AssetTypes } from '../../assets/index.ts';
import { type CatalogTypes, instant } from '../../catalog/index.ts';
import { CHANNEL_CHANGE } from '../../channels/index.ts';
import { DEFAULT_LIBRARY, importLibrary, MAX_LIBRARY } from './import-library.ts';
import { DRAFT_OPTIONS, importVideo } from './import-video.ts';

interface Types {
  readonly catalog: CatalogTypes;
  readonly assets: AssetTypes;
}

/** YouTube may take its time for a token and the video. */
const ONE_TIMEOUT_MS = 60_000;
/** A page of 50 takes two requests to the site and 50 transactions. */
const LIBRARY_TIMEOUT_MS = 120_000;
const OWN_CHANNEL = "Identifier of one of your channels; defaults to the account's own channel.";
const VIDEO_ID = 'Identifier on YouTube: the 11 characters after "v=". Only videos of the connected channel are accepted.';

/** Declares the import of videos from YouTube. */
export function declareYouTubeImports(graph: Graph, types: Types): void {
  declareOne(graph, declarePayload(graph, types), types);
  declareLibrary(graph, types);
}

function declarePayload(graph: Graph, { catalog, assets }: Types): EntityRef {
  return graph.object('YouTubeImportPayload', {
    description: 'Result of importing a video.',
    fields: (f) => ({
      content: f.read({ type: catalog.Content, description: 'The new or existing content.' }),
      job: f.read({
        type: assets.TranscodeJob,
        nullable: true,
        description: 'The processing job of its file, which the server fetches; null where it must be uploaded.',
      }),
      alreadyImported: f.value({
        type: 'Boolean',
        description: 'Whether the channel had already imported the video; then nothing was changed.',
      }),
      needsFile: f.value({
        type: 'Boolean',
        description:
          'Whether the file must be uploaded, because this server fetches none: upload it with createContentAsset, then call finalizeContentUpload.',
      }),
    }),
  });
}

function declareOne(graph: Graph, payload: EntityRef, { catalog }: Types): void {
  graph.mutation('createContentFromYouTube', {
    access: 'content:create',
    policies: [CHANNEL_CHANGE],
    description:
      'Creates a draft from a video of the connected YouTube channel: imports title, description, keywords, date and thumbnail, and the file where the operator has configured a downloader. Repeating it returns the same content.',
    payload,
    args: (t) => ({
      channel: t.field({ type: 'DID', description: OWN_CHANNEL }),
      videoId: t.string({ required: true, description: VIDEO_ID }),
    }),
    timeoutMs: ONE_TIMEOUT_MS,
    spends: () => processing(),
    command: (context, { channel, videoId }) => {
      const fields = { videoId: 'videoId', channel: 'channel', releaseDate: 'releaseDate' };
      return importVideo(context, { videoId, channel, options: DRAFT_OPTIONS, fields }).then((imported) => ({ ...imported }));
    },
  });
  const ImportYouTubeAndPublishInput = graph.builder.inputType('ImportYouTubeAndPublishInput', {
    description: 'A video on YouTube and how to publish it here.',
    fields: (t) => ({
      videoId: t.string({ required: true, description: VIDEO_ID }),
      channel: t.field({ type: 'DID', description: OWN_CHANNEL }),
      layout: t.field({ type: catalog.enums.ContentLayout, description: 'Layout of the video; defaults to LANDSCAPE.' }),
      releaseDate: t.field({
        type: 'DateTime',
        description: 'When to publish, at most five years ahead; as soon as it is ready when omitted or in the past.',
      }),
    }),
  });
  graph.mutation('importYouTubeAndPublish', {
    access: 'content:publish',
    policies: [CHANNEL_CHANGE],
    description:
      'As createContentFromYouTube, and publishes the video as soon as it is processed, with its visibility on YouTube. Refused where the operator has not configured a downloader. Follow up with waitForProcessing.',
    payload,
    args: (t) => ({ input: t.field({ type: ImportYouTubeAndPublishInput, required: true, description: 'The video.' }) }),
    timeoutMs: ONE_TIMEOUT_MS,
    spends: () => [...processing(), ...publications(1)],
    command: (context, { input }) => {
      const fields = { videoId: 'input.videoId', channel: 'input.channel', releaseDate: 'input.releaseDate' };
      const options = { publish: true, layout: input.layout ?? DRAFT_OPTIONS.layout, releaseMs: instant(input.releaseDate) };
      return importVideo(context, { videoId: input.videoId, channel: input.channel, options, fields }).then((imported) => ({
        ...imported,
      }));
    },
  });
}

function declareLibrary(graph: Graph, { catalog }: Types): void {
  const YouTubeImportResult = graph.object('YouTubeImportResult', {
    description: 'Result for one video.',
    fields: (f) => ({
      videoId: f.value({ type: 'String', description: 'Its identifier at YouTube.' }),
      title: f.value({ type: 'String', description: 'Its title there.' }),
      contentId: f.value({ type: 'DID', nullable: true, description: 'The new content; null when it failed.' }),
      needsFile: f.value({ type: 'Boolean', description: 'Whether its file must be uploaded.' }),
      error: f.value({ type: catalog.batch.BatchError, nullable: true, description: 'Why it failed; null when it was imported.' }),
    }),
  });
  const payload = graph.object('ImportYouTubeLibraryPayload', {
    description: 'Result of importYouTubeLibrary.',
    fields: (f) => ({
      results: f.value({ type: [YouTubeImportResult], description: 'Videos that were not imported before, newest first.' }),
      imported: f.value({ type: 'Int', description: 'Number of imported videos.' }),
      skipped: f.value({ type: 'Int', description: 'Number of videos skipped because they had been imported before.' }),
      hasMore: f.value({ type: 'Boolean', description: 'Whether older uploads remain: call again to continue.' }),
    }),
  });
  const ImportYouTubeLibraryInput = graph.builder.inputType('ImportYouTubeLibraryInput', {
    description: 'The uploads to import and the target channel.',
    fields: (t) => ({
      channel: t.field({ type: 'DID', description: OWN_CHANNEL }),
      maxResults: t.int({ description: `Maximum number, 1 to ${MAX_LIBRARY}; defaults to ${DEFAULT_LIBRARY}.` }),
      publishedAfter: t.field({ type: 'DateTime', description: 'Only videos published on YouTube after this instant.' }),
      autoPublish: t.boolean({
        description: 'Whether to publish each as soon as it is processed; defaults to false. Takes a downloader.',
      }),
    }),
  });
  graph.mutation('importYouTubeLibrary', {
    access: 'content:publish',
    policies: [CHANNEL_CHANGE],
    description:
      'As createContentFromYouTube for the newest uploads of the connected channel that were not imported before. Each is reported separately; repeating it continues with older ones. With autoPublish it counts maxResults publications against the usage limit of a key.',
    payload,
    args: (t) => ({ input: t.field({ type: ImportYouTubeLibraryInput, required: true, description: 'The uploads.' }) }),
    timeoutMs: LIBRARY_TIMEOUT_MS,
    spends: ({ input }) => [...processing(), ...(input.autoPublish === true ? publications(input.maxResults ?? DEFAULT_LIBRARY) : [])],
    command: async (context, { input }) => ({ ...(await importLibrary(context, input)) }),
  });
}
