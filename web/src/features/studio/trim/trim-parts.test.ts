import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  joined,
  keptParts,
  lengthOf,
  moveClipEdge,
  movePartEdge,
  type Part,
  removePart,
  removeUntil,
  skipTo,
} from './trim-parts.ts';

type Pair = readonly [startMs: number, endMs: number];
const parts = (...pairs: Pair[]): Part[] => pairs.map(([startMs, endMs]) => ({ startMs, endMs }));
const pairs = (found: readonly Part[]): Pair[] => found.map(({ startMs, endMs }) => [startMs, endMs]);
const LONG = 60_000;

describe('parts of a video that are removed', () => {
  it('become one where they meet or overlap', () => {
    assert.deepEqual(pairs(joined(parts([5000, 9000], [0, 2000], [2000, 3000], [8000, 8500]))), [
      [0, 3000],
      [5000, 9000],
    ]);
  });

  const kept: [string, Pair[], Pair[]][] = [
    ['all', [], [[0, LONG]]],
    ['the end', [[0, 1000]], [[1000, LONG]]],
    ['the beginning', [[50_000, LONG]], [[0, 50_000]]],
    [
      'both sides of a part',
      [[10_000, 20_000]],
      [
        [0, 10_000],
        [20_000, LONG],
      ],
    ],
    ['nothing', [[0, LONG]], []],
  ];
  for (const [name, removed, expected] of kept)
    it(`leave ${name}`, () => assert.deepEqual(pairs(keptParts(parts(...removed), LONG)), expected));

  it('are added before and after a moment, and from it on', () => {
    assert.deepEqual(pairs(removeUntil([], 'start', 4000, LONG)), [[0, 4000]]);
    assert.deepEqual(pairs(removeUntil(parts([0, 4000]), 'end', 50_000, LONG)), [
      [0, 4000],
      [50_000, LONG],
    ]);
    assert.deepEqual(pairs(removeUntil([], 'start', 50, LONG)), [], 'not less than a tenth of a second');
    assert.deepEqual(pairs(removePart([], 10_000, LONG)), [[10_000, 15_000]]);
    assert.deepEqual(pairs(removePart([], LONG, LONG)), [[59_900, LONG]]);
  });

  it('are resized between their neighbours', () => {
    const removed = parts([0, 4000], [10_000, 15_000]);
    assert.deepEqual(pairs(movePartEdge(removed, 1, 'start', 2000, LONG)), [
      [0, 4000],
      [4000, 15_000],
    ]);
    assert.deepEqual(pairs(movePartEdge(removed, 1, 'end', 99_000, LONG)), [
      [0, 4000],
      [10_000, LONG],
    ]);
    assert.deepEqual(pairs(movePartEdge(removed, 0, 'end', -5, LONG)), [
      [0, 100],
      [10_000, 15_000],
    ]);
  });

  it('are skipped', () => {
    const removed = parts([0, 4000], [10_000, 15_000]);
    assert.deepEqual(
      [0, 3999, 4000, 12_000, 15_000].map((ms) => skipTo(removed, ms)),
      [4000, 4000, null, 15_000, null],
    );
  });

  it('have a length', () => assert.equal(lengthOf(parts([0, 4000], [10_000, 15_000])), 9000));
});

it('a clip is a second or more, inside the video', () => {
  const clip = { startMs: 10_000, endMs: 20_000 };
  assert.deepEqual(moveClipEdge(clip, 'start', 19_500, LONG), { startMs: 19_000, endMs: 20_000 });
  assert.deepEqual(moveClipEdge(clip, 'end', 99_000, LONG), { startMs: 10_000, endMs: LONG });
  assert.deepEqual(moveClipEdge(clip, 'start', -1, LONG), { startMs: 0, endMs: 20_000 });
});
