import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { apiKeyHint, isApiKeyWellFormed, makeApiKey, randomBase62 } from './api-key.ts';

describe('API keys', () => {
  it('have a recognisable prefix and a valid checksum', () => {
    for (let round = 0; round < 200; round += 1) {
      const key = makeApiKey();
      assert.match(key, /^rg_[0-9A-Za-z]{38}$/);
      assert.ok(isApiKeyWellFormed(key), key);
    }
  });

  it('are unique', () => {
    assert.equal(new Set(Array.from({ length: 500 }, makeApiKey)).size, 500);
  });

  it('fail the checksum when any character is changed', () => {
    const key = makeApiKey();
    for (let at = 0; at < key.length; at += 1) {
      const other = key[at] === 'x' ? 'y' : 'x';
      assert.equal(isApiKeyWellFormed(key.slice(0, at) + other + key.slice(at + 1)), false, `position ${at}`);
    }
  });

  for (const [name, text] of [
    ['empty', ''],
    ['prefix only', 'rg_'],
    ['too short', 'rg_abc'],
    ['another prefix', `sk_${'a'.repeat(38)}`],
    ['a line break at the end', `${makeApiKey()}\n`],
    ['blanks', ` ${makeApiKey()}`],
    ['characters outside base62', `rg_${'-'.repeat(38)}`],
    ['too long', `${makeApiKey()}0`],
  ] as const) {
    it(`refuses ${name}`, () => assert.equal(isApiKeyWellFormed(text), false));
  }

  it('have a hint that reveals only a few characters', () => {
    const key = makeApiKey();
    assert.equal(apiKeyHint(key), `${key.slice(0, 7)}…${key.slice(-4)}`);
  });
});

describe('random base62', () => {
  it('uses all characters about equally often', () => {
    const counts = new Map<string, number>();
    for (const character of randomBase62(62_000)) counts.set(character, (counts.get(character) ?? 0) + 1);
    assert.equal(counts.size, 62);
    for (const [character, count] of counts) assert.ok(count > 800 && count < 1_200, `${character}: ${count}`);
  });
});
