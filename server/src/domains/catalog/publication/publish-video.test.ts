import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { SeriesFixture } from '../series/series.fixture.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../testing.ts';
import { contentRow, jobsSent, PUBLISH_VIDEO } from './publish-video.fixture.ts';

describe('publishing a video', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  const source = createServer((_, response) => response.end('not reached'));
  before(async () => {
    await new Promise<void>((done) => source.listen(0, '127.0.0.1', done));
    const { port } = source.address() as AddressInfo; // a TCP server has one
    api = await openTestCatalog({ jobs: true, env: { FETCH_ALLOW: `127.0.0.1:${port}` } });
    [anna, bert] = [await api.person('anna'), await api.person('bert')];
  });
  after(async () => {
    await api.close();
    source.close();
  });

  const everything = () =>
    api.row(
      'select (select count(*) from contents) as contents, (select count(*) from ingestions) as uploads, ' +
        '(select count(*) from transcode_jobs) as jobs, (select count(*) from events) as events',
    );

  it('opens the upload of a file, with a curl command, and waits for its bytes', async () => {
    const input = { title: 'Hills', filename: "it's [1].MP4", size: 5_000, videoHint: 'PORTRAIT' };
    const { content, job, published, upload } = (await api.ok(anna, PUBLISH_VIDEO, { input })).publishVideo;
    assert.deepEqual(
      [content.kind, content.status, content.metadata.contentLayout, published],
      ['FEATURE', 'DRAFT', 'PORTRAIT', false],
    );
    assert.deepEqual([job.status, job.progress, job.deployed], ['IDLE', 0, false]);
    assert.match(upload.endpoint, /^http:\/\/reelgraph\.test\/uploads\//);
    assert.match(upload.assetName, /\.mp4$/);
    assert.equal(upload.contentId, content.id);
    assert.ok(upload.curlCommand.includes(`-T 'it'\\''s [1].MP4' '${upload.endpoint}'`));
    assert.equal(Date.parse(upload.expiresAt) > api.clock.now(), true);
    assert.deepEqual(await contentRow(api, content.id), {
      status: 'DRAFT',
      publish_when_ready: true,
      release_at: null,
    });
    assert.deepEqual(
      await api.row('select auto_process, size_bytes from ingestions where content_id = $1', [uuidOf(content.id)]),
      {
        auto_process: true,
        size_bytes: 5_000,
      },
    );
  });

  it('has its visibility from the first moment on, for a file and for an address', async () => {
    const source = { filename: 'video.mp4', size: 5_000 };
    for (const [visibility, expected] of [
      ['PRIVATE', 'PRIVATE'],
      ['UNLISTED', 'UNLISTED'],
      [null, 'PUBLIC'],
    ] as const) {
      const { content } = (await api.ok(anna, PUBLISH_VIDEO, { input: { title: 'For some', ...source, visibility } }))
        .publishVideo;
      assert.deepEqual(await api.row('select visibility from contents where id = $1', [uuidOf(content.id)]), {
        visibility: expected,
      });
    }
  });

  it('becomes the last episode of a season or a miniseries', async () => {
    const series = new SeriesFixture(api, anna);
    const season = await series.season(await series.serie());
    await series.episode(season, 4);
    const input = { title: 'The last', filename: 'a.mp4', size: 5_000, parent: season };
    const { content } = (await api.ok(anna, PUBLISH_VIDEO, { input })).publishVideo;
    assert.deepEqual([content.kind, content.status], ['EPISODE', 'DRAFT']);
    assert.deepEqual(
      await api.row('select parent_id, number, channel_id, publish_when_ready from contents where id = $1', [
        uuidOf(content.id),
      ]),
      { parent_id: uuidOf(season), number: 5, channel_id: anna.channelId, publish_when_ready: true },
    );
  });

  it('is refused as an episode of what holds none, is not there, or is in the channel of others', async () => {
    const series = new SeriesFixture(api, anna);
    const [serie, video] = [await series.serie(), await api.content(anna)];
    const season = await series.season(serie);
    const missing = 'did:reelgraph:content/season/01a1facb-422b-7000-b9e0-9276b51acd0e';
    const input = { title: 'Video', filename: 'a.mp4', size: 5 };
    const cases: [who: Person, more: object, code: string, field: string][] = [
      [anna, { parent: serie }, 'INVALID_INPUT', 'input.parent'],
      [anna, { parent: video }, 'INVALID_INPUT', 'input.parent'],
      [anna, { parent: missing }, 'RESOURCE_NOT_FOUND', 'input.parent'],
      [anna, { parent: season, channel: anna.channel }, 'INVALID_INPUT', 'input.channel'],
      [bert, { parent: season }, 'RESOURCE_NOT_FOUND', 'input.parent'],
    ];
    const before = await everything();
    for (const [who, more, code, field] of cases) {
      const error = await api.refused(who, PUBLISH_VIDEO, { input: { ...input, ...more } });
      assert.deepEqual([error.code, error.field], [code, field]);
    }
    assert.deepEqual(await everything(), before);
  });

  it('lets the server fetch an address', async () => {
    const sourceUrl = `http://127.0.0.1:${(source.address() as AddressInfo).port}/video.mp4`;
    const { content, job, upload } = (
      await api.ok(anna, PUBLISH_VIDEO, {
        input: { title: 'Fetched', sourceUrl, contentType: 'SHORT', publish: false },
      })
    ).publishVideo;
    assert.deepEqual(
      [content.kind, content.status, content.metadata.contentLayout, job.status, upload],
      ['SHORT', 'PROCESSING', 'PORTRAIT', 'QUEUED', null],
    );
    assert.equal((await contentRow(api, content.id)).publish_when_ready, false);
    const [sent] = (await jobsSent(api, 'fetch-source')).slice(-1);
    assert.deepEqual(
      [sent?.data.payload.url, sent?.data.payload.jobId, sent?.data.payload.hint],
      [sourceUrl, uuidOf(job.id), 'SHORT'],
    );
  });

  const upload = { filename: 'a.mp4', size: 5 };
  const refusals: [string, Record<string, unknown>, string, string][] = [
    ['both ways at once', { ...upload, sourceUrl: 'https://example.com/a.mp4' }, 'INVALID_INPUT', 'input.sourceUrl'],
    ['neither way', {}, 'FIELD_REQUIRED', 'input.sourceUrl'],
    ['a file without size', { filename: 'a.mp4' }, 'FIELD_REQUIRED', 'input.size'],
    ['a negative size', { ...upload, size: -1 }, 'INVALID_INPUT', 'input.size'],
    ['no bytes', { ...upload, size: 0 }, 'INVALID_INPUT', 'input.size'],
    ['more than the plan allows', { ...upload, size: Number.MAX_SAFE_INTEGER }, 'INVALID_INPUT', 'input.size'],
    ['a path for a name', { ...upload, filename: '../a.mp4' }, 'INVALID_INPUT', 'input.filename'],
    ['a blank name', { ...upload, filename: ' ' }, 'FIELD_REQUIRED', 'input.filename'],
    ['a loopback address', { sourceUrl: 'http://127.0.0.1:9/a.mp4' }, 'INVALID_INPUT', 'input.sourceUrl'],
    [
      'a link-local address',
      { sourceUrl: 'http://169.254.169.254/latest/meta-data' },
      'INVALID_INPUT',
      'input.sourceUrl',
    ],
    ['a private address', { sourceUrl: 'http://[::ffff:10.0.0.1]/a.mp4' }, 'INVALID_INPUT', 'input.sourceUrl'],
    ['a file address', { sourceUrl: 'file:///etc/passwd' }, 'INVALID_INPUT', 'input.sourceUrl'],
    ['a blank title', { ...upload, title: '\n' }, 'FIELD_REQUIRED', 'input.title'],
    [
      'a date without publication',
      { ...upload, publish: false, releaseDate: '2030-01-01T00:00:00Z' },
      'INVALID_INPUT',
      'input.releaseDate',
    ],
    [
      'a date in the next century',
      { ...upload, releaseDate: '2130-01-01T00:00:00Z' },
      'INVALID_INPUT',
      'input.releaseDate',
    ],
    [
      'a content for a channel',
      { ...upload, channel: 'did:reelgraph:content/feature/01a1facb-422b-7000-b9e0-9276b51acd0e' },
      'INVALID_INPUT',
      'input.channel',
    ],
    [
      'a channel that is not there',
      { ...upload, channel: 'did:reelgraph:channel/01a1facb-422b-7000-b9e0-9276b51acd0e' },
      'RESOURCE_NOT_FOUND',
      'input.channel',
    ],
  ];
  for (const [name, input, code, field] of refusals) {
    it(`refuses ${name} with ${code} and leaves nothing behind`, async () => {
      const before = await everything();
      const error = await api.refused(anna, PUBLISH_VIDEO, { input: { title: 'Video', ...input } });
      assert.deepEqual([error.code, error.field], [code, field]);
      assert.deepEqual(await everything(), before);
    });
  }

  it("refuses another account's channel", async () => {
    assert.equal(
      (await api.refused(bert, PUBLISH_VIDEO, { input: { title: 'Video', ...upload, channel: anna.channel } })).code,
      'UNAUTHORIZED',
    );
  });
});
