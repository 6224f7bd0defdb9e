import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LEAST_FACTOR, ratesApart, type SizeRates } from './sizes-apart.ts';

/** Sizes from large to small with averages in kbit/s; peaks are as large unless they are given. */
function sizes(averages: readonly number[], peaks = averages): SizeRates[] {
  return averages.map((kbps, place) => ({
    folder: 'abcdef'[place] ?? '',
    peakBps: 1000 * (peaks[place] ?? kbps),
    averageBps: 1000 * kbps,
  }));
}

const cases: [name: string, of: SizeRates[], preferred: string | null, kept: string][] = [
  ['all that are a factor of 1.4 apart', sizes([1400, 1000, 700, 500, 357, 255]), null, 'abcdef'],
  ['the larger of the two smallest', sizes([1500, 900, 400, 254, 162.026, 159.551]), null, 'abcde'],
  ['none beside the largest where all are close', sizes([100, 99, 98, 97]), 'c', 'a'],
  ['not one that takes more than a larger one', sizes([272, 167, 352, 92, 102, 60]), null, 'abdf'],
  ['the one that was played, in place of those beside it', sizes([600, 300, 290, 280, 100]), 'c', 'ace'],
  ['not the one that was played where it is close to the largest', sizes([600, 590, 200]), 'b', 'ac'],
  ['not those whose peaks alone are close', sizes([600, 300, 100], [700, 600, 300]), null, 'ac'],
  ['the only one', sizes([50]), 'a', 'a'],
  ['none of none', [], 'a', ''],
];

describe('the sizes that stay after encoding', () => {
  for (const [name, of, preferred, kept] of cases) {
    it(`are ${name}`, () => {
      const found = ratesApart(of, preferred);
      assert.equal(found.map(({ folder }) => folder).join(''), kept);
      for (const [index, { peakBps, averageBps }] of found.entries())
        for (const smaller of found.slice(index + 1))
          assert.ok(
            peakBps >= LEAST_FACTOR * smaller.peakBps && averageBps >= LEAST_FACTOR * smaller.averageBps,
            `${averageBps} and ${smaller.averageBps}`,
          );
    });
  }
});
