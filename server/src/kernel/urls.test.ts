import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from './errors.ts';
import { readUrl } from './urls.ts';

describe('URLs', () => {
  for (const [given, href] of [
    ['https://example.com', 'https://example.com/'],
    [' HTTP://EXAMPLE.com:80/a b?q#f ', 'http://example.com/a%20b?q#f'],
  ] as const) {
    it(`reads ${given}`, () => assert.equal(readUrl(given, 'input.url').href, href));
  }
  const longest = `https://example.com/${'a'.repeat(2_048 - 20)}`;
  it('reads 2,048 characters', () => assert.equal(readUrl(longest, 'input.url').href, longest));
  for (const given of [
    `${longest}a`,
    `https://example.com/${'ü'.repeat(1_000)}`,
    'example.com',
    '',
    'javascript:alert(1)',
    'ftp://example.com/',
    'https://user@example.com/',
    'https://:secret@example.com/',
  ]) {
    it(`refuses ${given.slice(0, 40)}`, () => {
      assert.throws(
        () => readUrl(given, 'input.url'),
        (error) => error instanceof AppError && error.code === 'INVALID_INPUT' && error.field === 'input.url',
      );
    });
  }
});
