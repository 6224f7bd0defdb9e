import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isAtEdge } from './live-edge.ts';

describe('the live edge', () => {
  for (const [time, expected] of [
    [100, true],
    [103, true],
    [96, true],
    [95.9, false],
    [0, false],
  ] as const)
    it(`${expected ? 'is' : 'is not'} at ${time} s where players keep to 100 s`, () => {
      assert.equal(isAtEdge({ position: 100, latency: 2 }, time), expected);
    });
});
