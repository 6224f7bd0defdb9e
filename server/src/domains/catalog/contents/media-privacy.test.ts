import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { documentIdOf } from '../../../gql/index.ts';
import { newId } from '../../../kernel/ids.ts';
import { contentTypeOf } from '../../../platform/storage/content-types.ts';
import { serveAssetRoutes } from '../../assets/testing.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../testing.ts';

const READ = `query ($id: DID!) { content(id: $id) {
  chaptersUrl captions(first: 1) { edges { node { vtt srt } } }
  outputAssets { video { hls dash download preview } audio { download } images { stills { url } videoThumbnails
    { urlFormat } } }
  assets { videos(first: 1) { edges { node { url playlistUrl qualities { url } } } }
           images(first: 1) { edges { node { url variants { url } } } } } } }`;

/** Files of a video that change at their address or disappear with their content; all others never change. */
const CHANGING = ['master', 'manifest', 'quality', 'captionsPlaylist', 'chapters', 'downloadVideo', 'downloadAudio'];
const ALWAYS_SIGNED = 'private, no-store noindex';
const EXPECTED = {
  PUBLIC: { changing: 'public, max-age=60', fixed: 'public, max-age=31536000, s-maxage=60, immutable' },
  UNLISTED: { changing: 'private, max-age=60 noindex', fixed: 'private, max-age=31536000, immutable noindex' },
};

type Addresses = Record<string, string | null>;

