import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createSeedData } from '../../../testing/seed-data.ts';
import { tablesChanged } from '../../../testing/tables-changed.ts';
import { failTranscodeJob } from '../../transcode/jobs/transcode-jobs.store.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../testing.ts';

const UPMIX = 'mutation ($id: DID!, $input: UpmixContentInput) { upmixContent(id: $id, input: $input) { job { id } } }';
const UPSCALE =
  'mutation ($id: DID!, $input: UpscaleContentInput) { upscaleContent(id: $id, input: $input) { job { id } } }';
const TRANSCRIBE = 'mutation ($id: DID!) { transcribeContent(id: $id) { job { id } } }';
const TRANSLATE = 'mutation ($id: DID!) { translateCaptions(id: $id, input: { from: "en", to: "de" }) { job { id } } }';
const SUBMIT =
  'mutation ($id: DID!) { submitContentForProcessing(id: $id, input: { enhance: true }) { content { id } } }';
const CANCEL = 'mutation ($id: DID!) { cancelJob(id: $id) { job { status } } }';
const ESTIMATES =
  'query ($id: DID!) { estimateUpmix(id: $id) { credits } estimateUpscale(id: $id) { credits } ' +
  'estimateTranscription(id: $id) { credits } ' +
  'estimateTranslation(id: $id, input: { from: "en", to: "de" }) { credits } ' +
  'estimate(input: { durationMs: 600000, width: 1280, height: 720 }) { credits } }';
const GENERATION = '{ me { credits { generation { balance spent limit resetsAt } } } }';

