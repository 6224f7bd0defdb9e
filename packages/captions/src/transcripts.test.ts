import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { recognizerCode, tagOfRecognized } from './recognizer-languages.ts';
import type { Transcript } from './spoken-text.ts';
import { TranscriptError } from './transcript-error.ts';
import { readVerboseJson } from './verbose-json.ts';
import { readWhisperJson } from './whisper-json.ts';

const printed = ({ spoken }: Transcript) =>
  spoken.map(({ text, startMs, endMs }) => `${Math.round(startMs)}-${Math.round(endMs)}${text}`);

/** A token as whisper.cpp writes it: text, and times in milliseconds. */
const token = (text: string, from: number, to: number) =>
  `{ "text": "${text}", "timestamps": { "from": "00:00:00,000", "to": "00:00:00,000" }, ` +
  `"offsets": { "from": ${from}, "to": ${to} }, "id": 1, "p": 0.9, "t_dtw": -1 }`;
const segment = (text: string, from: number, to: number, tokens: readonly string[]) =>
  `{ "timestamps": { "from": "", "to": "" }, "offsets": { "from": ${from}, "to": ${to} }, "text": "${text}", ` +
  `"tokens": [${tokens.join(', ')}] }`;
/** Bytes may be parts of characters. */
const whisper = (language: string, segments: readonly string[]) =>
  Buffer.from(
    `{ "systeminfo": "AVX = 1", "model": { "type": "base" }, "params": { "model": "m", "language": "auto" }, ` +
      `"result": { "language": "${language}" }, "transcription": [${segments.join(', ')}] }`,
    'latin1',
  );
const bytes = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

describe('the JSON of whisper.cpp', () => {
  it('has tokens, which are joined to words with their punctuation', () => {
    const file = whisper('en', [
      segment(' And so, my fellow Americans', 0, 3_000, [
        ...[token('[_BEG_]', 0, 0), token(' And', 320, 370), token(' so', 380, 690), token(',', 690, 700)],
        ...[token(' my', 740, 900), token(' fellow', 900, 1_500), token(' Amer', 1_500, 2_000)],
        ...[token('icans', 2_000, 2_640), token('[_TT_150]', 3_000, 3_000)],
      ]),
    ]);
    const transcript = readWhisperJson(file);
    assert.equal(transcript.language, 'en');
    assert.deepEqual(printed(transcript), [
      ...['320-370 And', '380-700 so,', '740-900 my', '900-1500 fellow', '1500-2640 Americans'],
    ]);
  });

  it('has tokens that are parts of characters', () => {
    const [first, second] = [bytes('日').slice(0, 2), bytes('日').slice(2)];
    const file = whisper('ja', [
      segment(bytes('今日。'), 0, 900, [
        token(bytes('今'), 0, 300),
        token(first, 300, 400),
        token(second, 400, 600),
        token(bytes('。'), 600, 600),
      ]),
    ]);
    assert.deepEqual(printed(readWhisperJson(file)), ['0-300今', '300-600日。']);
  });

  it('may lack the times of tokens: then segments are the parts', () => {
    const untimed = '{ "text": " Hi", "id": 1, "p": 0.9, "t_dtw": -1 }';
    assert.deepEqual(printed(readWhisperJson(whisper('en', [segment(' Hi', 100, 900, [untimed])]))), ['100-900 Hi']);
  });

  it('has remarks, which are no speech', () => {
    const file = whisper('en', [
      segment(' [BLANK_AUDIO]', 0, 900, [token(' [', 0, 1), token('BLANK_AUDIO]', 1, 2)]),
      segment(' (wind blowing)', 900, 1_900, []),
      segment(bytes(' ♪'), 1_900, 2_900, []),
    ]);
    assert.deepEqual(readWhisperJson(file).spoken, []);
  });

  for (const [name, file] of [
    ['text', 'whisper_init_from_file: failed'],
    ['another object', '{"transcription": [], "text": "x"}'],
    ['a list', '[]'],
    ['segments without times', '{"result": {}, "transcription": [{"text": "Hi"}]}'],
    ['times that are text', '{"result": {}, "transcription": [{"text": "Hi", "offsets": {"from": "0", "to": "1"}}]}'],
    ['nothing', ''],
  ] as const)
    it(`is refused where it is ${name}`, () =>
      assert.throws(() => readWhisperJson(Buffer.from(file)), TranscriptError));
});

