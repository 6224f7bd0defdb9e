import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Lru } from './lru.ts';

describe('bounded map', () => {
  test('never exceeds its limit, and always has the last used entry', () => {
    const lru = new Lru<number, number>(10);
    for (let key = 0; key < 100; key += 1) {
      lru.set(key, key);
      assert.equal(lru.get(key), key);
      assert.ok(lru.size <= 10);
      for (let recent = Math.max(0, key - 4); recent <= key; recent += 1) assert.equal(lru.get(recent), recent);
    }
    assert.equal(lru.get(0), undefined);
  });

  test('keeps frequently used entries', () => {
    const lru = new Lru<string, number>(4);
    lru.set('often', 1);
    for (let key = 0; key < 50; key += 1) {
      lru.set(String(key), key);
      assert.equal(lru.get('often'), 1);
    }
  });

  test('replaces the value of a key', () => {
    const lru = new Lru<string, number>(4);
    lru.set('a', 1);
    lru.set('a', 2);
    assert.deepEqual([lru.get('a'), lru.size], [2, 1]);
  });
});
