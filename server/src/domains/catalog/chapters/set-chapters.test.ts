import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newId } from '../../../kernel/ids.ts';
import { serveAssetRoutes } from '../../assets/testing.ts';
import { mediaRoutes } from '../../delivery/media.routes.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../testing.ts';
import { makeChaptersFile } from './serve-chapters.ts';

const FIELDS = 'chapters { startMs endMs title } chaptersUrl';
const SET =
  'mutation ($id: DID!, $input: SetContentChaptersInput!) { setContentChapters(id: $id, input: $input) ' +
  `{ content { id ${FIELDS} } } }`;
const READ = `query ($id: DID!) { feature(id: $id) { ${FIELDS} } content(id: $id) { ${FIELDS} } }`;
const CHAPTERS = [
  { startMs: 0, title: 'Intro' },
  { startMs: 12_500, title: 'Tom & Jerry <3' },
  { startMs: 30_000, title: 'End' },
];
const LISTED = '0:00 Listed\n0:15 in the\n0:30 description';

describe('chapters of contents', () => {
  let api: TestCatalog;
  let server: Awaited<ReturnType<typeof serveAssetRoutes>>;
  let anna: Person;
  let bert: Person;
  before(async () => {
    api = await openTestCatalog();
    server = await serveAssetRoutes(mediaRoutes(api.platform, { files: [makeChaptersFile] }));
    [anna, bert] = [await api.person('anna'), await api.person('bert')];
  });
  after(async () => {
    await server.close();
    await api.close();
  });

  /** A content with a video of a minute. */
  async function videoId(status = 'PUBLISHED', visibility = 'PUBLIC'): Promise<string> {
    const id = await api.content(anna, { status, visibility });
    const video = newId();
    await api.rows(
      `insert into video_assets (id, channel_id, content_id, hint, filename, source_key, size_bytes, duration_ms,
        package_prefix, ready_at)
       values ($1, $2, $3, 'SHORT', 'a', $4, 1, 60000, 'media/x/', now())`,
      [video, anna.channelId, uuidOf(id), `sources/${video}`],
    );
    await api.rows('update contents set duration_ms = 60000 where id = $1', [uuidOf(id)]);
    return id;
  }
  const get = (address: string) => fetch(address.replace('http://reelgraph.test', server.address));
  const set = (id: string, chapters: readonly object[], who = anna) => api.ok(who, SET, { id, input: { chapters } });
  const chaptersOf = async (id: string) => (await api.ok(anna, READ, { id })).feature;

  it('are set in one round trip, publicly readable, and served as WebVTT', async () => {
    const id = await videoId();
    const { result, roundTrips } = await api.counted(() => set(id, CHAPTERS));
    assert.equal(roundTrips, 1);
    const { chapters, chaptersUrl } = result.setContentChapters.content;
    assert.deepEqual(chapters, [
      { startMs: 0, endMs: 12_500, title: 'Intro' },
      { startMs: 12_500, endMs: 30_000, title: 'Tom & Jerry <3' },
      { startMs: 30_000, endMs: 60_000, title: 'End' },
    ]);
    const { feature, content } = await api.ok(bert, READ, { id });
    assert.deepEqual([feature.chapters, content.chapters, feature.chaptersUrl], [chapters, chapters, chaptersUrl]);
    const file = await get(chaptersUrl);
    assert.deepEqual(
      [file.status, file.headers.get('content-type'), file.headers.get('cache-control')],
      [200, 'text/vtt; charset=utf-8', 'public, max-age=60'],
    );
    assert.equal(
      await file.text(),
      'WEBVTT\n\n00:00:00.000 --> 00:00:12.500\nIntro\n\n00:00:12.500 --> ' +
        '00:00:30.000\nTom &amp; Jerry &lt;3\n\n00:00:30.000 --> 00:01:00.000\nEnd\n',
    );
    const events = await api.rows(`select 1 from events where subject_id = $1 and type = 'content.updated'`, [
      uuidOf(id),
    ]);
    assert.equal(events.length, 1);
  });

  it('are parsed from the description while none are set, and again after removal', async () => {
    const id = await videoId();
    assert.deepEqual(await chaptersOf(id), { chapters: [], chaptersUrl: null });
    await api.rows('update contents set summary = $2 where id = $1', [uuidOf(id), LISTED]);
    const listed = await chaptersOf(id);
    assert.deepEqual(
      listed.chapters.map(({ title }: { title: string }) => title),
      ['Listed', 'in the', 'description'],
    );
    assert.match(await (await get(listed.chaptersUrl)).text(), /\nListed\n/);
    await set(id, CHAPTERS);
    assert.equal((await chaptersOf(id)).chapters[0].title, 'Intro');
    assert.match(await (await get(listed.chaptersUrl)).text(), /\nIntro\n/);
    await set(id, []);
    assert.deepEqual(await chaptersOf(id), listed);
    await api.rows(`update contents set summary = '' where id = $1`, [uuidOf(id)]);
    assert.equal((await get(listed.chaptersUrl)).status, 404);
  });

  it('can be set before the video exists; the file appears with it', async () => {
    const id = await api.content(anna, { status: 'DRAFT' });
    const { chapters, chaptersUrl } = (await set(id, CHAPTERS)).setContentChapters.content;
    assert.deepEqual([chapters[2], chaptersUrl], [{ startMs: 30_000, endMs: null, title: 'End' }, null]);
  });

  it('of a private content need a signed address', async () => {
    const id = await videoId('PUBLISHED', 'PRIVATE');
    const { chaptersUrl } = (await set(id, CHAPTERS)).setContentChapters.content;
    const file = await get(chaptersUrl);
    assert.deepEqual([file.status, file.headers.get('cache-control')], [200, 'private, no-store']);
    assert.equal((await get(chaptersUrl.replace(/\/s\/[^/]+/, ''))).status, 404);
    assert.equal((await api.run(bert, READ, { id })).data.feature, null);
  });

  it('of many contents are read in one statement', async () => {
    const query = `{ features(first: 10) { edges { node { id ${FIELDS} } } } }`;
    const { statements } = await api.counted(() => api.ok(bert, query));
    assert.equal(statements, 1);
  });

  const start = (index: number) => `input.chapters.${index}.startMs`;
  const bad: [string, object[], string, string, RegExp][] = [
    ['two chapters', CHAPTERS.slice(0, 2), 'INVALID_INPUT', 'input.chapters', /2 chapters/],
    [
      '101 chapters',
      Array.from({ length: 101 }, (_, i) => ({ startMs: i * 10_000, title: 'x' })),
      'INVALID_INPUT',
      'input.chapters',
      /101/,
    ],
    [
      'a first one that begins later',
      [{ startMs: 1_000, title: 'x' }, ...CHAPTERS.slice(1)],
      'INVALID_INPUT',
      start(0),
      /at 0/,
    ],
    [
      'a wrong order',
      [CHAPTERS[0] ?? {}, CHAPTERS[2] ?? {}, CHAPTERS[1] ?? {}],
      'INVALID_INPUT',
      start(2),
      /starts before the previous/,
    ],
    [
      'a short chapter',
      [...CHAPTERS.slice(0, 2), { startMs: 20_000, title: 'x' }],
      'INVALID_INPUT',
      start(2),
      /10 seconds/,
    ],
    [
      'one that begins after the end',
      [...CHAPTERS, { startMs: 90_000, title: 'x' }],
      'INVALID_INPUT',
      start(3),
      /60 seconds/,
    ],
    [
      'a last one that is too short',
      [...CHAPTERS, { startMs: 51_000, title: 'x' }],
      'INVALID_INPUT',
      start(3),
      /60 seconds/,
    ],
    ['a negative time', [{ startMs: -1, title: 'x' }], 'INVALID_INPUT', start(0), /not a valid time/],
    ['a blank title', [{ startMs: 0, title: ' ' }], 'FIELD_REQUIRED', 'input.chapters.0.title', /blank/],
    [
      'a title of 101 characters',
      [{ startMs: 0, title: 'x'.repeat(101) }],
      'INVALID_INPUT',
      'input.chapters.0.title',
      /101/,
    ],
    ['a line break in a title', [{ startMs: 0, title: 'a\nb' }], 'INVALID_INPUT', 'input.chapters.0.title', /control/],
  ];
  for (const [name, chapters, code, field, message] of bad) {
    it(`refuse ${name}, without a change`, async () => {
      const id = await videoId();
      await set(id, CHAPTERS);
      const before = await chaptersOf(id);
      const error = await api.refused(anna, SET, { id, input: { chapters } });
      assert.deepEqual([error.code, error.field], [code, field]);
      assert.match(error.message, message);
      assert.deepEqual(await chaptersOf(id), before);
    });
  }

  it('require a content with a video, and permission to change it', async () => {
    const input = { chapters: CHAPTERS };
    const serie = await api.content(anna, { kind: 'SERIES' });
    assert.deepEqual((await api.refused(anna, SET, { id: serie, input })).code, 'INVALID_INPUT');
    const [open, draft] = [await videoId(), await videoId('READY')];
    assert.equal((await api.refused(bert, SET, { id: open, input })).code, 'UNAUTHORIZED');
    const missing = await api.refused(bert, SET, { id: `did:reelgraph:content/feature/${newId()}`, input });
    assert.deepEqual(
      [missing.code, await api.refused(bert, SET, { id: draft, input })],
      ['RESOURCE_NOT_FOUND', missing],
    );
    assert.equal((await api.refused(null, SET, { id: open, input })).code, 'UNAUTHENTICATED');
    assert.deepEqual((await chaptersOf(open)).chapters, []);
  });
});
