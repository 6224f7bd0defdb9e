import assert from 'node:assert/strict';
import { it } from 'node:test';
import { shareOfWinners } from './simulated-test.fixture.ts';

const EQUAL = [
  { rates: [0.03, 0.03], viewersPerDay: 2_000 },
  { rates: [0.2, 0.2], viewersPerDay: 200 },
  { rates: [0.05, 0.05, 0.05], viewersPerDay: 1_000 },
] as const;

for (const { rates, viewersPerDay } of EQUAL) {
  it(`at most 5 % of 4,000 tests name a winner among variants with a rate of ${rates.join(', ')}`, () => {
    const { any } = shareOfWinners({ tests: 4_000, days: 30, viewersPerDay, rates, seed: 21 });
    assert.ok(any <= 0.05, `${any}`);
  });
}

it('at most 5 % of 4,000 tests name one of two equal variants a winner that are better than the third', () => {
  const { byPlace } = shareOfWinners({
    ...{ tests: 4_000, days: 30, viewersPerDay: 1_000 },
    ...{ rates: [0.03, 0.06, 0.06], seed: 22 },
  });
  assert.ok(byPlace.reduce((sum, share) => sum + share, 0) <= 0.05, `${byPlace}`);
});

it('nearly all tests find a variant that is clicked 1.2 times as often', () => {
  const { byPlace } = shareOfWinners({
    ...{ tests: 500, days: 30, viewersPerDay: 2_000 },
    ...{ rates: [0.05, 0.06], seed: 23 },
  });
  assert.ok((byPlace[1] ?? 0) >= 0.95, `${byPlace}`);
  assert.ok((byPlace[0] ?? 1) <= 0.005, `${byPlace}`);
});
