import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { until } from '../../../testing/until.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../testing.ts';
import { finishProcessing, finishUpload } from './finished-video.fixture.ts';
import { contentRow, jobsSent, PUBLISH_VIDEO } from './publish-video.fixture.ts';
import { releaseSchedule } from './release-schedule.ts';

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

describe('finishing the upload of a video, and waiting for it', () => {
  let api: TestCatalog;
  let anna: Person;
  before(async () => {
    api = await openTestCatalog({ jobs: true });
    anna = await api.person('anna');
  });
  after(() => api?.close());

  const upload = { filename: 'a.mp4', size: 5 };

  it('reports how many bytes are missing when finalized too early', async () => {
    const { content } = (
      await api.ok(anna, PUBLISH_VIDEO, { input: { title: 'Early', filename: 'a.mp4', size: 1_000 } })
    ).publishVideo;
    await api.rows('update ingestions set received_bytes = 400 where content_id = $1', [uuidOf(content.id)]);
    const error = await api.refused(anna, FINALIZE, { input: { contentId: content.id } });
    assert.deepEqual([error.code, error.field], ['INVALID_INPUT', 'input.contentId']);
    assert.match(error.message, /400 of 1000 bytes .* 600 are missing/);
    assert.equal((await api.refused(anna, SUBMIT, { id: content.id })).code, 'INVALID_INPUT');
    assert.equal((await contentRow(api, content.id)).status, 'DRAFT');
  });

  it('starts one job when the upload is finalized or submitted repeatedly', async () => {
    const { content, job } = (await api.ok(anna, PUBLISH_VIDEO, { input: { title: 'Once', ...upload } })).publishVideo;
    await finishUpload(api, content.id);
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
      (await jobsSent(api, 'process-video')).filter(({ data }) => data.payload.jobId === uuidOf(job.id)).length,
      1,
    );
    assert.equal((await contentRow(api, content.id)).publish_when_ready, true);
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
      await finishUpload(api, content.id);
      await api.ok(anna, FINALIZE, { input: { contentId: content.id, ...input } });
      const { publish_when_ready, release_at } = await contentRow(api, content.id);
      assert.deepEqual([publish_when_ready, release_at], [publish, date], JSON.stringify(input));
    }
  });

  it('keeps the date of an import when it is finalized to stay a draft', async () => {
    const { content } = (await api.ok(anna, PUBLISH_VIDEO, { input: { title: 'Old', ...upload } })).publishVideo;
    await api.rows('update contents set release_at = $2 where id = $1', [uuidOf(content.id), '2023-05-06T07:08:09Z']);
    await finishUpload(api, content.id);
    await api.ok(anna, FINALIZE, { input: { contentId: content.id, publish: false } });
    assert.deepEqual(await contentRow(api, content.id), {
      ...{ status: 'PROCESSING', publish_when_ready: false, release_at: '2023-05-06T07:08:09.000Z' },
    });
  });

  it('publishes immediately when the finalized content is already processed', async () => {
    const { content } = (await api.ok(anna, PUBLISH_VIDEO, { input: { title: 'Late', ...upload, publish: false } }))
      .publishVideo;
    await finishUpload(api, content.id);
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
    await finishUpload(api, id);
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
    await finishUpload(api, id);
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
      await finishUpload(api, content.id);
      await api.ok(anna, FINALIZE, { input: { contentId: content.id } });
      await finishProcessing(api, anna.channelId, content.id);
      return content.id;
    }

    it('publishes when the video is ready, before waitForProcessing responds', async () => {
      const id = await processed({});
      const { status } = (await api.ok(anna, WAIT, { input: { contentId: id, timeoutSeconds: 10 } })).waitForProcessing;
      assert.deepEqual([status, (await contentRow(api, id)).status], ['COMPLETE', 'PUBLISHED']);
    });

    it('leaves it ready without a requested publication, and scheduled with a future release date', async () => {
      const kept = await processed({ publish: false });
      const releaseDate = new Date(api.clock.now() + 3_600_000).toISOString();
      const planned = await processed({ releaseDate });
      const published = await processed({});
      await until(async () => (await contentRow(api, published)).status === 'PUBLISHED');
      assert.deepEqual(await contentRow(api, kept), { status: 'READY', publish_when_ready: false, release_at: null });
      assert.deepEqual(await contentRow(api, planned), {
        status: 'READY',
        publish_when_ready: false,
        release_at: releaseDate,
      });

      const schedule = releaseSchedule({ db: api.platform.db, clock: api.clock, log: api.platform.log }, 20);
      schedule.start();
      try {
        const before = api.platform.db.statistics.statements;
        await until(() => api.platform.db.statistics.statements >= before + 2, 'the schedule looks');
        assert.equal((await contentRow(api, planned)).status, 'READY');
        api.clock.advance(3_600_000);
        await until(async () => (await contentRow(api, planned)).status === 'PUBLISHED');
      } finally {
        await schedule.stop();
      }
    });
  });
});
