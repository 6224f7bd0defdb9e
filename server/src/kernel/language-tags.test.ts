import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from './errors.ts';
import { readLanguageTag } from './language-tags.ts';

describe('language tags', () => {
  for (const [given, stored] of [
    ['en', 'en'],
    [' PT-br ', 'pt-BR'],
    ['ZH-hant', 'zh-Hant'],
    ['es-419', 'es-419'],
    ['iw', 'he'],
  ] as const) {
    it(`stores ${JSON.stringify(given)} as ${stored}`, () =>
      assert.equal(readLanguageTag(given, 'input.language'), stored));
  }
  for (const given of ['', 'English', 'german!', 'de-DE-1996', 'en_US']) {
    it(`refuses ${JSON.stringify(given)}`, () => {
      assert.throws(
        () => readLanguageTag(given, 'input.language'),
        (error) => error instanceof AppError && error.code === 'INVALID_INPUT' && error.field === 'input.language',
      );
    });
  }
});