describe('verbose_json', () => {
  const answer = (facts: object) => JSON.stringify({ task: 'transcribe', duration: 5, ...facts });
  const word = (text: string, start: number, end: number) => ({ word: text, start, end });

  it('has words without punctuation, which they get from the segments', () => {
    const transcript = readVerboseJson(
      answer({
        language: 'english',
        text: 'Well, "hello" — they said. Twenty-one!',
        segments: [
          { id: 0, start: 0, end: 2, text: ' Well, "hello" — they said.' },
          { id: 1, start: 2, end: 4, text: ' Twenty-one!' },
        ],
        words: [
          ...[word('Well', 0, 0.4), word('hello', 0.5, 0.9), word('they', 1, 1.2), word('said', 1.2, 1.6)],
          word('Twenty-one', 2.1, 3),
        ],
      }),
    );
    assert.equal(transcript.language, 'en');
    assert.deepEqual(printed(transcript), [
      ...['0-400 Well,', '500-900 "hello" —', '1000-1200 they', '1200-1600 said.', '2100-3000 Twenty-one!'],
    ]);
  });

  it('has words that differ from its text, which are taken as they are', () => {
    const words = [word('21', 0, 1), word('apples', 1, 2)];
    assert.deepEqual(printed(readVerboseJson(answer({ language: 'en', text: 'Twenty-one apples.', words }))), [
      ...['0-1000 21', '1000-2000 apples'],
    ]);
  });

  it('has words without spaces in Japanese', () => {
    const words = [word('今日', 0, 0.5), word('は', 0.5, 0.7), word('晴れ', 0.7, 1)];
    const text = '今日は、晴れ。';
    const segments = [{ start: 0, end: 1, text }];
    assert.deepEqual(printed(readVerboseJson(answer({ language: 'japanese', text, segments, words }))), [
      ...['0-500今日', '500-700は、', '700-1000晴れ。'],
    ]);
  });

  it('may have words in its segments, or no words', () => {
    const inner = { start: 0, end: 2, text: ' Good day', words: [word(' Good', 0, 1), word(' day', 1, 2)] };
    assert.deepEqual(printed(readVerboseJson(answer({ language: 'de', text: 'Good day', segments: [inner] }))), [
      ...['0-1000 Good', '1000-2000 day'],
    ]);
    const { words: _, ...plain } = inner;
    assert.deepEqual(printed(readVerboseJson(answer({ language: 'xx', text: 'Good day', segments: [plain] }))), [
      '0-2000 Good day',
    ]);
  });

  it('may be empty: there is no speech', () => {
    assert.deepEqual(readVerboseJson(answer({ language: 'english', text: '', segments: [], words: [] })).spoken, []);
    assert.deepEqual(readVerboseJson(answer({ language: null, text: ' ' })), { language: null, spoken: [] });
  });

  for (const [name, text] of [
    ['HTML', '<html>502</html>'],
    ['a number', '5'],
    ['without text', '{"language": "english"}'],
    ['plain json without times', '{"text": "Hello."}'],
    ['words without times', '{"text": "Hello.", "words": [{"word": "Hello"}]}'],
    ['words that are no list', '{"text": "Hello.", "words": "Hello"}'],
    ['infinite times', '{"text": "Hello.", "words": [{"word": "Hello", "start": 1e999, "end": 2}]}'],
  ] as const)
    it(`is refused where it is ${name}`, () => assert.throws(() => readVerboseJson(text), TranscriptError));
});

describe('languages of recognizers', () => {
  for (const [language, tag] of [
    ['english', 'en'],
    ['Chinese', 'zh'],
    ['haitian creole', 'ht'],
    ['jw', 'jv'],
    ['de', 'de'],
    ['klingon', null],
    ['', null],
    ['../x', null],
  ] as const)
    it(`names ${JSON.stringify(language)} ${tag}`, () => assert.equal(tagOfRecognized(language), tag));

  for (const [tag, code] of [
    ['pt-BR', 'pt'],
    ['zh-Hant', 'zh'],
    ['nb', 'no'],
    ['jv', 'jw'],
    ['yue', 'yue'],
    ['tlh', null],
  ] as const)
    it(`asks for ${code} where the speech is in ${tag}`, () => assert.equal(recognizerCode(tag), code));
});
