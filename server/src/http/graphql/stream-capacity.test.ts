import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StreamCapacity } from './stream-capacity.ts';

const EXCEEDED = { code: 'RATE_LIMIT_EXCEEDED' };

describe('the capacity for streams', () => {
  it('is limited for an account and in total, and returns once with each that ends', () => {
    const capacity = new StreamCapacity({ perAccount: 2, total: 3 });
    const end = capacity.claim('a');
    capacity.claim('a');
    assert.throws(() => capacity.claim('a'), EXCEEDED);
    capacity.claim('b');
    assert.throws(() => capacity.claim('b'), EXCEEDED);
    end();
    end();
    capacity.claim('a');
    assert.throws(() => capacity.claim('a'), EXCEEDED);
    assert.throws(() => capacity.claim('b'), EXCEEDED);
  });

  it('is none once the instance stops', () => {
    const capacity = new StreamCapacity({ perAccount: 1, total: 1 });
    capacity.close();
    assert.throws(() => capacity.claim('a'), EXCEEDED);
  });
});