describe('media of a content, of every kind', () => {
  let api: TestCatalog;
  let server: { address: string; close(): Promise<void> };
  let owner: Person;
  let stranger: Person;
  let editor: Person;
  let viewer: Person;
  before(async () => {
    api = await openTestCatalog({ trustedDocuments: new Map([[documentIdOf(READ), READ]]) });
    server = await serveAssetRoutes(api.domains.media.routes);
    [owner, stranger, editor, viewer] = [
      await api.person('olga'),
      await api.person('sam'),
      await api.person('ed'),
      await api.person('vi'),
    ];
    for (const [member, role] of [[editor, 'EDITOR'] as const, [viewer, 'VIEWER'] as const])
      await api.rows('insert into channel_members (channel_id, account_id, role) values ($1, $2, $3)', [
        owner.channelId,
        member.accountId,
        role,
      ]);
  });
  after(async () => {
    await server.close();
    await api.close();
  });

  async function videoId(state: { status: string; visibility?: string }): Promise<string> {
    const did = await api.content(owner, state);
    const [content, video, image] = [uuidOf(did), newId(), newId()];
    const prefix = `media/${content}/${video}/job-1/`;
    const extras = {
      encoder: 'X264',
      videoDownload: 'downloads/video.mp4',
      audioDownload: 'downloads/audio.m4a',
      preview: 'preview/preview.mp4',
      dash: 'manifest.mpd',
      stills: [{ path: 'preview/still-1.jpg', width: 8, height: 8 }],
    };
    const rendition = { label: '8p', width: 8, height: 8, bandwidthBps: 1, path: 'v8/index.m3u8' };
    await api.rows(
      `insert into video_assets (id, channel_id, content_id, hint, filename, source_key, size_bytes, duration_ms,
        renditions, thumbnails, package_prefix, extras, ready_at)
       values ($1, $2, $3, 'SHORT', 'video.mov', $4, 4, 40000, $5, $6, $7, $8, now())`,
      [
        video,
        owner.channelId,
        content,
        `sources/${video}`,
        JSON.stringify([rendition]),
        JSON.stringify({ pattern: 'thumbs/%05d.jpg', count: 1, intervalMs: 10_000 }),
        prefix,
        JSON.stringify(extras),
      ],
    );
    await api.rows(
      `insert into image_assets (id, channel_id, content_id, purpose, alt, width, height, mime_type, size_bytes,
        object_prefix, variants, dominant_color, blurhash)
       values ($1, $2, $3, 'POSTER', '', 8, 8, 'image/jpeg', 9, $4, $5, '#102030', 'L6')`,
      [
        image,
        owner.channelId,
        content,
        `images/${image}/`,
        JSON.stringify([{ file: 'w8.jpg', width: 8, height: 8, format: 'JPEG' }]),
      ],
    );
    await api.rows(
      'insert into captions (id, channel_id, content_id, language, label, kind, vtt, created_at, updated_at) ' +
        `values ($1, $2, $3, 'en', 'English', 'SUBTITLES', 'WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n', now(), ` +
        'now())',
      [newId(), owner.channelId, content],
    );
    await api.rows(
      `update contents set summary = '0:00 Start' || chr(10) || '0:10 Middle' || chr(10) || '0:20 End', ` +
        'allow_download = true where id = $1',
      [content],
    );
    const files = [
      'master.m3u8',
      'manifest.mpd',
      'v8/index.m3u8',
      'v8/seg-00001.m4s',
      'thumbs/00001.jpg',
      'preview/preview.mp4',
      'preview/still-1.jpg',
    ];
    const created = [
      ...files.map((file) => prefix + file),
      `${prefix}downloads/video.mp4`,
      `${prefix}downloads/audio.m4a`,
    ];
    for (const key of [...created, `sources/${video}`, `images/${image}/w8.jpg`])
      await api.platform.store.put(key, Buffer.from('#EXTM3U\n'), { contentType: contentTypeOf(key) });
    return did;
  }

  /**
   * All addresses that the API returns, and those that a player derives from them; null when the content is not
   * returned.
   */
  async function addresses(who: Person | null, id: string): Promise<Addresses | null> {
    const credential = who?.credential ?? ({ kind: 'anonymous' } as const);
    const request = {
      documentId: documentIdOf(READ),
      variables: { id },
      credential,
      queriesOnly: true,
      requestId: 'test',
    };
    const { body } = await api.domains.engine.execute({ ...request, signal: new AbortController().signal });
    // biome-ignore lint/suspicious/noExplicitAny: the response to READ
    const content = JSON.parse(JSON.stringify(body)).data?.content as any;
    if (!content) return null;
    const { node: video } = content.assets.videos.edges[0];
    const { node: image } = content.assets.images.edges[0];
    const { node: captions } = content.captions.edges[0];
    const { video: streams, audio, images } = content.outputAssets;
    assert.equal(streams.hls, video.playlistUrl);
    assert.equal(image.variants[0].url, image.url);
    return {
      master: streams.hls,
      manifest: streams.dash,
      quality: video.qualities[0].url,
      segment: new URL('seg-00001.m4s', video.qualities[0].url).href,
      captionsPlaylist: new URL('index.m3u8', captions.vtt).href,
      captionsVtt: captions.vtt,
      captionsSrt: captions.srt,
      chapters: content.chaptersUrl,
      preview: streams.preview,
      still: images.stills[0].url,
      seekThumbnail: images.videoThumbnails.urlFormat.replace('%05d', '00001'),
      image: image.url,
      downloadVideo: streams.download,
      downloadAudio: audio.download,
      source: video.url,
    };
  }

  const get = (address: string, init?: RequestInit) =>
    fetch(address.replace('http://reelgraph.test', server.address), init);

  /** The response of each address: for 200 its headers for caches and search engines, otherwise the status. */
  async function responses(of: Addresses | null, init?: RequestInit): Promise<Record<string, string>> {
    const statuses = Object.entries(of ?? {}).map(async ([kind, address]) => {
      if (address === null) return [kind, 'no address'];
      const response = await get(address, init);
      await response.arrayBuffer();
      const headers = [response.headers.get('cache-control'), response.headers.get('x-robots-tag')].filter(
        (each) => each !== null,
      );
      return [
        kind,
        response.ok || response.status === 304 ? headers.join(' ') : `${response.status} ${headers.join(' ')}`,
      ];
    });
    return Object.fromEntries(await Promise.all(statuses));
  }

  /** The same response for all kinds, with exceptions. */
  const KINDS = [
    'segment',
    'captionsVtt',
    'captionsSrt',
    'preview',
    'still',
    'seekThumbnail',
    'image',
    'source',
    ...CHANGING,
  ];
  const all = (result: string, others: Record<string, string>) => ({
    ...Object.fromEntries(KINDS.map((kind) => [kind, result])),
    ...others,
  });

  /** The addresses without signatures, as they are while a content is public. */
  const unsigned = (of: Addresses | null): Addresses =>
    Object.fromEntries(
      Object.entries(of ?? {}).map(([kind, address]) => [kind, address?.replace(/\/s\/[^/]+/, '') ?? null]),
    );

  for (const visibility of ['PUBLIC', 'UNLISTED'] as const) {
    it(`of ${visibility} contents: caching and indexing; the source is for editors only`, async () => {
      const id = await videoId({ status: 'PUBLISHED', visibility });
      const { changing, fixed } = EXPECTED[visibility];
      const open = all(fixed, Object.fromEntries(CHANGING.map((kind) => [kind, changing])));
      for (const who of [null, stranger, viewer])
        assert.deepEqual(await responses(await addresses(who, id)), { ...open, source: 'no address' });
      for (const who of [editor, owner])
        assert.deepEqual(await responses(await addresses(who, id)), { ...open, source: ALWAYS_SIGNED });
      const known = await addresses(owner, id);
      assert.deepEqual(await responses(known, { method: 'HEAD' }), { ...open, source: ALWAYS_SIGNED });
    });
  }

  for (const state of [{ status: 'PUBLISHED', visibility: 'PRIVATE' }, { status: 'READY' }]) {
    it(`of contents that are ${Object.values(state).join(' and ')}: signed for members, not cached; 404 for others`, async () => {
      const id = await videoId(state);
      for (const who of [null, stranger]) assert.equal(await addresses(who, id), null);
      assert.deepEqual(await responses(await addresses(viewer, id)), all(ALWAYS_SIGNED, { source: 'no address' }));
      for (const who of [editor, owner])
        assert.deepEqual(await responses(await addresses(who, id)), all(ALWAYS_SIGNED, {}));
      assert.deepEqual(await responses(unsigned(await addresses(owner, id))), all('404 no-store', {}));
    });
  }

  it('of contents in the trash: 404 for everyone, also with a signature', async () => {
    const published = await videoId({ status: 'PUBLISHED' });
    const draft = await videoId({ status: 'READY' });
    for (const id of [published, draft]) {
      const known = await addresses(owner, id);
      await api.rows('update contents set deleted_at = now() where id = $1', [uuidOf(id)]);
      for (const who of [null, stranger, viewer, editor, owner]) assert.equal(await addresses(who, id), null);
      assert.deepEqual(await responses(known), all('404 no-store', {}));
      assert.deepEqual(await responses(unsigned(known)), all('404 no-store', {}));
    }
  });

  it('of contents that become private: 404 when caches revalidate', async () => {
    const id = await videoId({ status: 'PUBLISHED' });
    const open = (await addresses(stranger, id)) ?? assert.fail('it is public');
    const etags = new Map<string, string>();
    for (const [kind, address] of Object.entries(open))
      if (address !== null) etags.set(kind, (await get(address)).headers.get('etag') ?? assert.fail(kind));
    await api.rows(`update contents set visibility = 'PRIVATE' where id = $1`, [uuidOf(id)]);
    api.clock.advance(2_001);
    for (const [kind, etag] of etags) {
      const result = await get(open[kind] ?? '', { headers: { 'if-none-match': etag } });
      assert.deepEqual([kind, result.status, result.headers.get('cache-control')], [kind, 404, 'no-store']);
    }
  });

  it('covers of playlists and images of channels have the visibility of their owner', async () => {
    const answersOf = async (column: string, value: string | null) => {
      const image = newId();
      await api.rows(
        `insert into image_assets (id, channel_id, ${column}, purpose, alt, width, height, mime_type, size_bytes,
          object_prefix, variants, dominant_color, blurhash)
         values ($1, $2, $3, 'POSTER', '', 8, 8, 'image/jpeg', 9, $4, '[{"file":"w8.jpg"}]', '#102030', 'L6')`,
        [image, owner.channelId, value, `images/${image}/`],
      );
      await api.platform.store.put(`images/${image}/w8.jpg`, Buffer.from('x'), { contentType: 'image/jpeg' });
      return (await responses({ image: `${server.address}/media/images/${image}/w8.jpg` })).image;
    };
    const playlist = async (visibility: string) => {
      const { id } = await api.row<{ id: string }>(
        `insert into playlists (id, channel_id, title, visibility) values ($1, $2, 'A list', $3) returning id`,
        [newId(), owner.channelId, visibility],
      );
      return id;
    };
    assert.equal(await answersOf('playlist_id', await playlist('PUBLIC')), EXPECTED.PUBLIC.fixed);
    assert.equal(await answersOf('playlist_id', await playlist('UNLISTED')), EXPECTED.UNLISTED.fixed);
    assert.equal(await answersOf('playlist_id', await playlist('PRIVATE')), '404 no-store');
    assert.equal(await answersOf('content_id', null), EXPECTED.PUBLIC.fixed);
  });
});
