import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RateLimiter } from './rate-limit.ts';

describe('token buckets', () => {
  const limiter = () => new RateLimiter({ capacity: 100, refillPerSecond: 10 });

  test('start full and never exceed their capacity', () => {
    const buckets = limiter();
    assert.equal(buckets.available('a', 0), 100);
    assert.equal(buckets.take('a', 60, 0), 40);
    assert.equal(buckets.secondsUntil('a', 41, 0), 1);
    assert.equal(buckets.secondsUntil('a', 40, 0), 0);
  });

  test('refill over time, up to their capacity', () => {
    const buckets = limiter();
    buckets.take('a', 100, 0);
    assert.equal(buckets.available('a', 500), 5);
    assert.equal(buckets.secondsUntil('a', 100, 500), 10);
    assert.equal(buckets.available('a', 60_000), 100);
  });

  test('accept refunds, up to their capacity', () => {
    const buckets = limiter();
    buckets.take('a', 50, 0);
    assert.equal(buckets.take('a', -80, 0), 100);
  });

  test('are independent', () => {
    const buckets = limiter();
    buckets.take('a', 100, 0);
    assert.equal(buckets.available('b', 0), 100);
  });

  test('do not lose points when the clock goes back', () => {
    const buckets = limiter();
    buckets.take('a', 50, 10_000);
    assert.equal(buckets.available('a', 5_000), 50);
  });

  test('report at most the time for a full bucket, even for more points', () => {
    const buckets = limiter();
    buckets.take('a', 100, 0);
    assert.equal(buckets.secondsUntil('a', 1_000, 0), 10);
  });
});
