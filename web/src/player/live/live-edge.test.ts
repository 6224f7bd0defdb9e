import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isAtEdge, isLiveStream } from './live-edge.ts';

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

describe('a live stream', () => {
  for (const [what, details, expected] of [
    ['a broadcast', { live: true, startTimeOffset: null }, true],
    ['a video', { live: false, startTimeOffset: null }, false],
    ['a video that arrives', { live: true, startTimeOffset: 0 }, false],
  ] as const)
    it(`${expected ? 'is' : 'is not'} ${what}`, () => assert.equal(isLiveStream(details), expected));
});
