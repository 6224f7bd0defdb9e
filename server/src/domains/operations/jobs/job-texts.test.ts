import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { AppError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { type Text, t } from '../../../kernel/languages/message.ts';
import { createSeedData, type SeedData } from '../../../testing/seed-data.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { markEnded } from '../../ingest/uploads/ingestions.store.ts';
import { failDataExport } from '../../integrations/exports/export-data.handler.ts';
import { failPublication } from '../../publishing/publications/end-publication.ts';
import { failProcessing } from '../../transcode/plans/fail-processing.ts';
import { operatorOf } from '../testing.ts';

const ENGLISH = 'The video is 13 h long; the limit is 12 h. Cut the video into parts and upload them separately.';
const GERMAN = 'Das Video ist 13 h lang; das Limit beträgt 12 h. Teile das Video auf und lade die Teile einzeln hoch.';
const tooLong = () =>
  new AppError('TRANSCODE_FAILED', t`The video is ${'13 h'} long; the limit is ${'12 h'}.`, {
    suggestedFix: t`Cut the video into parts and upload them separately.`,
  });
const ERRORS = `query ($content: DID!, $job: DID!) {
  content(id: $content) { transcodeJob { error } } job(id: $job) { error }
  channelDashboard { recentContent { transcodeJob { error } } } }`;
const WAIT = 'mutation ($id: DID!) { waitForProcessing(input: { contentId: $id, timeoutSeconds: 0 }) { error hint } }';
const RECEIPTS = `query ($id: DID!) { content(id: $id) { assets { videos { edges { node {
  upscale { error decision } upmix { error decision } } } } } captionsJobs { error decision } } }`;

describe('texts about jobs', () => {
  let api: TestCatalog;
  let anna: Person;
  let german: Person;
  let data: SeedData;
  before(async () => {
    api = await openTestCatalog({ jobs: true });
    anna = await api.person('anna');
    german = { ...anna, language: 'de' };
    data = createSeedData(api, anna);
  });
  after(async () => {
    await api.platform.jobs.stop({ graceMs: 0 });
    await api.close();
  });

  const errorOf = (table: string, id: string) =>
    api.row<object>(
      `select error_code as code, error_message as message, error_text as text from ${table} where id = $1`,
      [id],
    );

  /** Everything that tells why the job failed. */
  async function reasons(who: Person, job: string): Promise<Set<string>> {
    const { id } = await api.row<{ id: string }>('select content_id as id from transcode_jobs where id = $1', [
      uuidOf(job),
    ]);
    const content = `did:reelgraph:content/feature/${id}`;
    const found = await api.ok(who, ERRORS, { content, job });
    const { waitForProcessing } = await api.ok(who, WAIT, { id: content });
    const [recent] = found.channelDashboard.recentContent;
    return new Set([
      ...[found.content.transcodeJob.error, found.job.error, recent.transcodeJob.error],
      waitForProcessing.error,
    ]);
  }

  it('tell in the language of the reader why a video could not be processed', async () => {
    const job = await data.job();
    await failProcessing(api.platform, uuidOf(job), null, tooLong());
    assert.deepEqual(await reasons(german, job), new Set([GERMAN]));
    assert.deepEqual(await reasons(anna, job), new Set([ENGLISH]), 'programs ask for no language');
    assert.deepEqual(await errorOf('transcode_jobs', uuidOf(job)), {
      ...{ code: 'TRANSCODE_FAILED', message: ENGLISH },
      text: {
        key: '{0} {1}',
        values: [
          { key: 'The video is {0} long; the limit is {1}.', values: ['13 h', '12 h'] },
          { key: 'Cut the video into parts and upload them separately.', values: [] },
        ],
      },
    });
    const olga = { ...(await operatorOf(api, 'olga')), language: 'de' as const };
    const { edges } = (await api.ok(olga, '{ serverJobs(first: 1) { edges { node { error } } } }')).serverJobs;
    assert.deepEqual(edges, [{ node: { error: GERMAN } }]);
  });

  it('are as they were stored by earlier versions, or translated where they are a message without values', async () => {
    for (const [stored, inGerman] of [
      [ENGLISH, ENGLISH],
      ['The file is text, not audio or video.', 'Die Datei ist Text, kein Audio oder Video.'],
    ] as const) {
      const job = await data.job();
      await api.rows("update transcode_jobs set status = 'ERROR', error_message = $2 where id = $1", [
        uuidOf(job),
        stored,
      ]);
      assert.deepEqual(await reasons(german, job), new Set([inGerman]));
      assert.deepEqual(await reasons(anna, job), new Set([stored]));
    }
  });

  it('are not stored without the English text', async () => {
    const job = uuidOf(await data.job());
    const set = `update transcode_jobs set error_text = '{"key": "No.", "values": []}' where id = $1`;
    await assert.rejects(api.rows(set, [job]), /transcode_jobs_error_text/);
    assert.deepEqual(await errorOf('transcode_jobs', job), { code: null, message: null, text: null });
  });

  it('tell why uploads, exports and publications failed', async () => {
    const upload = newId();
    await api.rows(
      `insert into ingestions (id, channel_id, content_id, media_kind, hint, filename, filetype, asset_name, size_bytes,
         object_key, expires_at)
       values ($1, $2, $3, 'VIDEO', 'LANDSCAPE_VIDEO', 'a.mp4', 'video/mp4', 'a', 5, 'a', now() + interval '1 day')`,
      [upload, anna.channelId, uuidOf(await data.content())],
    );
    const now = new Date(api.clock.now()).toISOString();
    const error = { state: 'FAILED' as const, code: 'UPLOAD_FAILED', text: tooLong().text };
    assert.equal(await markEnded(api.platform.db, upload, error, now), true);
    const dataExport = await data.dataExport(anna);
    await failDataExport(api.platform, uuidOf(dataExport), tooLong());
    const publication = await data.publication();
    await api.rows("update youtube_publish_jobs set status = 'PROCESSING' where id = $1", [uuidOf(publication)]);
    await failPublication(api.platform, uuidOf(publication), { phase: 'PROCESSING' }, tooLong());
    const query = `query ($dataExport: DID!, $publication: DID!) {
      me { ingestions(first: 1) { edges { node { error } } } } dataExport(id: $dataExport) { error }
      youtubePublishJob(id: $publication) { error } }`;
    const read = async (who: Person) => {
      const found = await api.ok(who, query, { dataExport, publication });
      return [found.me.ingestions.edges[0].node.error, ...[found.dataExport.error, found.youtubePublishJob.error]];
    };
    assert.deepEqual(await read(german), ['Das Video ist 13 h lang; das Limit beträgt 12 h.', GERMAN, GERMAN]);
    assert.deepEqual(await read(anna), ['The video is 13 h long; the limit is 12 h.', ENGLISH, ENGLISH]);
    const rows = await api.rows<object>('select payload from events order by id desc limit 2');
    assert.deepEqual(
      rows.map(({ payload }: { payload?: { message?: string } }) => payload?.message),
      [ENGLISH, 'The video is 13 h long; the limit is 12 h.'],
      'events are for programs',
    );
  });

  it('tell what is missing before a video is processed', async () => {
    const draft = await api.content(anna, { status: 'DRAFT' });
    const { waitForProcessing } = await api.ok(german, WAIT, { id: draft });
    assert.equal(waitForProcessing.error, null);
    assert.match(waitForProcessing.hint, /^Es wurde nichts eingereicht\. Lade mit createContentAsset ein Video hoch/);
  });

  it('tell what enhancements and captions did, also those that have stored it in English', async () => {
    const content = await data.processed();
    const video = await api.row<{ id: string }>('select id from video_assets where content_id = $1', [uuidOf(content)]);
    const job = async (purpose: string): Promise<string> => {
      const id = newId();
      await api.rows(
        `insert into transcode_jobs (id, channel_id, content_id, video_asset_id, status, purpose, finished_at)
         values ($1, $2, $3, $4, 'COMPLETE', $5, now())`,
        [id, anna.channelId, uuidOf(content), video.id, purpose],
      );
      return id;
    };
    const enhanced = async (kind: string, input: object, decision: Text) =>
      api.rows('insert into enhancements (video_asset_id, job_id, kind, input, receipt) values ($1, $2, $3, $4, $5)', [
        ...[video.id, await job('ENHANCE'), kind, JSON.stringify(input), JSON.stringify({ decision })],
      ]);
    await enhanced(
      'UPSCALE',
      { target: 2160, model: 'a' },
      t`Scenes that are ${40} % of the video were enlarged with the
      model.`,
    );
    await enhanced('UPMIX', { layout: '5.1' }, 'Nothing was done, said a former version.');
    await api.rows(
      `insert into caption_jobs (job_id, content_id, kind, language, receipt) values ($1, $2, 'SPEECH', 'de', $3)`,
      [
        await job('CAPTIONS'),
        uuidOf(content),
        JSON.stringify({ decision: t`No speech was found, so there are no captions.` }),
      ],
    );
    const read = async (who: Person) => {
      const found = (await api.ok(who, RECEIPTS, { id: content })).content;
      const { upscale, upmix } = found.assets.videos.edges[0].node;
      return [upscale, upmix, ...found.captionsJobs].map(({ error, decision }) => [error, decision]);
    };
    assert.deepEqual(await read(german), [
      [null, 'Szenen, die 40 % des Videos ausmachen, wurden mit dem Modell vergrößert.'],
      [null, 'Nothing was done, said a former version.'],
      [null, 'Es wurde nichts Gesprochenes gefunden, daher gibt es keine Untertitel.'],
    ]);
    assert.deepEqual(await read(anna), [
      [null, 'Scenes that are 40 % of the video were enlarged with the model.'],
      [null, 'Nothing was done, said a former version.'],
      [null, 'No speech was found, so there are no captions.'],
    ]);
  });
});
