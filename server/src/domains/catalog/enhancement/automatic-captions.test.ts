import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { FeatureName } from '../../../kernel/features.ts';
import { isSpeechEngineInstalled } from '../../../media/index.ts';
import { createSeedData } from '../../../testing/seed-data.ts';
import { tablesChanged } from '../../../testing/tables-changed.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../testing.ts';

const TRANSCRIBE =
  'mutation ($id: DID!, $input: TranscribeContentInput) { transcribeContent(id: $id, input: $input) ' +
  '{ job { id status progress } } }';
const ESTIMATE = 'query ($id: DID!) { estimateTranscription(id: $id) { cpuMs sizeBytes readyInMs } }';
const TRANSLATE =
  'mutation ($id: DID!, $input: TranslateCaptionsInput!) { translateCaptions(id: $id, input: $input) { job ' +
  '{ id status } } }';
const ESTIMATE_TRANSLATION =
  'query ($id: DID!, $input: TranslateCaptionsInput!) { estimateTranslation(id: $id, input: $input) ' +
  '{ cpuMs sizeBytes readyInMs } }';
const SET_UP = '{ automaticCaptions { speech translation } }';
const JOBS =
  'query ($id: DID!) { content(id: $id) { captionsJobs { jobId kind status progress error requestedLanguage language ' +
  'captionsId model words cues decision } captions { totalCount edges { node { id label language isAutomatic } } } } }';
const UPDATE =
  'mutation ($id: DID!, $input: UpdateContentCaptionsInput!) { updateContentCaptions(id: $id, input: $input) ' +
  '{ captions { label isAutomatic } } }';
const SRT = '1\n00:00:01,000 --> 00:00:02,000\nHello\n';

