import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { playedPosition, recordedRanges } from './chat-positions.ts';

const KEPT = [
  { startMs: 10_000, endMs: 20_000 },
  { startMs: 50_000, endMs: 80_000 },
];

describe('positions of messages in a trimmed recording', () => {
  for (const [positionMs, kept, expected] of [
    [15_000, null, 15_000],
    [null, KEPT, null],
    [9_999, KEPT, null],
    [10_000, KEPT, 0],
    [19_999, KEPT, 9_999],
    [20_000, KEPT, null],
    [50_000, KEPT, 10_000],
    [79_000, KEPT, 39_000],
    [80_000, KEPT, null],
  ] as const)
    it(`are ${expected} for ${positionMs} where ${kept ? 'two ranges are' : 'all is'} kept`, () => {
      assert.equal(playedPosition(positionMs, kept), expected);
    });

  it('are found again in the recording', () => {
    assert.deepEqual(recordedRanges(60_000, 120_000, null), [{ startMs: 60_000, endMs: 120_000 }]);
    assert.deepEqual(recordedRanges(0, 60_000, KEPT), KEPT);
    assert.deepEqual(recordedRanges(5_000, 15_000, KEPT), [
      { startMs: 15_000, endMs: 20_000 },
      { startMs: 50_000, endMs: 55_000 },
    ]);
    assert.deepEqual(recordedRanges(60_000, 120_000, KEPT), []);
  });
});
