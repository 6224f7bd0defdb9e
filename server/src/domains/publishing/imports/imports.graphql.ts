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
const VIDEO_ID = 'Identifier at YouTube: the 11 characters after "v=". Only videos of the connected channel are taken.';

/** Declares what makes contents of videos at YouTube. */
export function declareYouTubeImports(graph: Graph, types: Types): void {
  declareOne(graph, declarePayload(graph, types), types);
  declareLibrary(graph, types);
}

function declarePayload(graph: Graph, { catalog, assets }: Types): EntityRef {
  return graph.object('YouTubeImportPayload', {
    description: 'What became of a video at YouTube.',
    fields: (f) => ({
      content: f.read({ type: catalog.Content, description: 'The content that was made of it, or had been.' }),
      job: f.read({
        type: assets.TranscodeJob,
        nullable: true,
        description: 'The processing of its file, which the server fetches; null where a file has to be uploaded.',
      }),
      alreadyImported: f.value({
        type: 'Boolean',
        description: 'Whether the channel had imported the video before; then nothing was changed.',
      }),
      needsFile: f.value({
        type: 'Boolean',
        description:
          'Whether the file is missing, because this server fetches none: upload it with createContentAsset, then call finalizeContentUpload.',
      }),
    }),
  });
}

function declareOne(graph: Graph, payload: EntityRef, { catalog }: Types): void {
  graph.mutation('createContentFromYouTube', {
    access: 'content:create',
    policies: [CHANNEL_CHANGE],
    description:
      'Makes a draft of a video of the connected YouTube channel: title, description, keywords, date and picture are taken over, and the file where the operator has set a downloader. Again it answers the same content.',
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
    description: 'A video at YouTube and how to publish it here.',
    fields: (t) => ({
      videoId: t.string({ required: true, description: VIDEO_ID }),
      channel: t.field({ type: 'DID', description: OWN_CHANNEL }),
      layout: t.field({ type: catalog.enums.ContentLayout, description: 'How the video is laid out; LANDSCAPE unless it says otherwise.' }),
      releaseDate: t.field({
        type: 'DateTime',
        description: 'When to publish, at most five years ahead; as soon as it is ready when left out or past.',
      }),
    }),
  });
  graph.mutation('importYouTubeAndPublish', {
    access: 'content:publish',
    policies: [CHANNEL_CHANGE],
    description:
      'As createContentFromYouTube, and publishes the video as soon as it is processed, for those who may watch it at YouTube too. Refused where the operator has set no downloader. Follow it with waitForProcessing.',
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
    description: 'What became of one video at YouTube.',
    fields: (f) => ({
      videoId: f.value({ type: 'String', description: 'Its identifier at YouTube.' }),
      title: f.value({ type: 'String', description: 'Its title there.' }),
      contentId: f.value({ type: 'DID', nullable: true, description: 'The content that was made of it; null when it failed.' }),
      needsFile: f.value({ type: 'Boolean', description: 'Whether its file has to be uploaded.' }),
      error: f.value({ type: catalog.batch.BatchError, nullable: true, description: 'Why not; null when it was imported.' }),
    }),
  });
  const payload = graph.object('ImportYouTubeLibraryPayload', {
    description: 'What importYouTubeLibrary did.',
    fields: (f) => ({
      results: f.value({ type: [YouTubeImportResult], description: 'Each video that was not imported before, newest first.' }),
      imported: f.value({ type: 'Int', description: 'How many were imported.' }),
      skipped: f.value({ type: 'Int', description: 'How many were passed over because the channel had imported them before.' }),
      hasMore: f.value({ type: 'Boolean', description: 'Whether older uploads were not looked at: call again to go on.' }),
    }),
  });
  const ImportYouTubeLibraryInput = graph.builder.inputType('ImportYouTubeLibraryInput', {
    description: 'Which uploads to import, and into which channel.',
    fields: (t) => ({
      channel: t.field({ type: 'DID', description: OWN_CHANNEL }),
      maxResults: t.int({ description: `How many at most, 1 to ${MAX_LIBRARY}; ${DEFAULT_LIBRARY} unless it says otherwise.` }),
      publishedAfter: t.field({ type: 'DateTime', description: 'Only what was published at YouTube after this instant.' }),
      autoPublish: t.boolean({
        description: 'Whether to publish each as soon as it is processed; defaults to false. Takes a downloader.',
      }),
    }),
  });
  graph.mutation('importYouTubeLibrary', {
    access: 'content:publish',
    policies: [CHANNEL_CHANGE],
    description:
      'As createContentFromYouTube for the newest uploads of the connected channel that were not imported before. Each is reported by itself; again it goes on with older ones. With autoPublish it takes maxResults publications from the budget of a key.',
    payload,
    args: (t) => ({ input: t.field({ type: ImportYouTubeLibraryInput, required: true, description: 'Which uploads.' }) }),
    timeoutMs: LIBRARY_TIMEOUT_MS,
    spends: ({ input }) => [...processing(), ...(input.autoPublish === true ? publications(input.maxResults ?? DEFAULT_LIBRARY) : [])],
    command: async (context, { input }) => ({ ...(await importLibrary(context, input)) }),
  });
}
