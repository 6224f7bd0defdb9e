import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError, type ErrorCode } from './errors.ts';
import { readText, readWords, type TextRule } from './text.ts';

const title: TextRule = { field: 'input.title', maxLength: 200, required: true };
const summary: TextRule = { field: 'input.summary', maxLength: 5000, multiline: true };

function refused(code: ErrorCode, field: string, fix: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof AppError);
    assert.deepEqual([error.code, error.field], [code, field]);
    assert.match(error.suggestedFix, fix);
    return true;
  };
}

describe('text', () => {
  const accepted: [string, TextRule, string, string][] = [
    ['trims', title, '  A day out \n', 'A day out'],
    ['normalises to NFC', title, 'Cafe\u0301', 'Caf\u00e9'],
    ['counts code points, not UTF-16 units', title, '\u{1f3ac}'.repeat(200), '\u{1f3ac}'.repeat(200)],
    ['keeps emoji sequences', title, '\u{1f469}\u200d\u{1f680}', '\u{1f469}\u200d\u{1f680}'],
    ['strips controls of text direction from a line', title, '\u202eharbour\u2066 TV', 'harbour TV'],
    ['keeps them in text of several lines', summary, '\u2067one\u2069', '\u2067one\u2069'],
    ['reads a title of them only as blank', { ...title, required: false }, '\u202e', ''],
    ['keeps lines and tabs where they belong', summary, 'one\r\n\ttwo', 'one\n\ttwo'],
    ['reads blank as empty where nothing is required', summary, ' \n ', ''],
    ['reads invisible characters as empty', summary, '\u200b\u3164', ''],
  ];
  for (const [name, rule, given, kept] of accepted) {
    it(name, () => assert.equal(readText(given, rule), kept));
  }

  const refusals: [string, TextRule, string, ErrorCode, RegExp][] = [
    ['a title of 10,000 characters, naming the limit', title, 'x'.repeat(10_000), 'INVALID_INPUT', /at most 200/],
    ['a blank title', title, '   ', 'FIELD_REQUIRED', /1 to 200/],
    ['a title of invisible characters', title, '\u200b\u2060\ufeff', 'FIELD_REQUIRED', /1 to 200/],
    ['a line break in a title', title, 'one\ntwo', 'INVALID_INPUT', /line breaks/],
    ['NUL', title, 'a\0b', 'INVALID_INPUT', /control/],
    ['an escape sequence', summary, 'a\u001b[31mb', 'INVALID_INPUT', /control/],
    ['a C1 control', summary, 'a\u0085b', 'INVALID_INPUT', /control/],
    ['half a surrogate pair', title, 'a\ud83d', 'INVALID_INPUT', /pairs/],
  ];
  for (const [name, rule, given, code, fix] of refusals) {
    it(`refuses ${name}`, () => assert.throws(() => readText(given, rule), refused(code, rule.field, fix)));
  }
});

describe('words', () => {
  const RULE = { most: 30, maxLength: 50 };
  it('keeps the first spelling of duplicates', () => {
    assert.deepEqual(readWords([' Alps', 'alps', 'Ski'], 'input.keywords', RULE), ['Alps', 'Ski']);
  });
  it('names the invalid entry', () => {
    assert.throws(
      () => readWords(['ok', 'x'.repeat(51)], 'input.keywords', RULE),
      refused('INVALID_INPUT', 'input.keywords.1', /at most 50/),
    );
    assert.throws(
      () => readWords(['ok', ' '], 'input.keywords', RULE),
      refused('FIELD_REQUIRED', 'input.keywords.1', /1 to 50/),
    );
  });
  it('refuses more than 30', () => {
    const many = Array.from({ length: 31 }, (_, index) => `k${index}`);
    assert.throws(() => readWords(many, 'input.keywords', RULE), refused('INVALID_INPUT', 'input.keywords', /30/));
    assert.equal(readWords(many.slice(1), 'input.keywords', RULE).length, 30);
  });
});
