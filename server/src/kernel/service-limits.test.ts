import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { costLimit, limitHeaders } from './service-limits.ts';

describe('RateLimit headers', () => {
  it('name each limit with its quota, window, unit and what is left', () => {
    const limits = [
      { name: 'cost', quota: 2_000, windowSeconds: 20, remaining: 1_987.4, resetSeconds: 0.126 },
      { name: 'concurrency', quota: 200, unit: 'concurrent-requests', remaining: 199 },
    ] as const;
    assert.deepEqual(limitHeaders(limits), {
      'ratelimit-policy': '"cost";q=2000;w=20, "concurrency";q=200;qu="concurrent-requests"',
      ratelimit: '"cost";r=1987;t=1, "concurrency";r=199',
    });
  });

  it('have whole numbers that are not negative', () => {
    const limit = costLimit({ available: -250, restoreRate: 7 }, 100);
    assert.deepEqual(limitHeaders([limit]), { 'ratelimit-policy': '"cost";q=100;w=15', ratelimit: '"cost";r=0;t=50' });
  });
});
