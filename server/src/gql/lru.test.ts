import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Lru } from './lru.ts';

test('the least recently used entry is forgotten first', () => {
  const lru = new Lru<string, number>(2);
  lru.set('a', 1);
  lru.set('b', 2);
  assert.equal(lru.get('a'), 1);
  lru.set('c', 3);
  assert.deepEqual([lru.get('a'), lru.get('b'), lru.get('c'), lru.size], [1, undefined, 3, 2]);
});
