import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { casesOf, THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import { until } from '../../../testing/until.ts';
import { H264, SOUND, SpeechFixture, type SpeechVideo } from './speech.fixture.ts';

describe('captions by the command of whisper.cpp', () => {
  let speech: SpeechFixture;
  let video: SpeechVideo;
  before(async () => {
    speech = await SpeechFixture.open();
    video = await speech.ready(await speech.clip('speech.mp4', ...SOUND, ...H264));
  });
  after(() => speech.close());
  beforeEach(() => speech.reset());

  it('are made in the sandbox', async () => {
    const jobId = await speech.start(video);
    await speech.run(jobId, await speech.whisper('say Hello from here.'));
    assert.deepEqual(await speech.captionsOf(video), [
      'SPEECH en English SUBTITLES f 00:00:00.000 --> 00:00:01.000\nHello from here.\n',
    ]);
    const [{ model } = { model: '' }] = await speech.rows<{ model: string }>(
      `select receipt ->> 'model' as model from caption_jobs where job_id = $1`,
      [jobId],
    );
    assert.equal(model, 'ggml-test');
    await speech.run(await speech.start(video, 'nb'), await speech.whisper('say Hei.'));
    assert.match((await speech.captionsOf(video)).join(), /SPEECH nb norsk bokmål SUBTITLES f 00:/);
  });

  const failures: [name: string, does: string, options: Parameters<SpeechFixture['whisper']>[1], message: RegExp][] = [
    ['is missing', 'say', { isMissing: true }, /failed/],
    ['has no model', 'say', { model: '/nowhere/ggml-base.bin' }, /failed/],
    ['crashes', 'crash', {}, /failed/],
    ['writes nonsense', 'nonsense', {}, /no usable result/],
    ['writes nothing', 'nothing', {}, /no usable result/],
    ['writes 1 GB', 'flood', {}, /failed/],
    ['loops', 'loop', { limits: { cpuSeconds: 2 } }, /took too long/],
    ['hangs', 'hang', { limits: { wallMs: 1_500 } }, /took too long/],
  ];
  for (const [name, does, options = {}, message] of casesOf(failures, 2))
    it(`fail where it ${name}`, async () => {
      const jobId = await speech.start(video);
      await speech.run(jobId, await speech.whisper(does, options));
      const error = (await speech.errorOf(jobId)) ?? '';
      assert.match(error, message);
      assert.match(error, /Ask the operator/);
      assert.match(speech.logged.join(), /^error whisper.cpp/);
      assert.equal(await speech.stateOf(jobId), 'ERROR TRANSCODE_FAILED');
      assert.deepEqual(await speech.captionsOf(video), []);
    });

  it('are cancelled while it runs', THOROUGH, async () => {
    const jobId = await speech.start(video);
    const running = speech.run(jobId, await speech.whisper('hang'));
    const half = 'select 1 from transcode_jobs where id = $1 and progress > 50';
    await until(async () => (await speech.rows(half, [jobId])).length === 1);
    await speech.cancel(jobId);
    await running;
    assert.equal(await speech.stateOf(jobId), 'CANCELLED');
  });
});
