import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { binRows, boost, sumOfTrees } from './quantile-trees.ts';
import { randomFrom } from './random.ts';

const ROWS = 2_000;

describe('quantile trees', () => {
  const random = randomFrom(7);
  const x = Float64Array.from({ length: 2 * ROWS }, () => random());
  // Uniform from 0 to 1 where the first column is low, from 10 to 30 where it is high; the second one is noise.
  const y = Float64Array.from({ length: ROWS }, (_, row) => (x[2 * row]! < 0.5 ? random() : 10 + 20 * random()));
  const all = Int32Array.from({ length: ROWS }, (_, row) => row);
  const data = binRows(x, ROWS, 2);
  const fit = (quantile: number, rows = all) => {
    const options = { quantile, trees: 150, rate: 0.1, depth: 2, minRows: 20, seed: 1 };
    return boost(data, y, new Float64Array(ROWS), rows, options);
  };

  for (const [quantile, low, high] of [
    [0.1, 0.1, 12],
    [0.5, 0.5, 20],
    [0.9, 0.9, 28],
  ] as const) {
    it(`learns the quantile ${quantile} of each group`, () => {
      const trees = fit(quantile);
      assert.ok(Math.abs(sumOfTrees(trees, [0.2, 0.5]) - low) < 0.25, `${sumOfTrees(trees, [0.2, 0.5])}`);
      assert.ok(Math.abs(sumOfTrees(trees, [0.8, 0.5]) - high) < 1.5, `${sumOfTrees(trees, [0.8, 0.5])}`);
    });
  }

  it('gives the same trees for the same seed', () => assert.deepEqual(fit(0.5), fit(0.5)));

  it('predicts the rows it was not given, without learning from them', () => {
    const predictions = new Float64Array(ROWS);
    const high = all.filter((row) => x[2 * row]! >= 0.5);
    const options = { quantile: 0.5, trees: 150, rate: 0.1, depth: 2, minRows: 20, seed: 1 };
    boost(data, y, predictions, high, options);
    const lowRow = all.find((row) => x[2 * row]! < 0.4)!;
    assert.ok(Math.abs(predictions[lowRow]! - 20) < 3, 'it knows only the high group');
  });

  it('leaves equal outcomes alone', () => {
    const flat = new Float64Array(ROWS).fill(3);
    const options = { quantile: 0.9, trees: 100, rate: 0.2, depth: 3, minRows: 20, seed: 1 };
    const trees = boost(data, flat, new Float64Array(ROWS), all, options);
    assert.ok(Math.abs(sumOfTrees(trees, [0.5, 0.5]) - 3) < 1e-6);
  });
});
