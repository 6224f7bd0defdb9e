import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labelIndexes, nearestIndex, ticks } from './scale.ts';

test('ticks are round numbers that include every value', () => {
  assert.deepEqual(ticks(0, 0, true), [0, 1]);
  assert.deepEqual(ticks(0, 3, true), [0, 1, 2, 3]);
  assert.deepEqual(ticks(0, 97, true), [0, 25, 50, 75, 100]);
  assert.deepEqual(ticks(0, 1, false), [0, 0.25, 0.5, 0.75, 1]);
  assert.deepEqual(ticks(-4, 9, true), [-5, 0, 5, 10]);
  assert.deepEqual(labelIndexes(28, 7), [0, 4, 8, 12, 16, 20, 24]);
  assert.deepEqual(labelIndexes(3, 7), [0, 1, 2]);
  assert.deepEqual(
    [nearestIndex(-5, 100, 11), nearestIndex(52, 100, 11), nearestIndex(900, 100, 11), nearestIndex(5, 100, 1)],
    [0, 5, 10, 0],
  );
});
