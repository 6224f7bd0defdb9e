import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PartEnds } from './part-ends.ts';

/** Lengths of the parts of two segments like the one before them, in milliseconds; samples begin at `times`. */
function partsOf(times: readonly number[], end: number, { expected = end, longest = 0.53 } = {}): number[][] {
  const ends = new PartEnds(longest, 1);
  ends.begin(expected, 0);
  return [1, 2].map(() => {
    const found: number[] = [];
    let begun = 0;
    for (const [index, at] of times.entries()) {
      const duration = (times[index + 1] ?? end) - at;
      if (index > 0 && ends.isDue(at - begun, at, duration)) {
        found.push(Math.round(1_000 * (at - begun)));
        begun = at;
      }
      if (index === times.length - 1) ends.begin(end, duration);
    }
    return [...found, Math.round(1_000 * (end - begun))];
  });
}

/** Times of pictures at a rate, as encoders give them: in whole milliseconds. */
const pictures = (rate: number, seconds: number) =>
  Array.from({ length: Math.round(rate * seconds) }, (_, index) => Math.round((1_000 * index) / rate) / 1_000);

describe('the parts of a segment', () => {
  for (const [rate, seconds, expected] of [
    [30, 2, [500, 500, 500, 500]],
    [60, 2, [500, 500, 500, 500]],
    [24, 2, [500, 500, 500, 500]],
    [25, 2, [480, 520, 480, 520]],
    [50, 2, [500, 500, 500, 500]],
    [30_000 / 1_001, 2.002, [501, 500, 501, 500]],
    [25, 4, [480, 520, 480, 520, 480, 520, 480, 520]],
    [30, 2.1, [467, 500, 466, 467, 200]],
    [25, 8.32, [480, 480, 520, 480, 480, 480, 520, 480, 480, 480, 520, 480, 480, 480, 520, 480, 480]],
    [5, 2, [400, 400, 400, 400, 400]],
    [1, 2, [1000, 1000]],
  ] as const)
    it(`are even at ${Math.round(rate)} pictures a second, for ${seconds} s`, () => {
      const [, second] = partsOf(pictures(rate, seconds), seconds);
      assert.deepEqual(second, expected);
    });

  it('are as long as before where the segment turns out to be longer or shorter', () => {
    assert.deepEqual(partsOf(pictures(30, 2.2), 2.2, { expected: 2 })[0], [500, 500, 500, 500, 200]);
    assert.deepEqual(partsOf(pictures(30, 1.2), 1.2, { expected: 2 })[0], [500, 500, 200]);
  });

  it('go on after a gap', () => {
    const [, second] = partsOf([0, 0.1, 0.2, 1.77, 1.8, 2, 2.2, 2.4, 2.6], 2.8);
    assert.deepEqual(second, [200, 1570, 430, 400, 200]);
  });

  it('are whole segments where no part is too long', () => {
    assert.deepEqual(partsOf(pictures(30, 2), 2, { longest: Number.POSITIVE_INFINITY }), [[2000], [2000]]);
  });
});