describe('credits', () => {
  let api: TestCatalog;
  let anna: Person;
  /** A processed video of one minute in 720p. */
  let content: string;
  let created = 0;
  before(async () => {
    api = await openTestCatalog({
      jobs: true,
      env: {
        ...{ SPEECH: 'whisper-cpp', WHISPER_CPP_MODEL: '/models/ggml-base.bin' },
        ...{ TRANSLATION: 'openai', TRANSLATION_URL: 'http://127.0.0.1:9/v1', TRANSLATION_MODEL: 'example' },
      },
    });
  });
  after(() => api.close());
  beforeEach(async () => {
    created += 1;
    anna = await api.person(`anna${created}`);
    content = await createSeedData(api, anna).processed();
  });

  const now = () => new Date(api.clock.now()).toISOString();
  const generation = async (who = anna) => (await api.ok(who, GENERATION)).me.credits.generation;
  const order = async (operation: string, input: object = {}): Promise<string> =>
    (Object.values(await api.ok(anna, operation, { id: content, input }))[0] as { job: { id: string } }).job.id;
  /** As enhancements of other videos in this month. */
  const take = (credits: number) =>
    api.rows(
      `insert into generation_charges (job_id, account_id, month, credits)
       values (gen_random_uuid(), $1, date_trunc('month', $2::timestamptz at time zone 'UTC'), $3)`,
      [anna.accountId, now(), credits],
    );

  it('are taken when an enhancement is ordered, as the estimate said, and once', async () => {
    const estimates = await api.ok(anna, ESTIMATES, { id: content });
    assert.deepEqual(estimates, {
      ...{ estimateUpmix: { credits: 1 }, estimateUpscale: { credits: 8 }, estimateTranscription: { credits: 1 } },
      ...{ estimateTranslation: { credits: 1 }, estimate: { credits: 0 } },
    });
    const today = new Date(api.clock.now());
    const resetsAt = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 1)).toISOString();
    assert.deepEqual(await generation(), { balance: 30_000, spent: 0, limit: 30_000, resetsAt });
    for (const [operation, spent] of [
      [UPMIX, 1],
      [UPMIX, 1],
      [UPSCALE, 9],
      [TRANSCRIBE, 10],
      [TRANSLATE, 11],
    ] as const) {
      await order(operation);
      assert.deepEqual(await generation(), { balance: 30_000 - spent, spent, limit: 30_000, resetsAt });
    }
  });

  it('are those of the month and of the owner of the channel', async () => {
    const bert = await api.person(`bert${created}`);
    await api.join(anna.channel, bert, 'EDITOR');
    await api.ok(bert, UPMIX, { id: content });
    assert.deepEqual([(await generation()).spent, (await generation(bert)).spent], [1, 0]);
    api.clock.advance(32 * 86_400_000);
    assert.equal((await generation()).balance, 30_000);
    api.clock.advance(-32 * 86_400_000);
  });

  for (const [name, end] of [
    ['is cancelled', (job: string) => api.ok(anna, CANCEL, { id: job })],
    [
      'fails',
      (job: string) =>
        failTranscodeJob(api.platform.db, uuidOf(job), null, { code: 'TRANSCODE_FAILED', text: 'No.' }, now()),
    ],
    ['is replaced by another', () => order(UPSCALE, { target: 2160 })],
  ] as const)
    it(`are returned when a job ${name}`, async () => {
      const job = await order(UPSCALE);
      await order(TRANSCRIBE);
      assert.equal((await generation()).spent, 9);
      await end(job);
      assert.equal((await generation()).spent, name === 'is replaced by another' ? 17 : 1);
    });
  it('stay with a job that is complete when its result is removed or its content deleted', async () => {
    const job = await order(UPMIX);
    await api.rows("update transcode_jobs set status = 'COMPLETE' where id = $1", [uuidOf(job)]);
    await api.ok(anna, 'mutation ($id: DID!) { removeUpmix(id: $id) { content { id } } }', { id: content });
    await api.rows('delete from contents where id = $1', [uuidOf(content)]);
    assert.equal((await generation()).spent, 1);
  });

  it('refuse what takes more than are left, and nothing changes', async () => {
    await take(29_997);
    const changed = await tablesChanged(api.platform.db, async () => {
      const error = await api.refused(anna, UPSCALE, { id: content });
      assert.deepEqual([error.code, error.field], ['INVALID_INPUT', 'id']);
      assert.match(error.message, /^This takes 8 credits, but 3 of the 30000 credits per month in the Creator\+ plan/);
      assert.match(error.suggestedFix, /^Order it from \d{4}-\d{2}-01 on.*me\.credits/);
    });
    assert.deepEqual(changed, []);
    await take(3);
    for (const operation of [UPMIX, TRANSCRIBE, TRANSLATE]) {
      const refused = await tablesChanged(api.platform.db, async () => {
        assert.match(
          (await api.refused(anna, operation, { id: content })).message,
          /^This takes 1 credit, but 0 of the/,
        );
      });
      assert.deepEqual(refused, []);
    }
  });

  it('hold under concurrent orders', async () => {
    await take(29_998);
    const others = await Promise.all([1, 2, 3].map(() => createSeedData(api, anna).processed()));
    const answers = await Promise.all([content, ...others].map((id) => api.run(anna, UPMIX, { id })));
    assert.equal(answers.filter(({ errors }) => errors.length === 0).length, 2);
    assert.equal((await generation()).balance, 0);
  });

  it('that end midway leave out what does not fit where everything is to be enhanced', async () => {
    await take(29_995);
    await api.rows("update video_assets set package_prefix = 'media/a/b/c-1/' where content_id = $1", [
      uuidOf(content),
    ]);
    await api.rows(
      `insert into transcode_jobs (id, channel_id, content_id, video_asset_id, status)
       select gen_random_uuid(), channel_id, content_id, id, 'COMPLETE' from video_assets where content_id = $1`,
      [uuidOf(content)],
    );
    await api.ok(anna, SUBMIT, { id: content });
    const made = await api.rows(
      `select e.kind from enhancements e join video_assets v on v.id = e.video_asset_id where v.content_id = $1`,
      [uuidOf(content)],
    );
    assert.deepEqual(made, [{ kind: 'UPMIX' }]);
    assert.equal((await generation()).balance, 4);
  });
});
