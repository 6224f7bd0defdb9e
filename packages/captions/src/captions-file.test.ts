import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CaptionsError, readCaptionsFile, subRipText } from './captions-file.ts';
import { captionsText } from './web-vtt.ts';

const SRT =
  '\uFEFF1\r\n00:00:01,000 --> 00:00:02,500\r\n<font color="red">Hello</font> ' +
  '<i>there</i>\r\n& you\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\nBye\r\n';
const VTT = `WEBVTT - title
Kind: captions

NOTE
nothing

STYLE
::cue { color: red }

intro
00:03.000 --> 00:04.000 line:0 align:start
<v Anna>Later <c.loud>words</c>

00:01.000 --> 00:02.000
First <script>alert(1)</script>
`;

describe('captions files', () => {
  it('are read from SubRip', () => {
    assert.deepEqual(readCaptionsFile(SRT), [
      { startMs: 1_000, endMs: 2_500, text: 'Hello <i>there</i>\n&amp; you' },
      { startMs: 3_000, endMs: 4_000, text: 'Bye' },
    ]);
  });

  it('are read from WebVTT, sorted, without notes, styles, positions and unknown tags', () => {
    assert.deepEqual(readCaptionsFile(VTT), [
      { startMs: 1_000, endMs: 2_000, text: 'First alert(1)' },
      { startMs: 3_000, endMs: 4_000, text: 'Later words' },
    ]);
  });

  it('are unchanged after writing and reading', () => {
    const cues = readCaptionsFile(SRT);
    assert.deepEqual(readCaptionsFile(captionsText(cues)), cues);
    assert.deepEqual(readCaptionsFile(subRipText(cues)), cues);
    assert.ok(subRipText(cues).startsWith('1\n00:00:01,000 --> 00:00:02,500\n'));
  });

  it('are read with lines that describe the file, up to the first cue', () => {
    const text = 'WEBVTT\nKind: captions\n\nX-Source: us\n\n00:01.000 --> 00:02.000\nHi\n';
    assert.deepEqual(readCaptionsFile(text), [{ startMs: 1_000, endMs: 2_000, text: 'Hi' }]);
  });

  const errors: [string, string, number][] = [
    ['nothing at all', '', 1],
    ['some other text', 'Dear diary\n', 1],
    ['times that are none', '1\n00:00:01 --> later\nHi\n', 2],
    ['a cue that ends before it begins', 'WEBVTT\n\n00:05.000 --> 00:01.000\nHi\n', 3],
    ['text between cues', '1\n00:00:01,000 --> 00:00:02,000\nHi\n\nlost\n\n2\n00:00:03,000 --> 00:00:04,000\nHo\n', 5],
    ['a header behind a cue', '00:01.000 --> 00:02.000\nHi\n\nWEBVTT\n\n00:03.000 --> 00:04.000\nHo\n', 4],
    ['cues without text', '1\n00:00:01,000 --> 00:00:02,000\n<i></i>\n', 1],
  ];
  for (const [name, text, line] of errors) {
    it(`are refused for ${name}, with the line`, () => {
      assert.throws(
        () => readCaptionsFile(text),
        (error) => error instanceof CaptionsError && error.line === line && error.message.endsWith('.'),
      );
    });
  }
});
