import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Band } from '@reelgraph/forecast';
import { figuresOf } from './evaluate.ts';

it('measures forecasts by the errors of logarithms, the strongest videos and the range', () => {
  // 40 videos with 1 to 40 views; the 5 % with the most are the last two.
  const views = Array.from({ length: 40 }, (_, index) => index + 1);
  const forecasts = views.map((count): Band => [count, count, count]);
  assert.deepEqual(figuresOf(forecasts, views), { male: 0, precisionAtTop: 1, coverage: 1 });
  // One of 40 is forecast as 10 · (views + 1) - 1, which puts it before the real ones and outside of its range.
  forecasts[9] = [100, 109, 120];
  const { male, precisionAtTop, coverage } = figuresOf(forecasts, views);
  assert.ok(Math.abs(male - Math.log(10) / 40) < 1e-12);
  assert.deepEqual([precisionAtTop, coverage], [0.5, 0.975]);
});
