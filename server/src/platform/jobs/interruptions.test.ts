import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decideAfterInterruption, INTERRUPTED_MS, type Interruptions } from './interruptions.ts';

const FIRST: Interruptions = {
  ...{ work: 'encode-chunk 1', count: 1, sinceMs: 0, deaths: 1, othersSurvived: false, wasAlone: false },
};
const HOUR_MS = 3_600_000;

const CASES: readonly [string, Partial<Interruptions>, string][] = [
  ['the first interruption', {}, 'again after 0 s'],
  ['the second', { count: 2, deaths: 2 }, 'again after 2 s'],
  ['the fifth', { count: 5, deaths: 5 }, 'again after 16 s'],
  ['the hundredth, with everything else', { count: 100, deaths: 100, sinceMs: 9 * HOUR_MS }, 'again after 300 s'],
  ['two deaths that others survived', { count: 2, deaths: 2, othersSurvived: true }, 'again after 2 s'],
  ['three deaths that nothing survived', { count: 3, deaths: 3 }, 'again after 4 s'],
  ['three deaths of which others survived one', { count: 3, deaths: 3, othersSurvived: true }, 'apart'],
  ['many lost claims, but no death', { count: 9, deaths: 0, othersSurvived: true }, 'again after 256 s'],
  ['the death of a process that did nothing else', { count: 4, deaths: 4, wasAlone: true }, 'give-up'],
  ['almost a day', { count: 200, deaths: 1, sinceMs: INTERRUPTED_MS - 1 }, 'again after 300 s'],
  ['a day', { count: 200, deaths: 1, sinceMs: INTERRUPTED_MS }, 'give-up'],
  ['a day of work set apart', { count: 3, deaths: 3, othersSurvived: true, sinceMs: INTERRUPTED_MS }, 'give-up'],
];

describe('what happens to interrupted work', () => {
  for (const [name, past, expected] of CASES)
    it(`${name}: ${expected}`, () => {
      const decision = decideAfterInterruption({ ...FIRST, ...past });
      assert.equal(decision.kind === 'again' ? `again after ${decision.afterSeconds} s` : decision.kind, expected);
    });

  it('says which of both ended it', () => {
    const reasonOf = (past: Partial<Interruptions>) => {
      const decision = decideAfterInterruption({ ...FIRST, ...past });
      return decision.kind === 'give-up' ? `${decision.reason.message} ${decision.reason.suggestedFix}` : '';
    };
    assert.match(reasonOf({ deaths: 4, wasAlone: true }), /ended 4 times .* nothing else.* name it encode-chunk 1\./);
    assert.match(reasonOf({ count: 200, sinceMs: INTERRUPTED_MS }), /interrupted 200 times .* tried for a day/);
  });
});
