import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  composeRanges,
  keepChapters,
  keepCues,
  lengthOf,
  restoreChapters,
  restoreCues,
  restoreTime,
  type TimeRange,
} from './ranges.ts';

type Pair = readonly [startMs: number, endMs: number];
const ranges = (...pairs: Pair[]): TimeRange[] => pairs.map(([startMs, endMs]) => ({ startMs, endMs }));
const pairs = (found: readonly TimeRange[]): Pair[] => found.map(({ startMs, endMs }) => [startMs, endMs]);
const cues = (...times: Pair[]) => times.map(([startMs, endMs], index) => ({ startMs, endMs, text: `${index}` }));
const RULES = { leastMs: 10_000, leastCount: 3 };

it('the length of ranges is the sum of theirs', () => {
  assert.equal(lengthOf(ranges([1000, 3000], [5000, 5500])), 2500);
});

describe('ranges of ranges', () => {
  const cases: [string, Pair[], Pair[], Pair[]][] = [
    ['inside one', [[1000, 9000]], [[500, 2000]], [[1500, 3000]]],
    [
      'across a removed part',
      [
        [0, 1000],
        [4000, 6000],
      ],
      [[500, 2000]],
      [
        [500, 1000],
        [4000, 5000],
      ],
    ],
    [
      'of the second only',
      [
        [0, 1000],
        [4000, 6000],
      ],
      [[1000, 1500]],
      [[4000, 4500]],
    ],
    [
      'that meet become one',
      [[0, 10_000]],
      [
        [0, 2000],
        [2000, 3000],
      ],
      [[0, 3000]],
    ],
    ['beyond the end are cut off', [[2000, 3000]], [[0, 5000]], [[2000, 3000]]],
    [
      'of everything are the same',
      [
        [100, 200],
        [300, 400],
      ],
      [[0, 200]],
      [
        [100, 200],
        [300, 400],
      ],
    ],
  ];
  for (const [name, outer, inner, expected] of cases)
    it(name, () => assert.deepEqual(pairs(composeRanges(ranges(...outer), ranges(...inner))), expected));
});

describe('cues of the parts that are kept', () => {
  const KEPT = ranges([2000, 4000], [6000, 9000]);
  const cases: [string, Pair, Pair[]][] = [
    ['before the first part are gone', [0, 1500], []],
    ['inside a part are earlier', [2500, 3500], [[500, 1500]]],
    ['that begin before a part are cut at its start', [1000, 2800], [[0, 800]]],
    ['that end after a part are cut at its end', [3500, 5000], [[1500, 2000]]],
    ['in a removed part are gone', [4500, 5500], []],
    ['around a removed part stay one', [3000, 7000], [[1000, 3000]]],
    ['of which too little is left are gone', [3950, 5500], []],
    ['of exactly a tenth of a second stay', [3900, 4500], [[1900, 2000]]],
    ['in the last part follow the first', [8000, 9500], [[4000, 5000]]],
  ];
  for (const [name, cue, expected] of cases)
    it(name, () => assert.deepEqual(pairs(keepCues(KEPT, cues(cue))), expected));

  it('keep their text, in the order of their starts', () => {
    assert.deepEqual(
      keepCues(ranges([1000, 5000]), cues([3000, 4000], [0, 2000])).map(({ startMs, text }) => [startMs, text]),
      [
        [0, '1'],
        [2000, '0'],
      ],
    );
  });

  it('are where they were in the whole video again', () => {
    const before = cues([2500, 3500], [3800, 6200], [7000, 9000]);
    assert.deepEqual(restoreCues(KEPT, keepCues(KEPT, before)), before);
  });
});

describe('moments in the whole video', () => {
  const KEPT = ranges([2000, 4000], [6000, 9000]);
  const cases: [number, 'start' | 'end', number][] = [
    [0, 'start', 2000],
    [1999, 'start', 3999],
    [2000, 'start', 6000],
    [2000, 'end', 4000],
    [5000, 'end', 9000],
    [9999, 'start', 9000],
  ];
  for (const [ms, edge, expected] of cases)
    it(`${ms} ms as ${edge}: ${expected} ms`, () => assert.equal(restoreTime(KEPT, ms, edge), expected));
});

describe('chapters of the parts that are kept', () => {
  const chapters = (...starts: number[]) => starts.map((seconds) => ({ startMs: seconds * 1000, title: `${seconds}` }));
  const cases: [string, Pair[], number[], [number, string][]][] = [
    [
      'move',
      [[20_000, 100_000]],
      [0, 30, 60, 90],
      [
        [0, '0'],
        [10_000, '30'],
        [40_000, '60'],
        [70_000, '90'],
      ],
    ],
    [
      'that are removed go',
      [
        [0, 30_000],
        [60_000, 120_000],
      ],
      [0, 30, 60, 90],
      [
        [0, '0'],
        [30_000, '60'],
        [60_000, '90'],
      ],
    ],
    [
      'that become too short are merged with the one before',
      [
        [0, 35_000],
        [60_000, 120_000],
      ],
      [0, 30, 60, 90],
      [
        [0, '0'],
        [35_000, '60'],
        [65_000, '90'],
      ],
    ],
    [
      'with a first one that becomes too short begin with the second',
      [[25_000, 120_000]],
      [0, 30, 60, 90],
      [
        [0, '30'],
        [35_000, '60'],
        [65_000, '90'],
      ],
    ],
    ['are none where fewer than three are left', [[0, 45_000]], [0, 30, 60, 90], []],
  ];
  for (const [name, kept, starts, expected] of cases)
    it(name, () =>
      assert.deepEqual(
        keepChapters(ranges(...kept), chapters(...starts), RULES).map(({ startMs, title }) => [startMs, title]),
        expected,
      ),
    );

  it('are where they were in the whole video again, the first at 0', () => {
    assert.deepEqual(
      restoreChapters(ranges([20_000, 100_000]), [
        { startMs: 0, title: 'a' },
        { startMs: 10_000, title: 'b' },
      ]),
      [
        { startMs: 0, title: 'a' },
        { startMs: 30_000, title: 'b' },
      ],
    );
  });
});
