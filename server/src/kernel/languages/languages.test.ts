import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import test from 'node:test';
import { LANGUAGES, requestLanguage } from './languages.ts';

type Headers = Parameters<typeof requestLanguage>[0]['headers'];

const CASES: readonly (readonly [what: string, headers: Headers, language: string])[] = [
  ['a browser that states none', {}, 'en'],
  ['a language with a region', { 'accept-language': 'de-AT' }, 'de'],
  ['the first of several', { 'accept-language': 'fr-CA, fr;q=0.9, en;q=0.8' }, 'fr'],
  ['the one of the highest quality', { 'accept-language': 'en;q=0.5, ja' }, 'ja'],
  ['the first that there is', { 'accept-language': 'nl-NL, nl;q=0.9, es;q=0.8, en;q=0.7' }, 'es'],
  ['a language that is refused', { 'accept-language': 'de;q=0, ar' }, 'ar'],
  ['one that does not exist', { 'accept-language': 'tlh, *' }, 'en'],
  ['a malformed header', { 'accept-language': ';;q=x,,' }, 'en'],
  ['a chosen language', { cookie: 'a=1; language=es', 'accept-language': 'de' }, 'es'],
  ['a chosen language that does not exist', { cookie: 'language=nl', 'accept-language': 'de' }, 'de'],
  ['a cookie whose name only ends like it', { cookie: 'mylanguage=es' }, 'en'],
];

for (const [what, headers, language] of CASES) {
  test(`${what}: ${language}`, () => assert.equal(requestLanguage({ headers }), language));
}

test('the languages are English and those with a catalog', () => {
  const catalogs = readdirSync(new URL('../../../../web/messages/', import.meta.url));
  const languages = catalogs.map((name) => name.replace('.json', ''));
  assert.deepEqual([...LANGUAGES].sort(), ['en', ...languages].sort());
});