describe('captions from speech, where they are set up', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  let content: string;
  let switchedOff: FeatureName[] = [];
  before(async () => {
    api = await openTestCatalog({
      jobs: true,
      switchedOff: () => switchedOff,
      env: {
        ...{ SPEECH: 'whisper-cpp', WHISPER_CPP_MODEL: '/models/ggml-base.bin' },
        ...{ TRANSLATION: 'openai', TRANSLATION_URL: 'http://127.0.0.1:9/v1', TRANSLATION_MODEL: 'example' },
      },
    });
    [anna, bert] = [await api.person('anna'), await api.person('bert')];
    content = await createSeedData(api, anna).processed();
  });
  after(() => api.close());

  const transcribe = (input: object = {}) => api.ok(anna, TRANSCRIBE, { id: content, input });
  /** Captions that a program has made. */
  async function automatic(label: string): Promise<string> {
    const { id } = await api.row<{ id: string }>(
      `insert into captions (id, channel_id, content_id, language, label, kind, vtt, automatic, spoken_in, created_at,
         updated_at)
       select gen_random_uuid(), c.channel_id, c.id, 'en', $2, 'SUBTITLES', 'WEBVTT', 'SPEECH', v.id, now(), now()
       from contents c join video_assets v on v.content_id = c.id where c.id = $1 returning id`,
      [uuidOf(content), label],
    );
    return `did:reelgraph:asset/captions/${id}`;
  }

  it('are refused while operators have them switched off, and nothing changes', async () => {
    switchedOff = ['AUTOMATIC_CAPTIONS'];
    assert.deepEqual(await api.ok(anna, SET_UP), { automaticCaptions: { speech: false, translation: false } });
    const changed = await tablesChanged(api.platform.db, async () => {
      for (const [call, input] of [
        [TRANSCRIBE, {}],
        [TRANSLATE, { from: 'en', to: 'de' }],
      ] as const) {
        const { code, message } = await api.refused(anna, call, { id: content, input });
        assert.deepEqual([code, message], ['UNAUTHORIZED', 'Automatic captions are switched off on this server.']);
      }
    });
    assert.deepEqual(changed, []);
    switchedOff = [];
  });

  it('are a job, with what it takes, its time left and an end', async () => {
    assert.deepEqual(await api.ok(anna, SET_UP), { automaticCaptions: { speech: true, translation: true } });
    const { estimateTranscription } = await api.ok(anna, ESTIMATE, { id: content });
    // A minute of sound, on a server that has measured nothing yet.
    assert.deepEqual(estimateTranscription, { cpuMs: 60_000, sizeBytes: 1500, readyInMs: 60_000 });
    const { job } = (await transcribe({ language: 'pt-br' })).transcribeContent;
    assert.deepEqual([job.status, job.progress], ['QUEUED', 0]);
    assert.equal((await transcribe({ language: 'pt-BR' })).transcribeContent.job.id, job.id);
    const [listed] = (await api.ok(anna, JOBS, { id: content })).content.captionsJobs;
    assert.deepEqual(listed, {
      ...{ jobId: job.id, kind: 'SPEECH', status: 'QUEUED', progress: 0, error: null, requestedLanguage: 'pt-BR' },
      ...{ language: null, captionsId: null, model: null, words: null, cues: null, decision: null },
    });
    assert.deepEqual((await api.ok(anna, ESTIMATE, { id: content })).estimateTranscription.cpuMs, 60_000);
    await api.rows(
      `update transcode_jobs set status = 'TRANSCODING', progress = 25, started_at = now() - interval '20 seconds'
       where id = $1`,
      [uuidOf(job.id)],
    );
    const left = 'query ($id: DID!) { job(id: $id) { remainingMs } }';
    const { remainingMs } = (await api.ok(anna, left, { id: job.id })).job;
    assert.ok(remainingMs >= 60_000 && remainingMs <= 70_000, `${remainingMs}`);
    const cancel = 'mutation ($id: DID!) { cancelJob(id: $id) { job { status } } }';
    assert.equal((await api.ok(anna, cancel, { id: job.id })).cancelJob.job.status, 'CANCELLING');
    await api.rows("update transcode_jobs set status = 'CANCELLED' where id = $1", [uuidOf(job.id)]);
    assert.notEqual((await transcribe({ language: 'pt-BR' })).transcribeContent.job.id, job.id);
  });

  it('are marked as automatic until their text is edited', async () => {
    const id = await automatic('English');
    const changed = await api.ok(anna, UPDATE, { id, input: { isDefault: true } });
    assert.deepEqual(changed.updateContentCaptions.captions, { label: 'English (auto-generated)', isAutomatic: true });
    const listed = (await api.ok(anna, JOBS, { id: content })).content.captions.edges;
    assert.deepEqual(listed.slice(1), [
      { node: { id, label: 'English (auto-generated)', language: 'en', isAutomatic: true } },
    ]);
    const edited = await api.ok(anna, UPDATE, { id, input: { text: SRT } });
    assert.deepEqual(edited.updateContentCaptions.captions, { label: 'English', isAutomatic: false });
    assert.deepEqual(await api.row('select automatic, spoken_in from captions where id = $1', [uuidOf(id)]), {
      ...{ automatic: null, spoken_in: null },
    });
  });

  it('are translated, once', async () => {
    const input = { from: 'en', to: 'pt-br' };
    const { estimateTranslation } = await api.ok(anna, ESTIMATE_TRANSLATION, { id: content, input });
    assert.deepEqual(estimateTranslation, { cpuMs: 0, sizeBytes: 45, readyInMs: 250 });
    const { job } = (await api.ok(anna, TRANSLATE, { id: content, input })).translateCaptions;
    assert.equal(job.status, 'QUEUED');
    const same = await api.ok(anna, TRANSLATE, { id: content, input: { from: 'en', to: 'pt-BR' } });
    assert.equal(same.translateCaptions.job.id, job.id);
    const [listed] = (await api.ok(anna, JOBS, { id: content })).content.captionsJobs;
    assert.deepEqual([listed.jobId, listed.kind, listed.requestedLanguage], [job.id, 'TRANSLATION', 'pt-BR']);
  });

  it('do not count for the limit of captions that people add, and are not shown by default', async () => {
    const other = await createSeedData(api, anna).processed();
    await api.rows(
      `insert into captions (id, channel_id, content_id, language, label, kind, vtt, automatic, created_at, updated_at)
       select gen_random_uuid(), channel_id, id, 'en', 'English', 'SUBTITLES', 'WEBVTT', 'TRANSLATION', now(), now()
       from contents, generate_series(1, 50) where id = $1`,
      [uuidOf(other)],
    );
    const create =
      'mutation ($id: DID!, $input: CreateContentCaptionsInput!) { createContentCaptions(id: $id, input: $input) ' +
      '{ captions { label isAutomatic } } }';
    const { captions } = (await api.ok(anna, create, { id: other, input: { language: 'en', text: SRT } }))
      .createContentCaptions;
    assert.deepEqual(captions, { label: 'English', isAutomatic: false });
  });

  it('are refused for unknown languages, other channels and kinds without video, and nothing changes', async () => {
    const series = await api.content(anna, { kind: 'SERIES' });
    const empty = await api.content(anna);
    const refusals: string[] = [];
    const changed = await tablesChanged(api.platform.db, async () => {
      for (const [who, id, input] of [
        [anna, content, { language: 'tlh' }],
        [anna, content, { language: 'in English' }],
        [bert, content, {}],
        [anna, series, {}],
        [anna, empty, {}],
      ] as const) {
        const { code, field } = await api.refused(who, TRANSCRIBE, { id, input });
        refusals.push(`${code} ${field}`);
      }
      for (const [who, input] of [
        [anna, { from: 'fr', to: 'de' }],
        [anna, { from: 'en', to: 'EN' }],
        [anna, { from: 'en', to: 'x' }],
        [bert, { from: 'en', to: 'de' }],
      ] as const) {
        const { code, field } = await api.refused(who, TRANSLATE, { id: content, input });
        refusals.push(`${code} ${field}`);
      }
    });
    assert.deepEqual(refusals, [
      ...['INVALID_INPUT input.language', 'INVALID_INPUT input.language', 'RESOURCE_NOT_FOUND id'],
      ...['INVALID_INPUT id', 'INVALID_INPUT id', 'INVALID_INPUT input.from', 'INVALID_INPUT input.to'],
      ...['INVALID_INPUT input.to', 'RESOURCE_NOT_FOUND id'],
    ]);
    assert.deepEqual(changed, []);
    assert.deepEqual((await api.ok(anna, JOBS, { id: empty })).content.captionsJobs, []);
  });
});

