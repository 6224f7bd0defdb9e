import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newId } from '../../../kernel/ids.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../testing.ts';
import { isoDuration } from './structured-data.ts';

describe('durations for search engines', () => {
  const durations: [number, string][] = [
    [400, 'PT1S'],
    [61_500, 'PT1M2S'],
    [3_600_000, 'PT1H'],
    [90_061_000, 'PT25H1M1S'],
  ];
  for (const [ms, expected] of durations)
    it(`writes ${ms} ms as ${expected}`, () => assert.equal(isoDuration(ms), expected));
});

describe('structuredData', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  before(async () => {
    api = await openTestCatalog();
    [anna, bert] = [await api.person('anna'), await api.person('bert')];
  });
  after(() => api.close());

  const read = async (who: Person, id: string) => {
    const { content } = await api.ok(who, 'query ($id: DID!) { content(id: $id) { structuredData } }', { id });
    return content.structuredData;
  };
  const withVideo = async (id: string) => {
    await api.rows(
      `insert into video_assets (id, channel_id, content_id, hint, filename, source_key, size_bytes, thumbnails,
        package_prefix, ready_at)
       values ($1, $2, $3, 'LANDSCAPE_VIDEO', 'a.mp4', 'sources/x', 5, $4, $5, now())`,
      [
        newId(),
        anna.channelId,
        uuidOf(id),
        JSON.stringify({ pattern: 'thumbs/%05d.jpg', count: 2, intervalMs: 1_000 }),
        `media/${uuidOf(id)}/${newId()}/a-1/`,
      ],
    );
    await api.rows(
      "update contents set duration_ms = 61500, rating_id = (select id from ratings where code = 'TV-MA') " +
        'where id = $1',
      [uuidOf(id)],
    );
  };

  it('has the properties that Google’s video results require', async () => {
    const id = await api.content(anna, { status: 'PUBLISHED', title: 'Tea & </script>', shortCode: 'tea00000001' });
    await withVideo(id);
    const data = await read(bert, id);
    for (const required of ['name', 'description', 'thumbnailUrl', 'uploadDate', 'contentUrl'])
      assert.ok(data[required], required);
    const { thumbnailUrl, contentUrl, uploadDate, ...rest } = data;
    assert.match(contentUrl, /^http:\/\/reelgraph\.test\/media\/.+\/master\.m3u8$/);
    assert.match(thumbnailUrl, /^http:\/\/reelgraph\.test\/media\/.+\/thumbs\/00001\.jpg$/);
    assert.equal(new Date(uploadDate).toISOString(), uploadDate);
    assert.deepEqual(rest, {
      '@context': 'https://schema.org',
      '@type': 'VideoObject',
      name: 'Tea & </script>',
      description: 'Tea & </script>',
      url: 'http://reelgraph.test/w/tea00000001',
      embedUrl: `http://reelgraph.test/embed/${uuidOf(id)}`,
      publisher: { '@type': 'Organization', name: 'anna', url: 'http://reelgraph.test/@anna' },
      image: thumbnailUrl,
      isFamilyFriendly: false,
      duration: 'PT1M2S',
    });
  });

  it('has the chapters as clips', async () => {
    const id = await api.content(anna, { status: 'PUBLISHED', title: 'Tea', shortCode: 'tea00000002' });
    await withVideo(id);
    const summary = '0:00 Water\n0:10 Leaves\n0:30 Cups';
    const change =
      'mutation ($id: DID!, $summary: String!) { updateContent(id: $id, input: { summary: $summary }) { id } }';
    await api.ok(anna, change, { id, summary });
    const url = 'http://reelgraph.test/w/tea00000002';
    assert.deepEqual((await read(bert, id)).hasPart, [
      { '@type': 'Clip', name: 'Water', startOffset: 0, endOffset: 10, url: `${url}?t=0` },
      { '@type': 'Clip', name: 'Leaves', startOffset: 10, endOffset: 30, url: `${url}?t=10` },
      { '@type': 'Clip', name: 'Cups', startOffset: 30, endOffset: 62, url: `${url}?t=30` },
    ]);
  });

  it('has a still of the video, not a sheet of pictures', async () => {
    const id = await api.content(anna, { status: 'PUBLISHED', title: 'Tea' });
    await withVideo(id);
    const extras = { stills: [{ path: 'preview/still-1.jpg', width: 1280, height: 720 }] };
    await api.rows(
      `update video_assets set extras = $2, thumbnails = thumbnails || '{"vtt": "thumbs/storyboard.vtt"}'
       where content_id = $1`,
      [uuidOf(id), JSON.stringify(extras)],
    );
    assert.match((await read(bert, id)).thumbnailUrl, /\/a-1\/preview\/still-1\.jpg$/);
    await api.rows("update video_assets set extras = '{}' where content_id = $1", [uuidOf(id)]);
    assert.equal((await read(bert, id)).thumbnailUrl, undefined);
  });

  it('includes the season and series of an episode', async () => {
    const serie = await api.content(anna, { kind: 'SERIES', status: 'PUBLISHED', title: 'Hills' });
    const season = await api.content(anna, {
      kind: 'SEASON',
      status: 'PUBLISHED',
      title: 'One',
      parent: serie,
      number: 1,
    });
    const id = await api.content(anna, { kind: 'EPISODE', status: 'PUBLISHED', parent: season, number: 3 });
    await withVideo(id);
    const episode = await read(bert, id);
    assert.deepEqual(
      [episode['@type'], episode.episodeNumber, episode.video['@type']],
      ['TVEpisode', 3, 'VideoObject'],
    );
    assert.deepEqual(episode.partOfSeason, {
      '@type': 'TVSeason',
      name: 'One',
      url: `http://reelgraph.test/series/season/${uuidOf(season)}`,
      seasonNumber: 1,
    });
    assert.equal(episode.partOfSeries.name, 'Hills');
    assert.deepEqual([(await read(bert, serie))['@type'], (await read(bert, season)).seasonNumber], ['TVSeries', 1]);
    await api.ok(anna, 'mutation ($id: DID!) { unpublishContent(id: $id) { id } }', { id: serie });
    assert.equal(await read(anna, id), null);
  });

  for (const options of [{ status: 'READY' }, { status: 'PUBLISHED', visibility: 'PRIVATE' }]) {
    it(`is null for a ${options.visibility ?? options.status} content, also for its owner`, async () => {
      assert.equal(await read(anna, await api.content(anna, options)), null);
    });
  }
});
