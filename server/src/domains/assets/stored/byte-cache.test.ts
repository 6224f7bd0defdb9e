import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ByteCache } from './byte-cache.ts';

describe('a cache of bytes', () => {
  const loads: string[] = [];
  const load = (key: string, bytes: number) => async () => {
    loads.push(key);
    return { value: key.toUpperCase(), bytes };
  };

  it('loads once for concurrent callers, and keeps what was used last', async () => {
    const cache = new ByteCache<string>(100);
    assert.deepEqual(await Promise.all([cache.get('a', load('a', 25)), cache.get('a', load('a', 25))]), ['A', 'A']);
    for (const key of ['b', 'c', 'd']) await cache.get(key, load(key, 25));
    await cache.get('a', load('a', 25));
    await cache.get('e', load('e', 25)); // 'b' leaves: it was used least recently
    loads.length = 0;
    for (const key of ['a', 'c', 'd', 'e', 'b']) assert.equal(await cache.get(key, load(key, 25)), key.toUpperCase());
    assert.deepEqual(loads, ['b']);
  });

  it('keeps nothing that is missing, too large, or failed', async () => {
    const cache = new ByteCache<string>(100);
    loads.length = 0;
    for (const bytes of [0, 26]) for (let times = 0; times < 2; times += 1) await cache.get('x', load('x', bytes));
    assert.deepEqual(loads, ['x', 'x', 'x', 'x']);
    await assert.rejects(
      cache.get('y', () => Promise.reject(new Error('unreadable'))),
      /unreadable/,
    );
    assert.equal(await cache.get('y', load('y', 1)), 'Y');
  });
});
