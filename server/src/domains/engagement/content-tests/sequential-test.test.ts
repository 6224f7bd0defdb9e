import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chancesToBeBest, findWinner, liftOver } from './sequential-test.ts';
import { shareOfWinners } from './simulated-test.fixture.ts';

// Expected values come from Python: lgamma of its standard library, and 400,000 random draws for the chances.
describe('a sequential test of clicks', () => {
  it('names a winner from a certain lead on, which is larger among three', () => {
    const leads = [
      [0, 29, 34],
      [10, 41, 47],
      [100, 151, 159],
      [1_000, 1_143, 1_160],
    ] as const;
    for (const [behind, ofTwo, ofThree] of leads) {
      assert.equal(findWinner([behind, ofTwo - 1]), null);
      assert.equal(findWinner([behind, ofTwo]), 1);
      assert.equal(findWinner([ofTwo, behind]), 0);
      assert.equal(findWinner([behind, behind, ofThree - 1]), null);
      assert.equal(findWinner([behind, ofThree, behind]), 1);
    }
  });

  it('names none where two are far ahead of the third', () => {
    assert.equal(findWinner([100, 400, 390]), null);
    assert.equal(findWinner([100, 400, 200]), 1);
  });

  it('names none without clicks, or where all are clicked equally often', () => {
    assert.equal(findWinner([0, 0]), null);
    assert.equal(findWinner([0, 0, 0]), null);
    assert.equal(findWinner([80_000, 80_000]), null);
  });

  it('tells the lift over the first variant with its range', () => {
    const cases = [
      { viewers: [60, 101], lift: [0.6833, -0.0111, 1.938] },
      { viewers: [230, 182], lift: [-0.2087, -0.4109, 0.0594] },
      { viewers: [4_800, 5_200], lift: [0.0833, 0.0145, 0.1569] },
      { viewers: [400, 600, 10], lift: [0.5, 0.1775, 0.9185] },
      { viewers: [30, 0], lift: [-1, -1, -0.026] },
      { viewers: [0, 30], lift: [null, 0.0267, null] },
      { viewers: [0, 0], lift: [null, -1, null] },
    ] as const;
    for (const { viewers, lift } of cases) {
      const { measured, low, high } = liftOver(viewers, 1);
      const rounded = [measured, low, high].map((value) => value && Math.round(value * 10_000) / 10_000);
      assert.deepEqual(rounded, lift);
    }
  });

  it('tells how likely each variant is the best', () => {
    const cases = [
      { viewers: [0, 0], chances: [0.5, 0.5] },
      { viewers: [60, 40], chances: [0.922, 0.078] },
      { viewers: [182, 230], chances: [0.0166, 0.9834] },
      { viewers: [100, 120, 80], chances: [0.1307, 0.8635, 0.0059] },
      { viewers: [1_000, 1_100, 1_050], chances: [0.0098, 0.8462, 0.144] },
      { viewers: [0, 2_000_000], chances: [0, 1] },
    ];
    for (const { viewers, chances } of cases) {
      const found = chancesToBeBest(viewers);
      assert.equal(found.length, chances.length);
      found.forEach((chance, place) => {
        assert.ok(Math.abs(chance - (chances[place] ?? 0)) < 0.002, `${viewers}: ${found}`);
      });
    }
  });

  it('rarely names a winner among equal variants that are looked at every day', () => {
    for (const rates of [
      [0.05, 0.05],
      [0.05, 0.05, 0.05],
    ]) {
      const share = shareOfWinners({ tests: 300, days: 30, viewersPerDay: 400, rates, seed: 7 });
      assert.ok(share.any <= 0.05, `${rates}: ${share.any}`);
    }
  });

  it('finds a variant that is clicked 1.4 times as often', () => {
    const two = shareOfWinners({ tests: 100, days: 30, viewersPerDay: 800, rates: [0.05, 0.07], seed: 8 });
    assert.ok((two.byPlace[1] ?? 0) >= 0.95, `${two.byPlace}`);
    assert.equal(two.byPlace[0], 0);
    const three = shareOfWinners({ tests: 100, days: 30, viewersPerDay: 1_200, rates: [0.05, 0.05, 0.07], seed: 9 });
    assert.ok((three.byPlace[2] ?? 0) >= 0.9, `${three.byPlace}`);
  });
});
