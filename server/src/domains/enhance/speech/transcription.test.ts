import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import { AppError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { tablesChanged } from '../../../testing/tables-changed.ts';
import { until } from '../../../testing/until.ts';
import { startProcessing } from '../../transcode/jobs/start-processing.ts';
import { type FakeSpeechService, flood, json, said } from './fake-speech-service.fixture.ts';
import { giveUpCaptions } from './make-captions.handler.ts';
import { API_KEY, H264, SOUND, SpeechFixture, type SpeechVideo } from './speech.fixture.ts';

describe('captions from speech', () => {
  let speech: SpeechFixture;
  let video: SpeechVideo;
  before(async () => {
    speech = await SpeechFixture.open();
    video = await speech.ready(await speech.clip('speech.mp4', ...SOUND, ...H264));
  });
  after(() => speech.close());
  beforeEach(() => speech.reset());
  const eventsOf = (jobId: string) => speech.processing.eventsOf(video.contentId, jobId);

  it('are listed below those of people, marked as automatic, and made once', async () => {
    await speech.byPerson(video, 'English');
    const jobId = await speech.start(video);
    assert.equal(await speech.start(video), jobId);
    await speech.run(jobId);

    const [request, ...others] = speech.service.requests;
    assert.deepEqual(
      [request?.path, request?.authorization, others.length],
      [...['POST /v1/audio/transcriptions', `Bearer ${API_KEY}`, 0]],
    );
    assert.deepEqual(request?.fields, [
      ['model', 'whisper-1'],
      ['response_format', 'verbose_json'],
      ['timestamp_granularities[]', 'word'],
      ['timestamp_granularities[]', 'segment'],
    ]);
    assert.equal(request?.file.toString('latin1', 0, 4), 'RIFF');
    assert.ok(Math.abs((request?.file.length ?? 0) - 6 * 32_000) < 3_200, `${request?.file.length}`);
    assert.equal(
      await speech.stateOf(jobId),
      'COMPLETE Speech in English was detected and recognized, and set in 1 cue.',
    );
    assert.deepEqual(await speech.captionsOf(video), [
      'SPEECH en English SUBTITLES f 00:00:00.000 --> 00:00:01.000\nHello, everybody.\n',
      'en English SUBTITLES f WEBVTT',
    ]);
    const names = [
      ...(await speech.textOf(video, 'master.m3u8')).matchAll(/TYPE=SUBTITLES.*NAME="(.*?)",.*DEFAULT=(\w+)/g),
    ];
    assert.deepEqual(
      names.map(([, ...found]) => found.join(' ')),
      ['English NO', 'English (auto-generated) NO'],
    );
    assert.match(await speech.textOf(video, 'manifest.mpd'), /<Label>English<.*<Label>English \(auto-generated\)</s);
    const events = await eventsOf(jobId);
    assert.deepEqual(events.slice(-3), ['job.updated QUEUED', 'captions.updated', 'job.updated COMPLETE']);
    assert.equal(await speech.start(video), jobId, 'it is not done twice');
    assert.deepEqual(await speech.rows('select 1 from caption_parts'), []);
  });

  it('replace those that were made before, and no others', THOROUGH, async () => {
    await speech.run(await speech.start(video));
    await speech.byPerson(video, 'By hand');
    // A person has edited these.
    await speech.rows(
      `insert into captions (id, channel_id, content_id, language, label, kind, vtt, created_at, updated_at)
       select gen_random_uuid(), channel_id, content_id, language, 'Edited', kind, 'WEBVTT', now(), now()
       from captions where automatic = 'SPEECH'`,
    );
    speech.service.answer = said('Good evening.');
    const again = await speech.start(video, null, true);
    await speech.run(again);
    const found = await speech.captionsOf(video);
    assert.deepEqual(found.map((text) => text.replace(/\n.*/s, '')).sort(), [
      ...[
        'SPEECH en English SUBTITLES f 00:00:00.000 --> 00:00:01.000',
        'en By hand SUBTITLES f WEBVTT',
        'en Edited SUBTITLES f WEBVTT',
      ],
    ]);
    assert.match(found.join(), /Good evening/);
    assert.doesNotMatch(found.join(), /everybody/);
  });

  it('are asked for in the language that was given, which is also theirs', THOROUGH, async () => {
    speech.service.answer = said('Olá, mundo.', 'portuguese');
    const jobId = await speech.start(video, 'pt-BR');
    await assert.rejects(speech.start(video, 'de'), { code: 'INVALID_INPUT', field: 'input.language' });
    await speech.run(jobId);
    assert.deepEqual(speech.service.requests[0]?.fields.at(-1), ['language', 'pt']);
    assert.match((await speech.captionsOf(video)).join(), /^SPEECH pt-BR português \(Brasil\) SUBTITLES f 00:/);
  });

  it('are not made of silence, which is not sent anywhere', THOROUGH, async () => {
    const silent = await speech.ready(
      await speech.clip('silence.mp4', '-f', 'lavfi', '-i', 'anullsrc=r=48000:cl=stereo', '-shortest', ...H264),
    );
    const jobId = await speech.start(silent);
    await speech.run(jobId);
    assert.equal(await speech.stateOf(jobId), 'COMPLETE No speech was found, so there are no captions.');
    assert.deepEqual([await speech.captionsOf(silent), speech.service.requests.length], [[], 0]);
  });

  it('are not made of sound without words', THOROUGH, async () => {
    speech.service.answer = json({
      task: 'transcribe',
      language: 'english',
      duration: 6,
      text: '',
      segments: [],
      words: [],
    });
    const jobId = await speech.start(video);
    await speech.run(jobId);
    assert.equal(await speech.stateOf(jobId), 'COMPLETE No speech was found, so there are no captions.');
    assert.deepEqual(await speech.captionsOf(video), []);
  });

  it('are refused without sound and before the video was processed, and nothing changes', async () => {
    const mute = await speech.ready(await speech.clip('mute.mp4', ...H264));
    const unprocessed = await speech.processing.upload(await speech.clip('speech.mp4', ...SOUND, ...H264));
    const changed = await tablesChanged(speech.processing.platform.db, async () => {
      await assert.rejects(speech.start(mute), { code: 'INVALID_INPUT', message: 'This video has no sound.' });
      await assert.rejects(speech.start(unprocessed), { code: 'INVALID_INPUT', message: /no processed video/ });
    });
    assert.deepEqual(changed, []);
  });

  it('go with their video when another replaces it, and so does a job that is under way', THOROUGH, async () => {
    const first = await speech.ready(await speech.clip('speech.mp4', ...SOUND, ...H264));
    await speech.run(await speech.start(first));
    const jobId = await speech.start(first, 'de');
    await speech.processing.platform.store.put('sources/second', await speech.clip('speech.mp4', ...SOUND, ...H264), {
      contentType: 'video/mp4',
    });
    await speech.rows(
      `insert into video_assets (id, channel_id, content_id, hint, filename, source_key, size_bytes, created_at)
       select $1, channel_id, content_id, hint, filename, 'sources/second', size_bytes, now() + interval '1 hour'
       from video_assets where id = $2`,
      [newId(), first.assetId],
    );
    const next = await speech.processing.platform.db.transaction((tx) =>
      startProcessing(speech.processing.tools(), tx, { contentId: first.contentId }),
    );
    await speech.processing.process(next.jobId);
    assert.deepEqual(await speech.captionsOf(first), []);
    assert.equal(await speech.stateOf(jobId), 'CANCELLED');
    assert.deepEqual(await speech.rows('select 1 from video_assets where id = $1', [first.assetId]), []);
    await speech.run(jobId);
    assert.equal(await speech.stateOf(jobId), 'CANCELLED');
  });

  it('continue after the last piece that was recognized', THOROUGH, async () => {
    const options = { longestPieceMs: 4_000 };
    const jobId = await speech.start(video);
    speech.service.answer = (response, request) =>
      speech.service.requests.length === 1
        ? said('First part.')(response, request)
        : json({ error: { message: 'overloaded' } }, 503)(response, request);
    await assert.rejects(speech.run(jobId, undefined, options), { code: 'SERVICE_UNAVAILABLE' });
    assert.equal(await speech.stateOf(jobId), 'QUEUED');

    speech.service.answer = said('Second one.');
    await speech.run(jobId, undefined, options);
    assert.equal(speech.service.requests.length, 3, 'the first piece is not sent again');
    assert.deepEqual(speech.service.requests[2]?.fields.at(-1), ['language', 'en'], 'which was detected in the first');
    assert.match(
      (await speech.captionsOf(video)).join(),
      /00:00:00.000 --> 00:00:01.000\nFirst part.\n\n00:00:0[34].\d+ --> 00:00:0[45].\d+\nSecond one.\n/,
    );
  });

  it('continue after a worker was killed', THOROUGH, async () => {
    const options = { longestPieceMs: 4_000 };
    const jobId = await speech.start(video);
    const stopping = new AbortController();
    speech.service.answer = (response, request) => {
      if (speech.service.requests.length === 1) said('First part.')(response, request);
    };
    const lost = assert.rejects(speech.run(jobId, undefined, { ...options, signal: stopping.signal }));
    await until(() => speech.service.requests.length === 2);
    // Another worker takes the job over while this one hangs; what that writes from now on has no effect.
    speech.service.answer = said('Second one.');
    await speech.run(jobId, undefined, options);
    const made = await speech.captionsOf(video);
    stopping.abort();
    await lost;
    assert.equal(
      await speech.stateOf(jobId),
      'COMPLETE Speech in English was detected and recognized, and set in 2 cues.',
    );
    assert.deepEqual(await speech.captionsOf(video), made);
    assert.equal(speech.service.requests.length, 3);
  });

  it('are cancelled while the service hangs', async () => {
    const jobId = await speech.start(video);
    speech.service.answer = () => {};
    const running = speech.run(jobId);
    await until(() => speech.service.requests.length === 1);
    await speech.cancel(jobId);
    await running;
    assert.equal(await speech.stateOf(jobId), 'CANCELLED');
    await until(() => speech.service.abandoned === 1, 'the request is still open');
    assert.deepEqual([await speech.captionsOf(video), (await eventsOf(jobId)).at(-1)], [[], 'job.updated CANCELLED']);
  });

  it('wait while the service is busy, as long as it says', THOROUGH, async () => {
    const jobId = await speech.start(video);
    speech.service.answer = json({ error: { message: 'Rate limit reached' } }, 429, { 'retry-after': '77' });
    await speech.run(jobId);
    assert.equal(await speech.stateOf(jobId), 'QUEUED');
    const sent = await speech.rows<{ seconds: number }>(
      `select extract(epoch from start_after - created_on)::int as seconds from pgboss.job
       where data -> 'payload' ->> 'jobId' = $1 order by created_on desc limit 1`,
      [jobId],
    );
    assert.deepEqual(sent, [{ seconds: 77 }]);
    speech.processing.platform.clock.advance(2 * 86_400_000);
    await speech.run(jobId);
    assert.equal(await speech.stateOf(jobId), 'ERROR RATE_LIMIT_EXCEEDED');
  });

  const REFUSALS: [name: string, status: number, body: object][] = [
    ['the key', 401, { error: { message: `Incorrect API key provided: ${API_KEY}.`, code: 'invalid_api_key' } }],
    ['the model', 404, { error: { message: 'The model does not exist' } }],
    ['the size', 413, { error: { message: 'Maximum content size limit exceeded' } }],
    ['an account without credit', 429, { error: { message: 'You exceeded…', code: 'insufficient_quota' } }],
  ];
  for (const [name, status, body] of REFUSALS)
    it(`fail where the service refuses ${name}: the reason is for the operator`, async () => {
      const jobId = await speech.start(video);
      speech.service.answer = json(body, status);
      await speech.run(jobId);
      assert.equal(await speech.stateOf(jobId), 'ERROR TRANSCODE_FAILED');
      assert.equal(
        await speech.errorOf(jobId),
        'The speech service of this server refused the request. Ask the operator of this server, whose log has the ' +
          'reason.',
      );
      assert.match(speech.logged.join(), /^error .*check the SPEECH_ settings/);
      assert.doesNotMatch(speech.logged.join(), new RegExp(API_KEY));
      assert.notEqual(await speech.start(video), jobId, 'it can be tried again');
    });

  const TRANSIENT: [name: string, answer: FakeSpeechService['answer']][] = [
    ['answers nonsense', (response) => response.end('<html>It works!</html>')],
    ['answers 1 GB', flood(1024 ** 3)],
    ['closes the connection', (response) => response.destroy()],
    ['has an error', json({ error: { message: 'oops' } }, 500)],
  ];
  for (const [name, answer] of TRANSIENT)
    it(`are tried again where the service ${name}`, async () => {
      const jobId = await speech.start(video);
      speech.service.answer = answer;
      await assert.rejects(
        speech.run(jobId),
        (error) => error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE',
      );
      assert.equal(await speech.stateOf(jobId), 'QUEUED');
      assert.deepEqual(await speech.captionsOf(video), []);
    });

  it('fail with a message when trying again does not help', async () => {
    const jobId = await speech.start(video);
    await giveUpCaptions(speech.processing.platform, jobId, new AppError('SERVICE_UNAVAILABLE', 'It does not answer.'));
    assert.equal(await speech.stateOf(jobId), 'ERROR SERVICE_UNAVAILABLE');
  });

  it('fail where nothing is set up any more', async () => {
    const jobId = await speech.start(video);
    await speech.run(jobId, null);
    assert.equal(await speech.stateOf(jobId), 'ERROR INVALID_INPUT');
  });
});
