import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Chapter, chaptersInText, checkChapters, shownChapters } from './chapters.ts';

const at = (...starts: number[]): Chapter[] =>
  starts.map((seconds) => ({ startMs: seconds * 1000, title: `At ${seconds}` }));
const MINUTE = 60_000;

describe('chapters in a description', () => {
  const lists: [string, string, [number, string][]][] = [
    [
      'times and titles',
      'A video.\n\n0:00 Intro\n0:30 Middle\n1:30 End\n\nThanks!',
      [
        [0, 'Intro'],
        [30, 'Middle'],
        [90, 'End'],
      ],
    ],
    [
      'leading zeros and dashes',
      '00:00 - Intro\n00:10 – Middle\n00:20 — End',
      [
        [0, 'Intro'],
        [10, 'Middle'],
        [20, 'End'],
      ],
    ],
    [
      'brackets and bullets',
      '- [0:00] Intro\n* (0:15) Middle\n• 0:30 | End',
      [
        [0, 'Intro'],
        [15, 'Middle'],
        [30, 'End'],
      ],
    ],
    [
      'colons after the time',
      '0:00: Intro\n0:15: Middle\n0:30: End: really',
      [
        [0, 'Intro'],
        [15, 'Middle'],
        [30, 'End: really'],
      ],
    ],
    [
      'hours',
      '0:00:00 Intro\n59:59 Middle\n1:02:03 End',
      [
        [0, 'Intro'],
        [3599, 'Middle'],
        [3723, 'End'],
      ],
    ],
    [
      'minutes above an hour',
      '0:00 Intro\n61:00 Middle\n120:30 End',
      [
        [0, 'Intro'],
        [3660, 'Middle'],
        [7230, 'End'],
      ],
    ],
    [
      'titles that look like markup',
      '0:00 <b>Intro</b>\n0:15 &amp;\n0:30 -->',
      [
        [0, '<b>Intro</b>'],
        [15, '&amp;'],
        [30, '-->'],
      ],
    ],
  ];
  for (const [name, text, expected] of lists) {
    it(`are read from ${name}`, () => {
      assert.deepEqual(
        chaptersInText(text, null),
        expected.map(([seconds, title]) => ({ startMs: seconds * 1000, title })),
      );
    });
  }

  const none: [string, string, number | null][] = [
    ['no times', 'A video about nothing.', null],
    ['two chapters only', '0:00 Intro\n0:30 End', null],
    ['a first chapter later than 0', '0:05 Intro\n0:30 Middle\n0:50 End', null],
    ['times that fall', '0:00 Intro\n0:30 Middle\n0:20 End', null],
    ['a chapter of nine seconds', '0:00 Intro\n0:09 Middle\n0:20 End', null],
    ['a chapter after the end', '0:00 Intro\n0:10 Middle\n1:10 End', MINUTE],
    ['times without titles', '0:00\n0:10\n0:20', null],
    ['seconds above 59', '0:00 Intro\n0:75 Middle\n2:00 End', null],
    ['times inside sentences', 'We start at 0:00 sharp\nthen 0:30 lunch\nthen 1:00 dinner', null],
    [
      'a hundred and one chapters',
      at(...Array.from({ length: 101 }, (_, i) => i * 10))
        .map(({ startMs }) => `${Math.floor(startMs / MINUTE)}:${String((startMs / 1000) % 60).padStart(2, '0')} x`)
        .join('\n'),
      null,
    ],
  ];
  for (const [name, text, durationMs] of none) {
    it(`are empty for ${name}`, () => assert.deepEqual(chaptersInText(text, durationMs), []));
  }

  it('have titles of at most 100 characters, without split surrogate pairs', () => {
    const [first] = chaptersInText(`0:00 ${'😀'.repeat(120)}\n0:10 b\n0:20 c`, null);
    assert.equal(first?.title, '😀'.repeat(100));
  });

  it('are parsed quickly from the longest description', () => {
    const started = process.cpuUsage();
    chaptersInText(`0:00${' - '.repeat(1_600)}`, null);
    assert.ok(process.cpuUsage(started).user < 200_000);
  });
});

describe('chapters that are set', () => {
  const cases: [string, Chapter[], number | null, number | null | 'fine'][] = [
    ['three of ten seconds', at(0, 10, 20), 30_000, 'fine'],
    ['a hundred', at(...Array.from({ length: 100 }, (_, i) => i * 10)), null, 'fine'],
    ['two', at(0, 10), MINUTE, null],
    ['a hundred and one', at(...Array.from({ length: 101 }, (_, i) => i * 10)), null, null],
    ['a late first', at(1, 20, 40), MINUTE, 0],
    ['the same start twice', at(0, 20, 20), MINUTE, 2],
    ['a short one', at(0, 9.999, 30), MINUTE, 1],
    ['a short last one', at(0, 20, 50.001), MINUTE, 2],
    ['one after the end', at(0, 20, 90), MINUTE, 2],
    ['one whose video is not known', at(0, 20, 90), null, 'fine'],
  ];
  for (const [name, chapters, durationMs, index] of cases) {
    it(`are validated: ${name}`, () => {
      const error = checkChapters(chapters, durationMs);
      assert.deepEqual(error ? error.index : 'fine', index);
      if (error) assert.ok(error.message && error.suggestedFix);
    });
  }
});

describe('chapters that are shown', () => {
  const description = '0:00 Intro\n0:15 Middle\n0:30 End';
  it('are those that were set, in preference to those of the description', () => {
    const shown = shownChapters({ set: at(0, 10, 20), description, durationMs: MINUTE });
    assert.deepEqual(
      shown.map(({ startMs, endMs }) => [startMs, endMs]),
      [
        [0, 10_000],
        [10_000, 20_000],
        [20_000, MINUTE],
      ],
    );
  });
  it('are otherwise those of the description, the last without an end while the duration is unknown', () => {
    const shown = shownChapters({ set: null, description, durationMs: null });
    assert.deepEqual(
      shown.map(({ title, endMs }) => [title, endMs]),
      [
        ['Intro', 15_000],
        ['Middle', 30_000],
        ['End', null],
      ],
    );
  });
  it('are cut to the duration of a shorter video', () => {
    const shown = shownChapters({ set: at(0, 10, 20), description, durationMs: 15_000 });
    assert.deepEqual(
      shown.map(({ startMs, endMs }) => [startMs, endMs]),
      [
        [0, 10_000],
        [10_000, 15_000],
      ],
    );
  });
});
