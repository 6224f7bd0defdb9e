import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { until } from '../../../testing/until.ts';
import { SeriesFixture } from '../series/series.fixture.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../testing.ts';
import { finishProcessing, finishUpload } from './finished-video.fixture.ts';
import { releaseSchedule } from './release-schedule.ts';

const PUBLISH_VIDEO = `mutation ($input: PublishVideoInput!) { publishVideo(input: $input) {
  published content { id kind status metadata { title contentLayout releaseDate } } job { id status progress deployed }
  upload { endpoint assetName curlCommand contentId expiresAt } } }`;
const FINALIZE =
  'mutation ($input: FinalizeContentUploadInput!) { finalizeContentUpload(input: $input) { published content ' +
  '{ status metadata { contentLayout } } job { id status } } }';
const SUBMIT =
  'mutation ($id: DID!, $input: ProcessingInput) { submitContentForProcessing(id: $id, ' +
  'input: $input) { content { status } job { id status } } }';
const WAIT =
  'mutation ($input: WaitForProcessingInput!) { waitForProcessing(input: $input) { status error hint job { id ' +
  '} content { id } } }';
const ASSET =
  'mutation ($id: DID!, $input: ContentAssetInput!) { createContentAsset(id: $id, input: $input) ' +
  '{ id endpoint state tus { filename originalFilename } metadata { contentId hint } } }';

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
  const contentRow = (did: string) =>
    api.row<{ status: string; publish_when_ready: boolean; release_at: string | null }>(
      'select status, publish_when_ready, release_at from contents where id = $1',
      [uuidOf(did)],
    );
  const jobsSent = (name: string) =>
    api.rows<{ data: { payload: Record<string, unknown> } }>('select data from pgboss.job where name = $1', [name]);

  const finishBytes = (contentDid: string) => finishUpload(api, contentDid);

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
    assert.deepEqual(await contentRow(content.id), { status: 'DRAFT', publish_when_ready: true, release_at: null });
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
    assert.equal((await contentRow(content.id)).publish_when_ready, false);
    const [sent] = (await jobsSent('fetch-source')).slice(-1);
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

  it('reports how many bytes are missing when finalized too early', async () => {
    const { content } = (
      await api.ok(anna, PUBLISH_VIDEO, { input: { title: 'Early', filename: 'a.mp4', size: 1_000 } })
    ).publishVideo;
    await api.rows('update ingestions set received_bytes = 400 where content_id = $1', [uuidOf(content.id)]);
    const error = await api.refused(anna, FINALIZE, { input: { contentId: content.id } });
    assert.deepEqual([error.code, error.field], ['INVALID_INPUT', 'input.contentId']);
    assert.match(error.message, /400 of 1000 bytes .* 600 are missing/);
    assert.equal((await api.refused(anna, SUBMIT, { id: content.id })).code, 'INVALID_INPUT');
    assert.equal((await contentRow(content.id)).status, 'DRAFT');
  });

  it('starts one job when the upload is finalized or submitted repeatedly', async () => {
    const { content, job } = (await api.ok(anna, PUBLISH_VIDEO, { input: { title: 'Once', ...upload } })).publishVideo;
    await finishBytes(content.id);
    const first = (await api.ok(anna, FINALIZE, { input: { contentId: content.id, layout: 'VR' } }))
      .finalizeContentUpload;
    assert.deepEqual(first, {
      published: false,
      content: { status: 'PROCESSING', metadata: { contentLayout: 'VR' } },
      job: { id: job.id, status: 'QUEUED' },
    });
    assert.deepEqual(
      (await api.ok(anna, FINALIZE, { input: { contentId: content.id } })).finalizeContentUpload.job,
      first.job,
    );
    assert.deepEqual((await api.ok(anna, SUBMIT, { id: content.id })).submitContentForProcessing, {
      content: { status: 'PROCESSING' },
      job: first.job,
    });
    assert.equal(
      (await jobsSent('process-video')).filter(({ data }) => data.payload.jobId === uuidOf(job.id)).length,
      1,
    );
    assert.equal((await contentRow(content.id)).publish_when_ready, true);
  });

  it('keeps the release date of the upload when finalized without one; null and publish: false clear it', async () => {
    const releaseDate = new Date(api.clock.now() + 3_600_000).toISOString();
    const later = new Date(api.clock.now() + 7_200_000).toISOString();
    const cases: [input: object, publish: boolean, date: string | null][] = [
      [{}, true, releaseDate],
      [{ layout: 'VR' }, true, releaseDate],
      [{ releaseDate: later }, true, later],
      [{ releaseDate: null }, true, null],
      [{ publish: true }, true, releaseDate],
      [{ publish: false }, false, null],
      [{ publish: false, releaseDate: null }, false, null],
    ];
    for (const [input, publish, date] of cases) {
      const { content } = (await api.ok(anna, PUBLISH_VIDEO, { input: { title: 'Later', ...upload, releaseDate } }))
        .publishVideo;
      await finishBytes(content.id);
      await api.ok(anna, FINALIZE, { input: { contentId: content.id, ...input } });
      const { publish_when_ready, release_at } = await contentRow(content.id);
      assert.deepEqual([publish_when_ready, release_at], [publish, date], JSON.stringify(input));
    }
  });

  it('keeps the date of an import when it is finalized to stay a draft', async () => {
    const { content } = (await api.ok(anna, PUBLISH_VIDEO, { input: { title: 'Old', ...upload } })).publishVideo;
    await api.rows('update contents set release_at = $2 where id = $1', [uuidOf(content.id), '2023-05-06T07:08:09Z']);
    await finishBytes(content.id);
    await api.ok(anna, FINALIZE, { input: { contentId: content.id, publish: false } });
    assert.deepEqual(await contentRow(content.id), {
      ...{ status: 'PROCESSING', publish_when_ready: false, release_at: '2023-05-06T07:08:09.000Z' },
    });
  });

  it('publishes immediately when the finalized content is already processed', async () => {
    const { content } = (await api.ok(anna, PUBLISH_VIDEO, { input: { title: 'Late', ...upload, publish: false } }))
      .publishVideo;
    await finishBytes(content.id);
    await api.ok(anna, SUBMIT, { id: content.id });
    await finishProcessing(api, anna.channelId, content.id);
    const done = (await api.ok(anna, FINALIZE, { input: { contentId: content.id, publish: true } }))
      .finalizeContentUpload;
    assert.deepEqual([done.published, done.content.status, done.job.status], [true, 'PUBLISHED', 'COMPLETE']);
    assert.equal(
      (await api.ok(anna, FINALIZE, { input: { contentId: content.id, publish: true } })).finalizeContentUpload
        .published,
      true,
    );
    assert.deepEqual(
      await api.rows("select type from events where subject_id = $1 and type = 'content.published'", [
        uuidOf(content.id),
      ]),
      [{ type: 'content.published' }],
    );
  });

  it('accepts a video through createContentAsset and submitContentForProcessing, by name', async () => {
    const id = await api.content(anna, { status: 'DRAFT' });
    const session = (await api.ok(anna, ASSET, { id, input: { filename: 'b.mov', size: 7, video: { hint: 'NONE' } } }))
      .createContentAsset;
    assert.deepEqual(
      [session.state, session.tus.originalFilename, session.metadata],
      ['OPEN', 'b.mov', { contentId: id, hint: 'NONE' }],
    );
    await finishBytes(id);
    const unknown = await api.refused(anna, SUBMIT, { id, input: { assetName: 'other.mov' } });
    assert.deepEqual([unknown.code, unknown.field], ['INVALID_INPUT', 'input.assetName']);
    const nul = await api.refused(anna, SUBMIT, { id, input: { assetName: 'a\0.mov' } });
    assert.deepEqual([nul.code, nul.field], ['INVALID_INPUT', 'input.assetName']);
    const { content, job } = (await api.ok(anna, SUBMIT, { id, input: { assetName: session.tus.filename } }))
      .submitContentForProcessing;
    assert.deepEqual([content.status, job.status], ['PROCESSING', 'QUEUED']);
  });

  it('processes the video of a published content again, which stays published', async () => {
    const id = await api.content(anna, { status: 'DRAFT' });
    await api.ok(anna, ASSET, { id, input: { filename: 'c.mov', size: 7, video: { hint: 'NONE' } } });
    await finishBytes(id);
    const { job: first } = (await api.ok(anna, SUBMIT, { id })).submitContentForProcessing;
    const uuid = uuidOf(id);
    await api.rows("update transcode_jobs set status = 'COMPLETE' where content_id = $1", [uuid]);
    await api.rows("update contents set status = 'PUBLISHED', published_at = now() where id = $1", [uuid]);
    const again = (await api.ok(anna, SUBMIT, { id })).submitContentForProcessing;
    assert.deepEqual([again.content.status, again.job.status], ['PUBLISHED', 'QUEUED']);
    assert.notEqual(again.job.id, first.id);
    assert.deepEqual((await api.ok(anna, SUBMIT, { id })).submitContentForProcessing, again, 'while it waits');
    const refused = await api.refused(anna, SUBMIT, { id, input: { again: false } });
    assert.deepEqual([refused.code, refused.field], ['INVALID_INPUT', 'id']);
  });

  it('refuses an upload of neither or both of video and image, and a video for a published content', async () => {
    const id = await api.content(anna, { status: 'PUBLISHED' });
    const cases: [Record<string, unknown>, string, string][] = [
      [{}, 'FIELD_REQUIRED', 'input.video'],
      [{ video: { hint: 'EQUIRECTANGULAR' }, image: { hint: 'POSTER' } }, 'INVALID_INPUT', 'input.image'],
      [{ video: { hint: 'EQUIRECTANGULAR' } }, 'INVALID_INPUT', 'id'],
    ];
    for (const [media, code, field] of cases) {
      const error = await api.refused(anna, ASSET, { id, input: { filename: 'a', size: 5, ...media } });
      assert.deepEqual([error.code, error.field], [code, field]);
    }
    await api.ok(anna, ASSET, { id, input: { filename: 'a.png', size: 5, image: { hint: 'POSTER', alt: 'A hill' } } });
  });

  it('returns the state when the wait times out, and an error when nothing was submitted', async () => {
    const draft = await api.content(anna, { status: 'DRAFT' });
    assert.deepEqual((await api.ok(anna, WAIT, { input: { contentId: draft, timeoutSeconds: 0 } })).waitForProcessing, {
      status: 'NONE',
      error: null,
      hint:
        'Nothing was submitted. Upload a video with createContentAsset, then call submitContentForProcessing; ' +
        'publishVideo does both for a new content.',
      job: null,
      content: { id: draft },
    });
    const series = 'mutation { createSeries(input: { title: "Tides" }) { content { id } } }';
    const contentId = (await api.ok(anna, series)).createSeries.content.id;
    assert.equal(
      (await api.ok(anna, WAIT, { input: { contentId } })).waitForProcessing.hint,
      'This contains seasons and has no video of its own. Use the id of an episode in one of its seasons; ' +
        'createEpisode creates one.',
    );
    const { content, job } = (await api.ok(anna, PUBLISH_VIDEO, { input: { title: 'Waited for', ...upload } }))
      .publishVideo;
    assert.deepEqual(
      (await api.ok(anna, WAIT, { input: { contentId: content.id, timeoutSeconds: 0 } })).waitForProcessing,
      {
        status: 'IDLE',
        error: null,
        hint: 'The file has not arrived completely. Send it to the endpoint of its upload, as its curlCommand does.',
        job: { id: job.id },
        content: { id: content.id },
      },
    );
    const error = await api.refused(anna, WAIT, { input: { contentId: content.id, timeoutSeconds: 301 } });
    assert.deepEqual([error.code, error.field], ['INVALID_INPUT', 'input.timeoutSeconds']);
  });

  describe('with event consumers', () => {
    before(() => api.platform.events.start());
    after(() => api.platform.events.stop());

    async function processed(input: Record<string, unknown>): Promise<string> {
      const { content } = (await api.ok(anna, PUBLISH_VIDEO, { input: { title: 'Video', ...upload, ...input } }))
        .publishVideo;
      await finishBytes(content.id);
      await api.ok(anna, FINALIZE, { input: { contentId: content.id } });
      await finishProcessing(api, anna.channelId, content.id);
      return content.id;
    }

    it('publishes when the video is ready, before waitForProcessing responds', async () => {
      const id = await processed({});
      const { status } = (await api.ok(anna, WAIT, { input: { contentId: id, timeoutSeconds: 10 } })).waitForProcessing;
      assert.deepEqual([status, (await contentRow(id)).status], ['COMPLETE', 'PUBLISHED']);
    });

    it('leaves it ready without a requested publication, and scheduled with a future release date', async () => {
      const kept = await processed({ publish: false });
      const releaseDate = new Date(api.clock.now() + 3_600_000).toISOString();
      const planned = await processed({ releaseDate });
      const published = await processed({});
      await until(async () => (await contentRow(published)).status === 'PUBLISHED');
      assert.deepEqual(await contentRow(kept), { status: 'READY', publish_when_ready: false, release_at: null });
      assert.deepEqual(await contentRow(planned), {
        status: 'READY',
        publish_when_ready: false,
        release_at: releaseDate,
      });

      const schedule = releaseSchedule({ db: api.platform.db, clock: api.clock, log: api.platform.log }, 20);
      schedule.start();
      try {
        const before = api.platform.db.statistics.statements;
        await until(() => api.platform.db.statistics.statements >= before + 2, 'the schedule looks');
        assert.equal((await contentRow(planned)).status, 'READY');
        api.clock.advance(3_600_000);
        await until(async () => (await contentRow(planned)).status === 'PUBLISHED');
      } finally {
        await schedule.stop();
      }
    });
  });
});
