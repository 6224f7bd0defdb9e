import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../kernel/errors.ts';
import { parseJson, parseRestJson } from './parse-json.ts';

describe('bodies of REST requests', () => {
  const refused: readonly (readonly [what: string, text: string, field: string | undefined])[] = [
    ['a NUL', '"\\u0000"', undefined],
    ['a NUL in a member', '{"email":"a\\u0000b"}', 'email'],
    ['a NUL far inside', '{"a":[{"b":["c","\\u0000"]}]}', 'a.0.b.1'],
    ['a NUL in a name', '{"a":{"b\\u0000":1}}', 'a'],
    ['the first half of a pair', '{"a":"\\ud83d"}', 'a'],
    ['the second half of a pair', '{"a":"\\uDE00"}', 'a'],
    ['a pair the wrong way around', '{"a":"\\ude00\\ud83d"}', 'a'],
  ];
  for (const [what, text, field] of refused) {
    it(`refuse ${what}`, () => {
      assert.throws(
        () => parseRestJson(Buffer.from(text)),
        (error) => error instanceof AppError && error.code === 'INVALID_INPUT' && error.field === field,
      );
      assert.doesNotThrow(() => parseJson(Buffer.from(text)), 'GraphQL checks arguments');
    });
  }

  const accepted: readonly (readonly [what: string, text: string, value: unknown])[] = [
    ['a pair of escapes', '{"a":"\\ud83d\\ude00"}', { a: '😀' }],
    ['text outside ASCII', '{"a":"über 😀"}', { a: 'über 😀' }],
    ['an escaped backslash before u0000', '{"a":"\\\\u0000"}', { a: '\\u0000' }],
    ['a line break', '{"a":"\\n"}', { a: '\n' }],
    ['numbers, null and truth', '[1,null,true]', [1, null, true]],
  ];
  for (const [what, text, value] of accepted) {
    it(`accept ${what}`, () => assert.deepEqual(parseRestJson(Buffer.from(text)), value));
  }

  const invalid: readonly (readonly [what: string, bytes: Buffer, message: RegExp])[] = [
    ['a raw NUL', Buffer.from('{"a":"\0"}'), /not valid JSON/],
    ['a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), /not valid UTF-8/],
    ['brackets', Buffer.from('['.repeat(10_000)), /nested more than 20 levels/],
    ['nothing', Buffer.from(''), /not valid JSON/],
  ];
  for (const [what, bytes, message] of invalid) {
    it(`refuse ${what}`, () => assert.throws(() => parseRestJson(bytes), { code: 'INVALID_INPUT', message }));
  }
});
