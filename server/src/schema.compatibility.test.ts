import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { parse, print, separateOperations } from 'graphql';
import { finishUpload } from './domains/catalog/publication/finished-video.fixture.ts';
import { openTestCatalog, type Person, type TestCatalog } from './domains/catalog/testing.ts';
import { FakeGoogle } from './domains/publishing/fake-google.fixture.ts';
import { createSeedData, type SeedData } from './testing/seed-data.ts';

const FILE = new URL('./testing/compatibility/operations.graphql', import.meta.url);
const documents = separateOperations(parse(await readFile(FILE, 'utf8')));

const FILE_INPUT = '{ filename: "a.mp4", size: 5, video: { hint: NONE } }';

type Variables = Record<string, unknown>;

/** The variables of each operation, with newly created objects, as its clients send them. */
const VARIABLES: Readonly<Record<string, (things: SeedData, owner: Person) => Promise<Variables> | Variables>> = {
  me: async (things, owner) => {
    const id = await things.content({ status: 'DRAFT' });
    const open = `mutation ($id: DID!) { createContentAsset(id: $id, input: ${FILE_INPUT}) { id } }`;
    return { id: (await things.catalog.ok(owner, open, { id })).createContentAsset.id };
  },
  verifyConnection: () => ({}),
  channel: async (things, owner) => {
    const from = new Date(things.catalog.clock.now() - 5 * 86_400_000).toISOString().slice(0, 10);
    const to = new Date(things.catalog.clock.now()).toISOString().slice(0, 10);
    return { id: owner.channel, content: await things.content({ status: 'PUBLISHED' }), from, to };
  },
  channels: () => ({ first: 5, after: null }),
  feature: async (things) => ({ id: await things.processed() }),
  features: () => ({ first: 5 }),
  serie: async (things) => ({ id: (await things.series()).serie }),
  series: () => ({ first: 5 }),
  season: async (things) => ({ id: (await things.series()).season }),
  seasons: () => ({ first: 5 }),
  episode: async (things) => ({ id: (await things.series()).episode }),
  episodes: () => ({ first: 5 }),
  miniserie: async (things) => ({ id: await things.content({ kind: 'MINISERIES', status: 'PUBLISHED' }) }),
  miniseries: () => ({ first: 5 }),
  stream: async (things) => ({ id: await things.content({ kind: 'STREAM', status: 'PUBLISHED' }) }),
  streams: () => ({ first: 5 }),
  comments: async (things) => ({ contentId: await things.content({ status: 'PUBLISHED' }), first: 5 }),
  categories: () => ({ first: 5 }),
  genres: () => ({ first: 5 }),
  ratings: () => ({ first: 5 }),
  channelDashboard: (_, owner) => ({ input: { channel: owner.channel } }),
  youtubeVideos: () => ({ pageToken: null, limit: 5 }),
  youtubePublishJob: async (things) => ({ id: await things.publication() }),
  createContent: (_, owner) => ({
    channel: owner.channel,
    input: {
      hints: [{ type: 'FEATURE', containsAds: 'NO' }],
      metadata: {
        title: 'A film',
        summary: 'About a film.',
        shortSummary: 'A film.',
        keywords: ['film'],
        genre: { name: 'Science Fiction' },
        rating: { name: 'PG-13', system: 'MPAA' },
        categories: [{ name: 'Film and animation' }],
      },
    },
  }),
  updateContent: async (things) => ({
    id: await things.content(),
    input: {
      hints: [{ type: 'FEATURE', containsAds: 'YES' }],
      metadata: { title: 'Changed', genre: { name: 'Drama' } },
    },
  }),
  createContentAsset: async (things) => ({
    id: await things.content({ status: 'DRAFT' }),
    input: { filename: 'a.mp4', size: 1000, video: { hint: 'NONE' } },
  }),
  submitContentForProcessing: async (things, owner) => {
    const { id, assetName } = await uploadedFile(things, owner);
    return { id, input: { assetName, layout: 'LANDSCAPE', enhance: false } };
  },
  publishContent: async (things) => ({ id: await things.processed() }),
  unpublishContent: async (things) => ({ id: await things.content({ status: 'PUBLISHED' }) }),
  publishVideo: () => ({
    title: 'A film',
    contentType: 'LANDSCAPE_VIDEO',
    filename: 'a.mp4',
    size: 1000,
    videoHint: 'NONE',
  }),
  finalizeContentUpload: async (things) => ({
    input: { contentId: await things.uploaded(), layout: 'LANDSCAPE', publish: true, enhance: false },
  }),
  waitForProcessing: async (things) => ({ input: { contentId: await things.processed(), timeoutSeconds: 1 } }),
  createPlaylist: (_, owner) => ({
    channel: owner.channel,
    input: { metadata: { title: 'Films', summary: 'About films.' } },
  }),
  updatePlaylist: async (things) => ({
    id: (await things.playlist()).id,
    input: { metadata: { title: 'More films', summary: 'About more films.' } },
  }),
  createPlaylistAsset: async (things) => ({
    id: (await things.playlist()).id,
    input: { filename: 'a.png', size: 1000, image: { hint: 'THUMBNAIL' } },
  }),
  createPlaylistWithItems: async (things, owner) => ({
    input: {
      title: 'Films',
      channel: owner.channel,
      contentIds: [await things.content({ status: 'PUBLISHED' })],
    },
  }),
  likeContent: async (things) => ({ id: await things.content({ status: 'PUBLISHED' }) }),
  unlikeContent: async (things, owner) => ({ id: await things.liked(owner) }),
  followChannel: async (things) => ({ channel: await things.followable() }),
  unfollowChannel: async (things) => ({ channel: await things.channel() }),
  createComment: async (things) => ({ contentId: await things.content({ status: 'PUBLISHED' }), body: 'Well made.' }),
  createContentFromYouTube: async (things, owner) => ({
    channel: owner.channel,
    videoId: await things.youtube(owner),
  }),
  importYouTubeAndPublish: async (things, owner) => ({
    input: { videoId: await things.youtube(owner), channel: owner.channel, layout: 'LANDSCAPE', publish: true },
  }),
  importYouTubeLibrary: async (things, owner) => {
    await things.youtube(owner);
    return { input: { maxResults: 50, autoPublish: false, channel: owner.channel } };
  },
  publishContentToYouTube: async (things) => ({ id: await things.video(), privacyStatus: 'PRIVATE' }),
  predictVirality: () => ({
    input: { title: 'Why cats land on their feet', description: 'In slow motion.', category: 'Science and technology' },
  }),
  like: async (things) => ({ targetLrn: await things.content({ status: 'PUBLISHED' }) }),
  unlike: async (things, owner) => ({ targetLrn: await things.liked(owner) }),
  follow: async (things) => ({ targetLrn: await things.followable() }),
  unfollow: async (things) => ({ targetLrn: await things.channel() }),
  createCommentByLrn: async (things) => ({
    targetLrn: await things.content({ status: 'PUBLISHED' }),
    body: 'Well made.',
  }),
};