describe('captions from speech, where nothing is set up', () => {
  const SETUP = '{ automaticCaptions { speech speechSetup } }';
  const INSTALL =
    'The operator of this server can install a speech model with npm run admin -- install-speech-model small.';
  const engine = isSpeechEngineInstalled() ? false : 'whisper.cpp is not installed: npm install --include=optional';

  it('are refused with what the operator can do, and nothing changes', { skip: engine }, async () => {
    const api = await openTestCatalog({ jobs: true });
    const anna = await api.person('anna');
    const id = await createSeedData(api, anna).processed();
    assert.deepEqual(await api.ok(anna, SET_UP), { automaticCaptions: { speech: false, translation: false } });
    assert.deepEqual(await api.ok(anna, SETUP), { automaticCaptions: { speech: false, speechSetup: INSTALL } });
    const changed = await tablesChanged(api.platform.db, async () => {
      for (const operation of [TRANSCRIBE, ESTIMATE]) {
        const { code, message, suggestedFix } = await api.refused(anna, operation, { id });
        // Not SERVICE_UNAVAILABLE, which clients repeat.
        assert.deepEqual([code, message], ['INVALID_INPUT', 'Captions from speech are not set up on this server.']);
        assert.equal(suggestedFix, `Write captions with createContentCaptions. ${INSTALL}`);
      }
      for (const operation of [TRANSLATE, ESTIMATE_TRANSLATION]) {
        const { code, message } = await api.refused(anna, operation, { id, input: { from: 'en', to: 'de' } });
        assert.deepEqual([code, message], ['INVALID_INPUT', 'Translation of captions is not set up on this server.']);
      }
    });
    assert.deepEqual(changed, []);
    await installTestModel(api.platform.config.DATA_DIR);
    assert.deepEqual(await api.ok(anna, SETUP), { automaticCaptions: { speech: true, speechSetup: null } });
    assert.equal((await api.ok(anna, TRANSCRIBE, { id })).transcribeContent.job.status, 'QUEUED');
    await api.close();
  });

  it('are refused where they are off, though a model is installed', async () => {
    const api = await openTestCatalog({ jobs: true, env: { SPEECH: 'off' } });
    const anna = await api.person('anna');
    const id = await createSeedData(api, anna).processed();
    await installTestModel(api.platform.config.DATA_DIR);
    assert.deepEqual(await api.ok(anna, SETUP), { automaticCaptions: { speech: false, speechSetup: null } });
    const { suggestedFix } = await api.refused(anna, TRANSCRIBE, { id });
    assert.equal(
      suggestedFix,
      'Write captions with createContentCaptions. The operator of this server can switch captions from speech on ' +
        'with SPEECH=auto.',
    );
    await api.close();
  });
});

/** Only workers read it. */
async function installTestModel(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'models/speech');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'ggml-example.bin'), '');
}
