import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { nextChunkBytes } from '../uploads/progress.ts';
import { DEFAULT_RETRY, pauseMs, retryAfterMs } from './backoff.ts';
import { Budget } from './budget.ts';

describe('pauses', () => {
  const retry = { ...DEFAULT_RETRY, baseDelayMs: 100, maxDelayMs: 1_000 };

  test('are anything up to a limit that doubles, and stops growing', () => {
    assert.deepEqual(
      [1, 2, 3, 4, 5, 9].map((failures) => pauseMs(failures, retry, null, () => 1)),
      [100, 200, 400, 800, 1_000, 1_000],
    );
    assert.equal(
      pauseMs(3, retry, null, () => 0),
      0,
    );
  });

  test('are what the platform requests and a little more, never less', () => {
    assert.deepEqual([pauseMs(1, retry, 7_000, () => 0), pauseMs(1, retry, 7_000, () => 1)], [7_000, 7_100]);
  });

  for (const [header, expected] of [
    ['2', 2_000],
    ['0', 0],
    ['Thu, 01 Jan 1970 00:00:05 GMT', 4_000],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['soon', null],
    ['', null],
    [null, null],
  ] as const)
    test(`Retry-After ${header} is ${expected} ms`, () => assert.equal(retryAfterMs(header, 1_000), expected));
});

describe('a budget', () => {
  const budget = new Budget();
  budget.note('dear', { requested: 100, actual: 10, available: 40, restoreRate: 20 }, 1_000);

  test('lets wait for what is lacking, and less as time passes', () => {
    assert.deepEqual(
      [1_000, 3_000, 4_000, 9_000].map((nowMs) => budget.waitMs('dear', nowMs)),
      [3_000, 1_000, 0, 0],
    );
  });

  test('does not know the price of what was never answered', () => assert.equal(budget.waitMs('new', 1_000), 0));
});

describe('parts of an upload', () => {
  const [KIB, MIB] = [1024, 1024 * 1024];
  for (const [name, last, ms, expected] of [
    ['grow to at most the double', MIB, 10, 2 * MIB],
    ['shrink to what takes two seconds', 4 * MIB, 8_000, MIB],
    ['are not smaller than 256 KiB', MIB, 60_000, 256 * KIB],
    ['are not larger than allowed', 32 * MIB, 10, 32 * MIB],
  ] as const)
    test(name, () => assert.equal(nextChunkBytes(last, ms, 32 * MIB), expected));

  test('may be held smaller than that by the caller', () => assert.equal(nextChunkBytes(KIB, 1, KIB), KIB));
});
