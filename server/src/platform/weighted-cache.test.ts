import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WeightedCache } from './weighted-cache.ts';

describe('a cache with a capacity', () => {
  it('drops the entries used longest ago, by their weight', () => {
    const dropped: string[] = [];
    const cache = new WeightedCache<string>(10, (value) => dropped.push(value));
    cache.set('a', 'A', 4);
    cache.set('b', 'B', 4);
    assert.equal(cache.get('a'), 'A');
    cache.set('c', 'C', 4);
    assert.deepEqual([dropped, [...cache.keys()], cache.weight], [['B'], ['a', 'c'], 8]);
    cache.set('d', 'D', 10);
    assert.deepEqual([dropped, [...cache.keys()], cache.weight], [['B', 'A', 'C'], ['d'], 10]);
  });

  it('does not keep an entry above the capacity', () => {
    const cache = new WeightedCache<string>(10);
    cache.set('a', 'A', 11);
    assert.deepEqual([cache.get('a'), cache.size, cache.weight], [undefined, 0, 0]);
  });

  it('drops what is replaced or deleted', () => {
    const dropped: string[] = [];
    const cache = new WeightedCache<string>(2, (value) => dropped.push(value));
    cache.set('a', 'A');
    cache.set('a', 'AA');
    cache.delete('a');
    cache.delete('a');
    assert.deepEqual([dropped, cache.get('a'), cache.size, cache.weight], [['A', 'AA'], undefined, 0, 0]);
  });
});