/** By name of a type: the fields that programs select in a fragment on it, and the place of the fragment. */
const FRAGMENTS: Readonly<Record<string, [fields: string, place: (fragment: string) => string]>> = {
  ContentGenre: ['name', (it) => `genres(first: 1) { edges { node { ${it} } } }`],
  ContentGenreConnection: ['edges { node { name } }', (it) => `genres(first: 1) { ${it} }`],
  ContentRating: ['name system', (it) => `ratings(first: 1) { edges { node { ${it} } } }`],
  ContentRatingConnection: ['edges { node { name } }', (it) => `ratings(first: 1) { ${it} }`],
  MediaAssets: ['videos { edges { node { id } } }', (it) => `feature(id: $id) { assets { ${it} } }`],
  OutputVideoAssets: ['hls download preview', (it) => `feature(id: $id) { outputAssets { video { ${it} } } }`],
  OutputAudioAssets: ['download', (it) => `feature(id: $id) { outputAssets { audio { ${it} } } }`],
  OutputImageAssets: ['thumbnails { count }', (it) => `feature(id: $id) { outputAssets { images { ${it} } } }`],
  OutputSubtitleAssets: ['srt vtt', (it) => `feature(id: $id) { outputAssets { subtitles { ${it} } } }`],
  IngestionSessionTUSData: ['filename', (it) => `me { ingestions(first: 1) { edges { node { tus { ${it} } } } } }`],
  IngestionSessionMetadata: [
    'filename',
    (it) => `me { ingestions(first: 1) { edges { node { metadata { ${it} } } } } }`,
  ],
  StorageBalance: ['storageBalance storageSpent', (it) => `me { credits { storage { ${it} } } }`],
  VerifyConnectionResult: ['authenticated', (it) => `verifyConnection { ${it} }`],
  VerifyConnectionUser: ['id username email', (it) => `verifyConnection { user { ${it} } }`],
  VerifyConnectionChannel: ['id name', (it) => `verifyConnection { channel { ${it} } }`],
  VerifyConnectionSubscription: ['plan state', (it) => `verifyConnection { subscription { ${it} } }`],
};

/** A draft with a file that has arrived, and the name of the file on the server. */
async function uploadedFile(
  { catalog, ...things }: SeedData,
  owner: Person,
): Promise<{ id: string; assetName: string }> {
  const id = await things.content({ status: 'DRAFT' });
  const open = `mutation ($id: DID!) { createContentAsset(id: $id, input: ${FILE_INPUT}) { tus { filename } } }`;
  const { createContentAsset } = await catalog.ok(owner, open, { id });
  await finishUpload(catalog, id);
  return { id, assetName: createContentAsset.tus.filename };
}

