import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { FeatureName } from '../../../kernel/features.ts';
import { newId } from '../../../kernel/ids.ts';
import { PICTURE_PLAN, SOUND_PLAN } from '../../../testing/seed-plans.ts';
import { tablesChanged } from '../../../testing/tables-changed.ts';
import { until } from '../../../testing/until.ts';
import { dropOriginal } from '../../assets/originals/originals.store.ts';
import { finishProcessing, finishUpload } from '../publication/finished-video.fixture.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../testing.ts';

const PUBLISH = 'mutation ($input: PublishVideoInput!) { publishVideo(input: $input) { content { id } } }';
const FINALIZE =
  'mutation ($input: FinalizeContentUploadInput!) { finalizeContentUpload(input: $input) { content { id } } }';
const SUBMIT =
  'mutation ($id: DID!, $input: ProcessingInput) { ' +
  'submitContentForProcessing(id: $id, input: $input) { content { id } } }';
const UPLOAD = { title: 'Hills', filename: 'a.mp4', size: 5_000 };

describe('enhance', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  let switchedOff: FeatureName[] = [];
  before(async () => {
    api = await openTestCatalog({ jobs: true, switchedOff: () => switchedOff });
    [anna, bert] = [await api.person('anna'), await api.person('bert')];
    await api.rows("update subscriptions set plan = 'PREMIUM_PLUS' where account_id = $1", [bert.accountId]);
    await api.platform.events.start();
  });
  after(async () => {
    await api.platform.events.stop();
    await api.close();
  });

  const publish = async (who: Person, input: object = {}): Promise<string> =>
    (await api.ok(who, PUBLISH, { input: { ...UPLOAD, ...input } })).publishVideo.content.id;
  /** As processing leaves a video, with so many channels of sound. */
  async function process(did: string, channels = 2, encoded = SOUND_PLAN): Promise<void> {
    const plan = { ...encoded, facts: { ...encoded.facts, audio: { ...encoded.facts.audio, channels } } };
    await api.rows(
      `insert into encoded_videos (video_asset_id, plan, source_tag)
       select id, $2, 'example' from video_assets where content_id = $1`,
      [uuidOf(did), JSON.stringify(plan)],
    );
    await finishProcessing(api, anna.channelId, did);
  }
  const jobs = async (did: string) =>
    (
      await api.rows<{ job: string }>(
        `select concat_ws(' ', purpose, status) as job from transcode_jobs where content_id = $1
         order by created_at, id`,
        [uuidOf(did)],
      )
    ).map(({ job }) => job);
  const isWanted = async (did: string) =>
    (
      await api.row<{ wanted: boolean }>('select enhance_when_ready as wanted from contents where id = $1', [
        uuidOf(did),
      ])
    ).wanted;

  it('upmixes a video once it is processed', async () => {
    const id = await publish(anna, { enhance: true });
    await finishUpload(api, id);
    await api.ok(anna, FINALIZE, { input: { contentId: id } });
    assert.deepEqual([await isWanted(id), await jobs(id)], [true, ['PROCESS QUEUED']]);
    await process(id);
    await until(async () => !(await isWanted(id)));
    assert.deepEqual(await jobs(id), ['PROCESS COMPLETE', 'ENHANCE QUEUED']);
  });

  it('is refused while operators have enhancements switched off, also where it was requested before', async (t) => {
    t.after(() => {
      switchedOff = [];
    });
    const id = await publish(anna, { enhance: true });
    await finishUpload(api, id);
    await api.ok(anna, FINALIZE, { input: { contentId: id } });
    switchedOff = ['ENHANCEMENT'];
    const calls = [
      [PUBLISH, { input: { ...UPLOAD, enhance: true } }],
      [FINALIZE, { input: { contentId: id, enhance: true } }],
      [SUBMIT, { id, input: { enhance: true } }],
      ['mutation ($id: DID!) { upmixContent(id: $id) { job { status } } }', { id }],
      ['mutation ($id: DID!) { upscaleContent(id: $id) { job { status } } }', { id }],
    ] as const;
    const changed = await tablesChanged(api.platform.db, async () => {
      for (const [call, variables] of calls) {
        const { code, message } = await api.refused(anna, call, variables);
        assert.deepEqual([code, message], ['UNAUTHORIZED', 'Enhancements are switched off on this server.']);
      }
    });
    assert.deepEqual(changed, []);
    await process(id);
    await until(async () => !(await isWanted(id)));
    assert.deepEqual(await jobs(id), ['PROCESS COMPLETE']);
    await publish(anna, { enhance: false });
  });

  it('leaves a video as it is that cannot be enhanced, and one whose owner has thought better of it', async () => {
    const surround = await publish(anna, { enhance: true });
    await finishUpload(api, surround);
    await api.ok(anna, FINALIZE, { input: { contentId: surround } });
    const other = await publish(anna, { enhance: true });
    await finishUpload(api, other);
    await api.ok(anna, FINALIZE, { input: { contentId: other, enhance: false } });
    assert.equal(await isWanted(other), false);
    await process(other);
    await process(surround, 6);
    await until(async () => !(await isWanted(surround)));
    assert.deepEqual([await jobs(surround), await jobs(other)], [['PROCESS COMPLETE'], ['PROCESS COMPLETE']]);
  });

  for (const [name, ask] of [
    ['submitContentForProcessing', (id: string) => api.ok(anna, SUBMIT, { id, input: { enhance: true } })],
    ['finalizeContentUpload', (id: string) => api.ok(anna, FINALIZE, { input: { contentId: id, enhance: true } })],
  ] as const)
    it(`enhances a video at once that is processed already, with ${name}`, async () => {
      const id = await publish(anna, { publish: false });
      await finishUpload(api, id);
      await api.ok(anna, SUBMIT, { id });
      await process(id);
      await ask(id);
      assert.deepEqual(await jobs(id), ['PROCESS COMPLETE', 'ENHANCE QUEUED']);
      await ask(id);
      assert.deepEqual(await jobs(id), ['PROCESS COMPLETE', 'ENHANCE QUEUED'], 'it is not done twice');
    });

  it('keeps what was ordered before at its size and layout, also where it failed', async () => {
    const id = await publish(anna, { publish: false });
    await finishUpload(api, id);
    await api.ok(anna, SUBMIT, { id });
    await process(id, 2, PICTURE_PLAN);
    const order =
      'mutation ($id: DID!) { upscaleContent(id: $id, input: { target: 2160, model: "clean" }) { job { id } } }';
    await api.ok(anna, order, { id });
    await api.ok(
      anna,
      'mutation ($id: DID!) { upmixContent(id: $id, input: { layout: SURROUND_7_1 }) { job { id } } }',
      {
        id,
      },
    );
    const orders = () =>
      api.rows(
        `select e.kind, e.input, j.status from enhancements e join transcode_jobs j on j.id = e.job_id
         where j.content_id = $1 order by e.kind`,
        [uuidOf(id)],
      );
    const upscale = { kind: 'UPSCALE', input: { target: 2160, factor: 4, model: 'clean' }, status: 'QUEUED' };
    await api.ok(anna, SUBMIT, { id, input: { enhance: true } });
    assert.deepEqual(await orders(), [{ kind: 'UPMIX', input: { layout: '7.1' }, status: 'QUEUED' }, upscale]);
    assert.deepEqual(await jobs(id), ['PROCESS COMPLETE', 'ENHANCE QUEUED', 'ENHANCE QUEUED']);

    await api.rows("update transcode_jobs set status = 'ERROR' where content_id = $1 and purpose = 'ENHANCE'", [
      uuidOf(id),
    ]);
    await api.ok(anna, SUBMIT, { id, input: { enhance: true } });
    assert.deepEqual((await orders())[1], upscale);
  });

  it('keeps the uploaded file until the video is enhanced, also where the channel keeps none', async () => {
    const id = await publish(anna, { enhance: true });
    await finishUpload(api, id);
    const video = newId();
    await api.rows("update video_assets set id = $2, package_prefix = 'media/a/b/c-1/' where content_id = $1", [
      ...[uuidOf(id), video],
    ]);
    await api.rows('update channels set keep_originals = false where id = $1', [anna.channelId]);
    await api.rows("update transcode_jobs set status = 'COMPLETE', video_asset_id = $2 where content_id = $1", [
      ...[uuidOf(id), video],
    ]);
    const drop = () => dropOriginal(api.platform.db, video, new Date(api.clock.now()).toISOString());
    assert.equal(await drop(), null);
    await api.rows('update contents set enhance_when_ready = false where id = $1', [uuidOf(id)]);
    assert.equal((await drop())?.channelId, anna.channelId);
    await api.rows('update channels set keep_originals = true where id = $1', [anna.channelId]);
  });

  it('is refused without the permission, and nothing changes', async () => {
    // Consumers write how far they have read.
    await api.platform.events.stop();
    const own = await api.content(bert, { status: 'DRAFT' });
    const calls: [string, object][] = [
      [PUBLISH, { input: { ...UPLOAD, enhance: true } }],
      [SUBMIT, { id: own, input: { enhance: true } }],
      [FINALIZE, { input: { contentId: own, enhance: true } }],
    ];
    for (const [query, variables] of calls) {
      const changed = await tablesChanged(api.platform.db, async () => {
        const error = await api.refused(bert, query, { ...variables });
        assert.equal(error.code, 'UNAUTHORIZED');
        assert.match(error.message, /content:enhance comes with the Creator\+ plan/);
      });
      assert.deepEqual(changed, []);
    }
  });
});
