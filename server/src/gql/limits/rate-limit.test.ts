import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RateLimiter } from './rate-limit.ts';

describe('token buckets', () => {
  const limiter = () => new RateLimiter({ capacity: 100, refillPerSecond: 10 });

  test('begin full and give out no more than they hold', () => {
    const buckets = limiter();
    assert.equal(buckets.available('a', 0), 100);
    assert.equal(buckets.take('a', 60, 0), 40);
    assert.equal(buckets.secondsUntil('a', 41, 0), 1);
    assert.equal(buckets.secondsUntil('a', 40, 0), 0);
  });

  test('refill with time, up to what they hold', () => {
    const buckets = limiter();
    buckets.take('a', 100, 0);
    assert.equal(buckets.available('a', 500), 5);
    assert.equal(buckets.secondsUntil('a', 100, 500), 10);
    assert.equal(buckets.available('a', 60_000), 100);
  });

  test('take back what was not used, without overflowing', () => {
    const buckets = limiter();
    buckets.take('a', 50, 0);
    assert.equal(buckets.take('a', -80, 0), 100);
  });

  test('are separate', () => {
    const buckets = limiter();
    buckets.take('a', 100, 0);
    assert.equal(buckets.available('b', 0), 100);
  });

  test('do not lose points to a clock that goes back', () => {
    const buckets = limiter();
    buckets.take('a', 50, 10_000);
    assert.equal(buckets.available('a', 5_000), 50);
  });

  test('ask for no longer than a full bucket takes, even for more than it holds', () => {
    const buckets = limiter();
    buckets.take('a', 100, 0);
    assert.equal(buckets.secondsUntil('a', 1_000, 0), 10);
  });
});