describe('operations of the service whose API the platform implements', () => {
  let catalog: TestCatalog;
  let owner: Person;
  let things: SeedData;
  const answers = new Map<string, Record<string, unknown>>();
  before(async () => {
    const google = await FakeGoogle.start();
    catalog = await openTestCatalog({ jobs: true, google, env: { YOUTUBE_DOWNLOADER: 'yt-dlp' } });
    owner = await catalog.person('olivia');
    things = createSeedData(catalog, owner);
    await things.youtube(owner);
  });
  after(() => catalog?.close());

  it('are 51', () => assert.deepEqual([Object.keys(documents).length, Object.keys(VARIABLES).length], [51, 51]));

  for (const [name, document] of Object.entries(documents)) {
    it(`run: ${name}`, async () => {
      const variables = (await VARIABLES[name]?.(things, owner)) ?? assert.fail('no variables');
      const answer = await catalog.ok(owner, print(document), variables);
      assert.notEqual(answer[name] ?? null, null);
      answers.set(name, answer[name]);
    });
  }

  for (const [type, [fields, place]] of Object.entries(FRAGMENTS)) {
    it(`have the type ${type}`, async () => {
      const selection = place('...Part');
      const [variables, id] = selection.includes('$id') ? ['($id: DID!)', await things.processed()] : ['', ''];
      await catalog.ok(owner, `query ${variables} { ${selection} } fragment Part on ${type} { ${fields} }`, { id });
    });
  }

  it('store what metadata and hints say', () => {
    const created = answers.get('createContent');
    assert.deepEqual(created?.['hints'], [{ type: 'FEATURE', containsAds: 'NO', condition: 'NONE' }]);
    const { genre, rating, categories, title, keywords } = created['metadata'] as Record<string, unknown>;
    assert.deepEqual(
      [title, keywords, genre, rating, categories],
      [
        'A film',
        ['film'],
        { name: 'Science fiction' },
        { name: 'PG-13', system: 'MPAA' },
        { edges: [{ node: { metadata: { name: 'Film and animation' } } }] },
      ],
    );
    const changed = answers.get('updateContent');
    assert.deepEqual(changed?.['metadata'], { title: 'Changed', genre: { name: 'Drama' }, rating: null });
  });

  it('take lists whose types allow null items, and refuse null items', async () => {
    const create = `mutation ($hints: [ContentHintInput]!, $keywords: [String], $categories: [CategoryInput]) {
      createContent(input: { hints: $hints, metadata: { title: "x", keywords: $keywords, categories: $categories } }) {
        metadata { keywords categories { totalCount } } } }`;
    const hints = [{ type: 'FEATURE', containsAds: 'NO' }];
    const lists = { hints, keywords: ['film', 'sea'], categories: [{ name: 'Travel' }] };
    const { createContent } = await catalog.ok(owner, create, lists);
    assert.deepEqual(createContent.metadata, { keywords: ['film', 'sea'], categories: { totalCount: 1 } });
    const { code, field } = await catalog.refused(owner, create, { ...lists, keywords: ['film', null] });
    assert.deepEqual([code, field], ['GRAPHQL_VALIDATION_FAILED', 'keywords[1]']);
  });

  it('answer numbers of a period of days, with their sources', () => {
    const { analytics } = answers.get('channel') as { analytics: Record<string, Record<string, unknown>> };
    assert.equal((analytics['audience']?.['range'] as { days: number }).days, 6);
    assert.equal((analytics['timeseries']?.['points'] as unknown[]).length, 6);
    const [first] = analytics['timeseries']?.['points'] as { date: string; value: number }[];
    assert.match(first?.date ?? '', /^\d{4}-\d{2}-\d{2}$/);
    assert.deepEqual((analytics['overview']?.['views'] as { coverage: unknown }).coverage, {
      sourcesIncluded: ['PLATFORM'],
      sourcesExcluded: ['YOUTUBE'],
      reasonExcluded: 'Other sites do not report what is watched there.',
    });
    assert.ok((analytics['videos']?.['items'] as unknown[]).length > 0);
  });

  it('import what YouTube has, and say why a video is skipped', () => {
    const { imported, skipped } = answers.get('importYouTubeLibrary') as {
      imported: { published: boolean }[];
      skipped: { reason: string }[];
    };
    assert.ok(imported.length > 0 && imported.every(({ published }) => !published));
    assert.ok(skipped.length >= 2 && skipped.every(({ reason }) => reason === 'The channel had imported it before.'));
  });
});
