import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDurationPlausible } from './plausible-duration.ts';

test('a truncated video is detected, rounding is ignored', () => {
  assert.equal(isDurationPlausible(60.03, 60_000), true);
  assert.equal(isDurationPlausible(1, 1_060), true);
  assert.equal(isDurationPlausible(20, 60_000), false);
});
