import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { AppError } from '../../../kernel/errors.ts';
import { type ContentId, newId } from '../../../kernel/ids.ts';
import { until } from '../../../testing/until.ts';
import { openService, type ServiceEndpoint } from '../recognizers/service-endpoint.ts';
import { FakeChatService, message, translated } from './fake-chat-service.fixture.ts';
import { makeCaptions } from './make-captions.handler.ts';
import { openAiTranslator } from './openai-translator.ts';
import { startTranslation } from './order-translation.ts';
import { API_KEY, H264, SOUND, SpeechFixture, type SpeechVideo } from './speech.fixture.ts';

/** `count` cues of a second each. */
const cues = (count: number) =>
  `WEBVTT\n\n${Array.from({ length: count }, (_, index) => {
    const clock = (seconds: number) => new Date(1000 * seconds).toISOString().slice(11, 23);
    return `${clock(2 * index)} --> ${clock(2 * index + 1)}\nCue <b>${index}</b>,\n&lt;two&gt; lines\n`;
  }).join('\n')}`;

describe('translated captions', () => {
  let speech: SpeechFixture;
  let service: FakeChatService;
  let endpoint: ServiceEndpoint;
  let video: SpeechVideo;
  before(async () => {
    speech = await SpeechFixture.open();
    service = await FakeChatService.start();
    endpoint = openService({ name: 'translation', url: service.url, apiKey: API_KEY }, speech.log);
    video = await speech.ready(await speech.clip('speech.mp4', ...SOUND, ...H264));
  });
  after(async () => {
    await endpoint.close();
    await service.close();
    await speech.close();
  });
  beforeEach(async () => {
    await speech.reset();
    service.requests.length = 0;
    service.abandoned = 0;
    service.answer = translated((cue) => cue.replace('Cue', 'Untertitel'));
  });

  async function add(vtt: string, automatic: string | null = null): Promise<string> {
    const id = newId();
    await speech.rows(
      `insert into captions (id, channel_id, content_id, language, label, kind, vtt, automatic, created_at, updated_at)
       values ($1, $2, $3, 'en', 'English', 'SUBTITLES', $4, $5, now(), now())`,
      [id, video.channelId, video.contentId, vtt, automatic],
    );
    return id;
  }
  const start = (to = 'de', again = false) =>
    speech.processing.platform.db.transaction((tx) =>
      startTranslation(speech.processing.tools(), tx, {
        ...{ contentId: video.contentId as ContentId, from: 'en', to, again },
      }),
    );
  const run = (jobId: string) => {
    const { platform, runner } = speech.processing;
    const translator = openAiTranslator(endpoint, 'gpt-test', speech.log);
    return makeCaptions({ platform, runner, recognizer: null, translator }, jobId, {
      ...{ signal: new AbortController().signal, attempt: 1 },
    });
  };
  const german = async () => (await speech.captionsOf(video)).filter((text) => text.startsWith('TRANSLATION'));

  it('have the times of the cues, are marked, and listed below all others', async () => {
    await add(cues(2));
    const jobId = await start();
    assert.equal(await start(), jobId);
    await run(jobId);
    const [request, ...others] = service.requests;
    assert.deepEqual(
      [request?.path, request?.authorization, request?.body.model, others.length],
      [...['POST /v1/chat/completions', `Bearer ${API_KEY}`, 'gpt-test', 0]],
    );
    assert.deepEqual(request?.input, {
      ...{ before: [], after: [], cues: ['Cue 0, <two> lines', 'Cue 1, <two> lines'] },
    });
    assert.match(request?.body.messages[0]?.content ?? '', /from English into German \(de\)/);
    assert.deepEqual(
      [request?.body.response_format.type, request?.body.response_format.json_schema.name],
      [...['json_schema', 'translations']],
    );
    assert.deepEqual(await german(), [
      'TRANSLATION de Deutsch SUBTITLES f 00:00:00.000 --> 00:00:01.471\nUntertitel 0, &lt;two&gt; lines\n\n' +
        '00:00:02.000 --> 00:00:03.471\nUntertitel 1, &lt;two&gt; lines\n',
    ]);
    assert.equal(
      await speech.stateOf(jobId),
      'COMPLETE Captions in English were translated into German, and set in 2 cues.',
    );
    const names = [...(await speech.textOf(video, 'master.m3u8')).matchAll(/TYPE=SUBTITLES.*NAME="(.*?)"/g)];
    assert.deepEqual(
      names.map(([, name]) => name),
      ['English', 'Deutsch (auto-translated)'],
    );
    assert.equal(await start(), jobId, 'it is not done twice');
    await run(await start('de', true));
    assert.equal((await german()).length, 1, 'made again, they replace those');
  });

  it('are translated in batches with the cues around them', async () => {
    await add(cues(90));
    await run(await start());
    assert.deepEqual(
      service.requests.map(({ input }) => [input.before.length, input.cues.length, input.after.length]),
      [
        [0, 40, 5],
        [5, 40, 5],
        [5, 10, 0],
      ],
    );
    assert.match((await german()).join(), /Untertitel 89/);
  });

  it('continue after the last batch that was translated', async () => {
    await add(cues(50));
    const jobId = await start();
    service.answer = (request, response) =>
      service.requests.length === 1
        ? translated((cue) => cue)(request, response)
        : void response.writeHead(503).end('overloaded');
    await assert.rejects(run(jobId), { code: 'SERVICE_UNAVAILABLE' });
    service.answer = translated((cue) => cue);
    await run(jobId);
    assert.deepEqual(
      service.requests.map(({ input }) => input.cues.length),
      [40, 10, 10],
    );
    assert.match(await speech.stateOf(jobId), /^COMPLETE .* 50 cues/);
  });

  it('are made of those of people rather than automatic ones', async () => {
    await add(cues(1).replace('Cue', 'Heard'), 'SPEECH');
    await add(cues(1));
    await run(await start());
    assert.deepEqual(service.requests[0]?.input.cues, ['Cue 0, <two> lines']);
  });

  it('go with the video whose speech they have', async () => {
    await speech.run(await speech.start(video));
    await run(await start());
    const [found] = await speech.rows<{ spoken: string }>(
      `select spoken_in as spoken from captions where automatic = 'TRANSLATION'`,
    );
    assert.equal(found?.spoken, video.assetId);
  });

  it('are divided where they do not fit into two lines', async () => {
    await add('WEBVTT\n\n00:00:00.000 --> 00:00:04.000\nShort\n\n00:00:04.000 --> 00:00:05.000\nEnd\n');
    service.answer = translated((cue) =>
      cue === 'Short'
        ? 'Eine Übersetzung, die viel länger ist als das, was gesagt wurde, und die nicht in zwei Zeilen passt.'
        : 'Ende',
    );
    await run(await start());
    const [text = ''] = await german();
    const times = [...text.matchAll(/(\S+) --> (\S+)/g)].map(([, from, to]) => `${from} ${to}`);
    assert.equal(times.length, 3);
    assert.deepEqual(
      [times[0]?.slice(0, 12), times[1]?.slice(13), times[2]],
      [...['00:00:00.000', '00:00:04.000', '00:00:04.000 00:00:05.000']],
    );
    for (const line of text.split('\n')) assert.ok(line.includes('-->') || line.length <= 42, line);
  });

  const NONSENSE: [name: string, content: string | null][] = [
    ['fewer translations', '{"translations": ["eins"]}'],
    ['more', '{"translations": ["eins", "zwei", "drei"]}'],
    ['empty ones', '{"translations": ["eins", " "]}'],
    ['numbers', '{"translations": [1, 2]}'],
    ['far too long ones', JSON.stringify({ translations: ['eins', 'x'.repeat(10_000)] })],
    ['text', 'Here is the translation: eins, zwei'],
    ['nothing', null],
  ];
  for (const [name, content] of NONSENSE)
    it(`are refused where the model answers twice with ${name}`, async () => {
      await add(cues(2));
      const jobId = await start();
      service.answer = message(content);
      await run(jobId);
      assert.equal(service.requests.length, 2);
      assert.equal(await speech.stateOf(jobId), 'ERROR TRANSCODE_FAILED');
      assert.match((await speech.errorOf(jobId)) ?? '', /did not translate every cue. Try again/);
      assert.deepEqual(await german(), []);
    });

  it('are asked for once more, and taken from a block of Markdown', async () => {
    await add(cues(1));
    service.answer = (request, response) =>
      message(service.requests.length === 1 ? '{}' : '```json\n{"translations": ["Eins"]}\n```')(request, response);
    await run(await start());
    assert.deepEqual(await german(), ['TRANSLATION de Deutsch SUBTITLES f 00:00:00.000 --> 00:00:01.000\nEins\n']);
  });

  it('fail where the service refuses the key, where none is set up, and where the captions were deleted', async () => {
    const id = await add(cues(1));
    const jobId = await start();
    service.answer = (_, response) => void response.writeHead(401).end('{"error": {"message": "no"}}');
    await run(jobId);
    assert.match((await speech.errorOf(jobId)) ?? '', /^The translation service of this server refused the request./);
    assert.match(speech.logged.join(), /check the TRANSLATION_ settings/);

    const other = await start('fr');
    await speech.run(other, null);
    assert.equal(await speech.stateOf(other), 'ERROR INVALID_INPUT');

    const last = await start('es');
    await speech.rows('delete from captions where id = $1', [id]);
    await run(last);
    assert.match((await speech.errorOf(last)) ?? '', /^The captions were deleted/);
  });

  it('are cancelled while the service hangs', async () => {
    await add(cues(1));
    const jobId = await start();
    service.answer = () => {};
    const running = run(jobId);
    await until(() => service.requests.length === 1);
    await speech.cancel(jobId);
    await running;
    assert.equal(await speech.stateOf(jobId), 'CANCELLED');
    await until(() => service.abandoned === 1, 'the request is still open');
  });

  it('are refused without captions in that language', async () => {
    await assert.rejects(
      start(),
      (error) => error instanceof AppError && error.code === 'INVALID_INPUT' && error.field === 'input.from',
    );
  });
});
