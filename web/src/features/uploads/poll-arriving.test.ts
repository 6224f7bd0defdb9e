import assert from 'node:assert/strict';
import { it } from 'node:test';
import { arrivingPollMs } from './poll-arriving.ts';

for (const [sinceMs, expected] of [
  [0, 200],
  [2_000, 200],
  [10_000, 1_000],
  [3_600_000, 5_000],
] as const)
  it(`an upload of ${sinceMs} ms is asked for again after ${expected} ms`, () =>
    assert.equal(arrivingPollMs(sinceMs), expected));
