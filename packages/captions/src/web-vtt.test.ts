import assert from 'node:assert/strict';
import { test } from 'node:test';
import { captionsText, readCues } from './web-vtt.ts';

const cases: [name: string, printed: string, cues: [number, number, string][]][] = [
  [
    'two cues and a head',
    'WEBVTT\n\n00:00.500 --> 00:02.000\na\nb\n\n01:00:02.500 --> 01:00:04.000\nc\n',
    [
      [500, 2000, 'a\nb'],
      [3_602_500, 3_604_000, 'c'],
    ],
  ],
  [
    'line ends of any kind',
    'WEBVTT\r\n\r\n00:00.000 --> 00:01.000\r\na\r\n\r\n00:01.000 --> 00:02.000\rb\r',
    [
      [0, 1000, 'a'],
      [1000, 2000, 'b'],
    ],
  ],
  [
    'cues out of order',
    '00:03.000 --> 00:04.000\nb\n\n00:01.000 --> 00:02.000\na\n',
    [
      [1000, 2000, 'a'],
      [3000, 4000, 'b'],
    ],
  ],
  ['a cue that runs past the end of the video', '01:59:59.000 --> 02:30:00.000\na\n', [[7_199_000, 7_200_000, 'a']]],
  ['a cue after the video', '02:00:01.000 --> 02:30:00.000\na\n', []],
  ['a cue that ends before it starts', '00:02.000 --> 00:01.000\na\n', []],
  ['a cue without text', '00:01.000 --> 00:02.000\n<b> </b>\n\n00:02.000 --> 00:03.000\n\n', []],
  ['a cue before the video', '00:-1.-500 --> 00:01.000\na\n', []],
  [
    'text that is or looks like markup',
    '00:01.000 --> 00:02.000\n<i>R&D</i> &amp; 1 <3 --> <script>\0\n',
    [[1000, 2000, '<i>R&amp;D</i> &amp; 1 &lt;3 --&gt; &lt;script>']],
  ],
  ['nothing at all', '', []],
];
for (const [name, printed, cues] of cases) {
  test(`${name} is read as ${cues.length} cues`, () =>
    assert.deepEqual(
      readCues(printed, 7200),
      cues.map(([startMs, endMs, text]) => ({ startMs, endMs, text })),
    ));
}

test('captions start with the timestamp map of the video (RFC 8216 section 3.5)', () => {
  const cues = [
    { startMs: 500, endMs: 2000, text: 'a\nb' },
    { startMs: 3_602_500, endMs: 3_604_000, text: 'c' },
  ];
  assert.equal(
    captionsText(cues),
    `WEBVTT
X-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000

00:00:00.500 --> 00:00:02.000
a
b

01:00:02.500 --> 01:00:04.000
c
`,
  );
  assert.deepEqual(readCues(captionsText(cues), 7200), cues);
});
