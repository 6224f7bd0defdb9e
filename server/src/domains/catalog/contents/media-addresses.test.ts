import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { FeatureName } from '../../../kernel/features.ts';
import { newId } from '../../../kernel/ids.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../testing.ts';

describe('addresses of media', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  let switchedOff: FeatureName[] = [];
  before(async () => {
    api = await openTestCatalog({ switchedOff: () => switchedOff });
    [anna, bert] = [await api.person('anna'), await api.person('bert')];
  });
  after(() => api.close());

  const READ = `query ($id: DID!) { content(id: $id) { hints { type containsAds condition }
    outputAssets { encoderType video { hls dash download preview } audio { download }
                   images { stills { url width height format } thumbnails { urlFormat count }
                     videoThumbnails { urlFormat count vtt } } }
    assets { videos { totalCount edges { node { url playlistUrl format resolution { width height aspectRatio }
      duration sizeBytes hint qualities
      { label resolution { width height } bitrate url } loudness { integratedLufs rangeLu truePeakDbtp } } } }
             images { totalCount edges { node { url alt purpose variants { url width height format } } } } } } }`;

  async function withFiles(options: {
    status?: string;
    visibility?: string;
    silent?: boolean;
    singlePictures?: boolean;
  }): Promise<string> {
    const did = await api.content(anna, options);
    const [content, video, image] = [uuidOf(did), newId(), newId()];
    const renditions = [
      {
        label: '720p',
        width: 1280,
        height: 720,
        bandwidthBps: 2_500_000,
        averageBandwidthBps: 2_000_000,
        codecs: 'avc1.64001f',
        frameRate: '25',
        path: 'v720/index.m3u8',
      },
    ];
    await api.rows(
      `insert into video_assets (id, channel_id, content_id, hint, filename, source_key, size_bytes, mime_type, width,
        height, duration_ms, renditions, thumbnails, package_prefix, extras, loudness, ready_at)
       values ($1, $2, $3, 'LANDSCAPE_VIDEO', 'my clip.mp4', 'sources/x', 5000000000, 'video/mp4', 1280, 720, 61500, $4,
         $5, $6, $7, $8, now())`,
      [
        video,
        anna.channelId,
        content,
        JSON.stringify(renditions),
        JSON.stringify({
          ...{ pattern: 'thumbs/%05d.jpg', count: 7, intervalMs: 10_000 },
          ...(options.singlePictures ? {} : { vtt: 'thumbs/storyboard.vtt' }),
        }),
        `media/${content}/${video}/abc-1/`,
        JSON.stringify({
          encoder: 'X264',
          videoDownload: 'downloads/video.mp4',
          audioDownload: options.silent ? null : 'downloads/audio.m4a',
          preview: 'preview/preview.mp4',
          dash: 'manifest.mpd',
          stills: [{ path: 'preview/still-1.jpg', width: 1280, height: 720 }],
        }),
        options.silent ? null : JSON.stringify({ integratedLufs: -16.2, rangeLu: 7.5, truePeakDbtp: -0.4 }),
      ],
    );
    await api.rows(
      'insert into video_assets (id, channel_id, content_id, hint, filename, source_key, size_bytes) values ($1, ' +
        "$2, $3, 'VR', 'raw.mp4', 'sources/y', 5)",
      [newId(), anna.channelId, content],
    );
    const variants = [{ file: 'w640.jpg', width: 640, height: 360, format: 'JPEG', sizeBytes: 9 }];
    await api.rows(
      `insert into image_assets (id, channel_id, content_id, purpose, alt, width, height, mime_type, size_bytes,
        object_prefix, variants, dominant_color, blurhash)
       values ($1, $2, $3, 'POSTER', 'A hill', 640, 360, 'image/jpeg', 9, $4, $5, '#102030', 'L6')`,
      [image, anna.channelId, content, `images/${image}/`, JSON.stringify(variants)],
    );
    return did;
  }

  it('are unsigned for public contents; only the owner gets raw files and the original', async () => {
    const id = await withFiles({ status: 'PUBLISHED' });
    const { content } = await api.ok(bert, READ, { id });
    const [{ node }] = content.assets.videos.edges;
    assert.equal(content.assets.videos.totalCount, 1);
    assert.match(
      node.playlistUrl,
      new RegExp(`^http://reelgraph\\.test/media/${uuidOf(id)}/[0-9a-f-]{36}/abc-1/master\\.m3u8$`),
    );
    const quality = node.playlistUrl.replace('master.m3u8', 'v720/index.m3u8');
    assert.deepEqual(node.qualities, [
      { label: '720p', resolution: { width: 1280, height: 720 }, bitrate: 2_500_000, url: quality },
    ]);
    assert.deepEqual(
      [node.url, node.format, node.resolution, node.duration, node.sizeBytes, node.hint],
      [null, 'HLS', { width: 1280, height: 720, aspectRatio: '16:9' }, 61.5, 5_000_000_000, 'NONE'],
    );
    assert.deepEqual(node.loudness, { integratedLufs: -16.2, rangeLu: 7.5, truePeakDbtp: -0.4 });
    const inPackage = (path: string) => node.playlistUrl.replace('master.m3u8', path);
    assert.deepEqual(content.outputAssets, {
      encoderType: 'X264',
      video: {
        hls: node.playlistUrl,
        dash: inPackage('manifest.mpd'),
        download: null,
        preview: inPackage('preview/preview.mp4'),
      },
      audio: { download: null },
      images: {
        stills: [{ url: inPackage('preview/still-1.jpg'), width: 1280, height: 720, format: 'JPEG' }],
        thumbnails: { urlFormat: inPackage('preview/still-%d.jpg'), count: 1 },
        videoThumbnails: {
          ...{ urlFormat: inPackage('thumbs/%05d.jpg'), count: 7 },
          vtt: inPackage('thumbs/storyboard.vtt'),
        },
      },
    });
    assert.deepEqual(content.hints, [{ type: 'FEATURE', containsAds: null, condition: 'NONE' }]);
    const [image] = content.assets.images.edges;
    assert.match(image.node.url, /^http:\/\/reelgraph\.test\/media\/images\/[0-9a-f-]{36}\/w640\.jpg$/);
    assert.deepEqual(image.node.variants, [{ url: image.node.url, width: 640, height: 360, format: 'JPEG' }]);

    const own = (await api.ok(anna, READ, { id })).content.assets.videos;
    assert.equal(own.totalCount, 2);
    assert.ok(
      own.edges.every((edge: { node: { url: string } }) => /\/media\/s\/\d+\.[\w-]+\/sources\//.test(edge.node.url)),
    );
  });

  it('name no WebVTT file for videos whose images are single pictures', async () => {
    const id = await withFiles({ status: 'PUBLISHED', singlePictures: true });
    const { videoThumbnails } = (await api.ok(bert, READ, { id })).content.outputAssets.images;
    assert.deepEqual([videoThumbnails.count, videoThumbnails.vtt], [7, null]);
  });

  it('are beside what is missing or damaged of a file, for members only', async () => {
    const id = await withFiles({ status: 'PUBLISHED' });
    await api.rows(
      `update video_assets set missing_ms = 2400, is_damaged = true where content_id = $1 and ready_at is not null`,
      [uuidOf(id)],
    );
    const query = `query ($id: DID!) {
      content(id: $id) { assets { videos { edges { node { missingDurationMs damaged } } } } } }`;
    // Members see the file that is not played, too, which comes first.
    for (const [who, found] of [
      [
        anna,
        [
          { missingDurationMs: null, damaged: false },
          { missingDurationMs: 2_400, damaged: true },
        ],
      ],
      [bert, [{ missingDurationMs: null, damaged: null }]],
    ] as const) {
      const { edges } = (await api.ok(who, query, { id })).content.assets.videos;
      assert.deepEqual(
        edges.map(({ node }: { node: object }) => node),
        found,
      );
    }
  });

  const DOWNLOADS = 'query ($id: DID!) { content(id: $id) { outputAssets { video { download } audio { download } } } }';
  const ALLOW =
    'mutation ($id: DID!, $to: Boolean!) { updateContent(id: $id, input: { allowDownload: $to }) { metadata ' +
    '{ allowDownload title } } }';
  async function downloads(who: Person, id: string): Promise<(string | null)[]> {
    const { video, audio } = (await api.ok(who, DOWNLOADS, { id })).content.outputAssets;
    return [video.download, audio.download];
  }

  it('for downloads are signed for members of every role, and for others only where the owner allows it', async () => {
    const id = await withFiles({ status: 'PUBLISHED' });
    const signed =
      /^http:\/\/reelgraph\.test\/media\/s\/\d+\.[\w-]{43}\/downloads\/[0-9a-f-]{36}\/(video\.mp4|audio\.m4a)$/;
    const carl = await api.person('carl');
    await api.rows("insert into channel_members (channel_id, account_id, role) values ($1, $2, 'VIEWER')", [
      anna.channelId,
      carl.accountId,
    ]);
    for (const member of [anna, carl])
      for (const address of await downloads(member, id)) assert.match(address ?? '', signed);
    assert.deepEqual(await downloads(bert, id), [null, null]);

    const allowed = await api.ok(anna, ALLOW, { id, to: true });
    assert.deepEqual(allowed.updateContent.metadata, { allowDownload: true, title: 'A video' });
    for (const who of [anna, bert])
      for (const address of await downloads(who, id))
        assert.match(
          address ?? '',
          /^http:\/\/reelgraph\.test\/media\/downloads\/[0-9a-f-]{36}\/(video\.mp4|audio\.m4a)$/,
        );
    await api.ok(anna, 'mutation ($id: DID!) { updateContent(id: $id, input: { title: "Kept" }) { id } }', { id });
    assert.ok((await downloads(bert, id))[0], 'stays allowed when something else is changed');
    switchedOff = ['DOWNLOADS'];
    for (const address of await downloads(anna, id)) assert.match(address ?? '', signed);
    assert.deepEqual(await downloads(bert, id), [null, null], 'operators switched downloads off');
    switchedOff = [];
    await api.ok(anna, ALLOW, { id, to: false });
    assert.deepEqual(await downloads(bert, id), [null, null]);
    assert.equal((await api.refused(bert, ALLOW, { id, to: true })).code, 'UNAUTHORIZED');
    assert.equal((await api.refused(carl, ALLOW, { id, to: true })).code, 'UNAUTHORIZED');
  });

  it('for downloads are signed while the content is not published, and exist only with an audio track', async () => {
    const id = await withFiles({ status: 'READY', silent: true });
    await api.ok(anna, ALLOW, { id, to: true });
    const [video, audio] = await downloads(anna, id);
    assert.match(video ?? '', /\/media\/s\//);
    assert.equal(audio, null);
  });

  it('are null for files that a video processed by an earlier version lacks', async () => {
    const id = await withFiles({ status: 'PUBLISHED' });
    await api.rows('update video_assets set extras = null where content_id = $1', [uuidOf(id)]);
    const { outputAssets } = (await api.ok(anna, READ, { id })).content;
    assert.deepEqual(
      [outputAssets.encoderType, outputAssets.video.dash, outputAssets.video.download, outputAssets.video.preview],
      [null, null, null, null],
    );
    assert.deepEqual(
      [outputAssets.audio.download, outputAssets.images.thumbnails, outputAssets.images.stills],
      [null, null, []],
    );
  });

  for (const options of [{ status: 'READY' }, { status: 'PUBLISHED', visibility: 'PRIVATE' }]) {
    it(`are signed for the owner of a ${options.visibility ?? options.status} content`, async () => {
      const { content } = await api.ok(anna, READ, { id: await withFiles(options) });
      const playable = content.assets.videos.edges.find(
        (edge: { node: { format: string | null } }) => edge.node.format === 'HLS',
      ).node;
      for (const address of [
        playable.playlistUrl,
        playable.qualities[0].url,
        content.outputAssets.video.hls,
        content.outputAssets.video.dash,
        content.outputAssets.video.download,
        content.outputAssets.video.preview,
        content.outputAssets.audio.download,
        content.outputAssets.images.stills[0].url,
        content.assets.images.edges[0].node.url,
        content.outputAssets.images.videoThumbnails.urlFormat,
      ]) {
        assert.match(address, /^http:\/\/reelgraph\.test\/media\/s\/\d+\.[\w-]{43}\//);
      }
    });
  }
});
