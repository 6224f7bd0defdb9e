import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import sharp from 'sharp';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { FakeGoogle, type FakeVideo, refused } from '../fake-google.fixture.ts';
import { connectYouTube } from '../testing.ts';

const LIST = `query ($pageToken: String, $limit: Int) { youtubeVideos(pageToken: $pageToken, limit: $limit)
  { totalCount nextPageToken
  videos { id title description tags publishedAt durationMs thumbnailUrl privacyStatus isLive url contentId } } }`;
const CREATE = `mutation ($channel: DID, $videoId: String!) { createContentFromYouTube(channel: $channel,
  videoId: $videoId) {
  id kind status transcodeJob { id }
    metadata { title summary keywords contentLayout releaseDate visibility } } }`;
const PUBLISH = `mutation ($input: ImportYouTubeAndPublishInput!) { importYouTubeAndPublish(input: $input) {
  alreadyImported published job { id status } content { id status metadata { contentLayout releaseDate } } } }`;
const LIBRARY = `mutation ($input: ImportYouTubeLibraryInput!) { importYouTubeLibrary(input: $input) {
  imported { youtubeId contentId title published needsFile } skipped { youtubeId title reason error { code } }
  nextPageToken hasMore } }`;

const idOf = (number: number) => `v${String(number).padStart(10, '0')}`;
/** Uploads, newest first, each a day older than the previous one. */
function uploads(count: number): FakeVideo[] {
  return Array.from({ length: count }, (_, index) => ({
    id: idOf(index),
    title: `Upload ${index}`,
    publishedAt: new Date(Date.parse('2024-12-31T12:00:00Z') - index * 86_400_000).toISOString(),
  }));
}

describe('imports from YouTube', () => {
  let google: FakeGoogle;
  let api: TestCatalog;
  let anna: Person;
  let editor: Person;
  let stranger: Person;

  before(async () => {
    google = await FakeGoogle.start();
    google.picture = await sharp({ create: { width: 640, height: 360, channels: 3, background: '#204060' } })
      .jpeg()
      .toBuffer();
    api = await openTestCatalog({ jobs: true, google });
    [anna, editor, stranger] = [await api.person('anna'), await api.person('edith'), await api.person('carl')];
    await api.rows(`insert into channel_members (channel_id, account_id, role) values ($1, $2, 'EDITOR')`, [
      anna.channelId,
      editor.accountId,
    ]);
  });
  beforeEach(async () => {
    await api.rows('delete from contents');
    await api.rows('delete from youtube_connections');
    await connectYouTube(api, google, anna);
    google.videos = uploads(3);
    google.handlers.length = 0;
    google.requests.length = 0;
  });
  after(() => api.close());

  const contents = () => api.rows<{ title: string }>('select title from contents order by id');
  const jobsSent = (name: string) =>
    api.rows<{ data: { payload: Record<string, string> } }>(
      'select data from pgboss.job where name = $1 order by created_on',
      [name],
    );

  it('list the account’s uploads by pages of the site, with their contents', async () => {
    google.videos = [
      ...uploads(3),
      {
        id: 'private0001',
        title: 'Hidden',
        privacyStatus: 'private',
        duration: 'P0D',
        tags: ['a', 'b'],
        description: 'Text.',
        live: 'upcoming',
      },
      { id: 'foreign0001', title: "Somebody else's", channelId: 'UCsomebodyElse' },
    ];
    const content = (await api.ok(anna, CREATE, { videoId: idOf(1) })).createContentFromYouTube;
    const first = (await api.ok(anna, LIST, { limit: 2 })).youtubeVideos;
    assert.deepEqual([first.totalCount, first.videos.length], [4, 2]);
    assert.deepEqual(
      first.videos.map(({ id, contentId }: { id: string; contentId: string | null }) => [id, contentId]),
      [
        [idOf(0), null],
        [idOf(1), content.id],
      ],
    );
    const second = (await api.ok(anna, LIST, { limit: 2, pageToken: first.nextPageToken })).youtubeVideos;
    assert.equal(second.nextPageToken, null);
    const { thumbnailUrl, ...last } = second.videos[1];
    assert.match(thumbnailUrl, /private0001\/maxresdefault.jpg$/);
    assert.deepEqual(last, {
      id: 'private0001',
      title: 'Hidden',
      description: 'Text.',
      tags: ['a', 'b'],
      publishedAt: '2024-03-01T12:00:00.000Z',
      durationMs: null,
      privacyStatus: 'PRIVATE',
      isLive: true,
      url: 'https://www.youtube.com/watch?v=private0001',
      contentId: null,
    });
    assert.equal(first.videos[0].durationMs, 90_000);
  });

  it('list nothing without uploads, and refuse invalid pages', async () => {
    google.videos = [];
    assert.deepEqual((await api.ok(anna, LIST)).youtubeVideos, { totalCount: 0, nextPageToken: null, videos: [] });
    assert.equal((await api.refused(anna, LIST, { limit: 51 })).field, 'limit');
    assert.equal((await api.refused(anna, LIST, { pageToken: '../x' })).field, 'pageToken');
    const { code, suggestedFix } = await api.refused(stranger, LIST);
    assert.equal(code, 'UNAUTHORIZED');
    assert.match(suggestedFix, /http:\/\/reelgraph\.test\/settings\/account/);
  });

  it('create a draft with all metadata, once', async () => {
    google.videos = [
      {
        id: 'abcdefghij_',
        title: 'The sea',
        description: 'Waves.\nMore waves.',
        tags: ['sea', 'Sea'],
        privacyStatus: 'unlisted',
        publishedAt: '2023-05-06T07:08:09Z',
      },
    ];
    const created = (await api.ok(anna, CREATE, { videoId: 'abcdefghij_' })).createContentFromYouTube;
    const { id, ...rest } = created;
    assert.deepEqual(rest, {
      kind: 'FEATURE',
      status: 'DRAFT',
      transcodeJob: null,
      metadata: {
        title: 'The sea',
        summary: 'Waves.\nMore waves.',
        keywords: ['sea'],
        contentLayout: 'LANDSCAPE',
        releaseDate: '2023-05-06T07:08:09.000Z',
        visibility: 'UNLISTED',
      },
    });
    const again = await Promise.all([1, 2, 3].map(() => api.ok(anna, CREATE, { videoId: 'abcdefghij_' })));
    assert.deepEqual(
      again.map(({ createContentFromYouTube: content }) => content.id),
      again.map(() => id),
    );
    assert.equal((await contents()).length, 1);
    await api.rows('update contents set deleted_at = now() where id = $1', [uuidOf(id)]);
    const another = (await api.ok(anna, CREATE, { videoId: 'abcdefghij_' })).createContentFromYouTube;
    assert.notEqual(another.id, id);
  });

  it('require permission to create contents, and accept the account’s videos only', async () => {
    await connectYouTube(api, google, editor);
    await api.ok(editor, CREATE, { channel: anna.channel, videoId: idOf(0) });
    await connectYouTube(api, google, stranger);
    const denied = await api.refused(stranger, CREATE, { channel: anna.channel, videoId: idOf(0) });
    assert.deepEqual([denied.code, denied.field], ['UNAUTHORIZED', 'channel']);
    google.videos.push({ id: 'foreign0001', title: "Somebody else's", channelId: 'UCsomebodyElse' });
    google.videos.push({ id: 'livestream1', title: 'Now', live: 'live' });
    for (const [videoId, code] of [
      ['foreign0001', 'RESOURCE_NOT_FOUND'],
      ['missing0001', 'RESOURCE_NOT_FOUND'],
      ['livestream1', 'INVALID_INPUT'],
      ['$(reboot)xx', 'INVALID_INPUT'],
      ['--exec=true', 'INVALID_INPUT'],
    ]) {
      const error = await api.refused(anna, CREATE, { videoId });
      assert.deepEqual([error.code, error.field], [code, 'videoId'], videoId);
    }
    assert.equal((await contents()).length, 1);
  });

  it('are not published automatically without downloads', async () => {
    const error = await api.refused(anna, PUBLISH, { input: { videoId: idOf(0) } });
    assert.deepEqual([error.code, error.field, error.retryable], ['SERVICE_UNAVAILABLE', undefined, false]);
    assert.match(error.suggestedFix, /YOUTUBE_DOWNLOADER/);
    const library = await api.refused(anna, LIBRARY, { input: { autoPublish: true } });
    assert.deepEqual([library.code, library.field], ['INVALID_INPUT', 'input.autoPublish']);
    assert.deepEqual(await contents(), []);
  });

  it('of the library import the newest new ones, and continue next time', async () => {
    google.videos = [...uploads(60), { id: 'livestream1', title: 'Now', live: 'live' }];
    await api.ok(anna, CREATE, { videoId: idOf(1) });
    const first = (await api.ok(anna, LIBRARY, { input: { maxResults: 3 } })).importYouTubeLibrary;
    assert.deepEqual(first.skipped, [
      { youtubeId: idOf(1), title: 'Upload 1', reason: 'The channel had imported it before.', error: null },
    ]);
    assert.deepEqual([first.nextPageToken, first.hasMore], [null, true]);
    assert.deepEqual(
      first.imported.map(({ youtubeId, published }: { youtubeId: string; published: boolean }) => [
        youtubeId,
        published,
      ]),
      [0, 2, 3].map((number) => [idOf(number), false]),
    );
    const second = (await api.ok(anna, LIBRARY, { input: { maxResults: 200 } })).importYouTubeLibrary;
    assert.deepEqual([second.imported.length, second.skipped.length, second.hasMore], [56, 5, false]);
    const live = second.skipped.at(-1);
    assert.deepEqual([live.youtubeId, live.error.code], ['livestream1', 'INVALID_INPUT']);
    assert.match(live.reason, /live stream/);
    const third = (await api.ok(anna, LIBRARY, { input: {} })).importYouTubeLibrary;
    assert.deepEqual([third.imported.length, third.skipped.length, third.hasMore], [0, 61, false]);
    assert.equal((await contents()).length, 60);
  });

  it('of the library start at a date', async () => {
    google.videos = uploads(120);
    const publishedAfter = '2024-12-29T00:00:00Z';
    const response = (await api.ok(anna, LIBRARY, { input: { publishedAfter, maxResults: 200 } })).importYouTubeLibrary;
    assert.deepEqual([response.imported.length, response.hasMore], [3, false]);
    assert.equal(google.count('/playlistItems'), 2, 'no requests after a page that is too old');
    assert.equal((await api.refused(anna, LIBRARY, { input: { maxResults: 201 } })).field, 'input.maxResults');
  });

  it('say when the quota resets', async () => {
    google.handlers.push(({ url }) =>
      url.pathname.endsWith('/playlistItems') ? refused(403, 'quotaExceeded', 'Quota.') : null,
    );
    const error = await api.refused(anna, LIBRARY, { input: {} });
    assert.equal(error.code, 'RATE_LIMIT_EXCEEDED');
    assert.match(error.suggestedFix, /Pacific/);
  });

  it('use the image as the poster, unless there is one', async () => {
    const content = (await api.ok(anna, CREATE, { videoId: idOf(0) })).createContentFromYouTube;
    const sent = (await jobsSent('import-picture')).at(-1)?.data.payload ?? assert.fail('the job was sent');
    assert.equal(sent.contentId, uuidOf(content.id));
    const request = { contentId: sent.contentId ?? '', url: sent.url ?? '' };
    const { media } = api.domains;
    await media.fetchPoster(request, new AbortController().signal);
    const images = () =>
      api.rows<{ id: string; purpose: string; width: number }>('select id, purpose, width from image_assets');
    const [image, ...more] = await images();
    assert.deepEqual([image?.purpose, image?.width, more.length], ['POSTER', 640, 0]);
    await media.fetchPoster(request, new AbortController().signal);
    assert.deepEqual(await images(), [image]);
  });
});
