import assert from 'node:assert/strict';
import test from 'node:test';
import { localized } from './catalogs.ts';
import { formatMessage, type Value } from './format-message.ts';
import {
  allOf,
  anyOf,
  day,
  grouped,
  keyOf,
  languageName,
  Message,
  minute,
  phrase,
  plural,
  replaceInText,
  sentences,
  type Text,
  t,
  textOf,
} from './message.ts';

const ENGLISH: readonly (readonly [text: Text, key: string, english: string])[] = [
  [t`Sign in`, 'Sign in', 'Sign in'],
  [
    t`Long texts have
      several lines.`,
    'Long texts have several lines.',
    'Long texts have several lines.',
  ],
  [t`There is no video ${'x'}.`, 'There is no video {0}.', 'There is no video x.'],
  [t`Send { me { id } }.`, "Send '{' me '{' id '}' '}'.", 'Send { me { id } }.'],
  [t`It's <${5}>.`, "It's '<'{0}'>'.", "It's <5>."],
  [
    t`At most ${plural(1, { one: '# entry', other: '# entries' })}.`,
    'At most {0, plural, one {# entry} other {# entries}}.',
    'At most 1 entry.',
  ],
  [t`${phrase`${plural(2, { one: '# day', other: '# days' })}`} left`, '{0} left', '2 days left'],
  [t`Send ${anyOf(['a', 'b', 'c'])}`, 'Send {0}', 'Send a, b or c'],
  [t`${allOf(['a'])} or ${allOf([1, 2])}`, '{0} or {1}', 'a or 1 and 2'],
  [t`In ${languageName('pt-BR')}`, 'In {0}', 'In Brazilian Portuguese'],
  [sentences('{ It is. }', t`So ${1}.`), '{0} {1}', '{ It is. } So 1.'],
  [t`${grouped(10_000)} or ${10_000}`, '{0} or {1}', '10,000 or 10000'],
  [t`Until ${day(Date.UTC(2026, 10, 26))}`, 'Until {0}', 'Until 26 November 2026'],
  [t`On ${minute(Date.UTC(2026, 10, 26, 9, 5))}`, 'On {0}', 'On 26 November 2026 at 09:05 UTC'],
];

for (const [text, key, english] of ENGLISH) {
  test(`a text in English: ${english}`, () => {
    assert.equal(String(text), english);
    assert.equal(localized(text, 'en'), english);
    assert.equal(keyOf(text), key);
  });
}

test('a text that became JSON is that text', () => {
  const text = JSON.parse(JSON.stringify(t`${phrase`Firefox on ${'Linux'}`} at ${minute(0)}`));
  assert.equal(localized(text, 'en'), 'Firefox on Linux at 1 January 1970 at 00:00 UTC');
});

const TRANSLATED: readonly (readonly [
  language: 'de' | 'fr' | 'ja' | 'ar',
  icu: string,
  values: Value[],
  text: string,
])[] = [
  ['de', 'Das Video {0} gibt es nicht.', ['x'], 'Das Video x gibt es nicht.'],
  ['fr', "L'adresse de ''{0}'' n'est pas valide.", ['x'], "L'adresse de 'x' n'est pas valide."],
  ['fr', '{0, plural, one {# vidéo} other {# vidéos}}', [0], '0 vidéo'],
  ['ja', '{1}の{0}', ['a', 'b'], 'bのa'],
  ['ar', '{0, plural, zero {لا} one {واحد} two {اثنان} few {# قليل} many {# كثير} other {# آخر}}', [3], '3 قليل'],
  ['ar', '{0, plural, =0 {لا شيء} other {#}}', [0], 'لا شيء'],
  ['de', 'Höchstens {0}', [grouped(10_000)], 'Höchstens 10.000'],
  ['de', '{0}', [anyOf(['a', phrase`b`, 'c'])], 'a, b oder c'],
  ['ja', '{0}', [allOf(['a', 'b'])], 'a、b'],
  ['de', 'Auf {0}', [languageName('pt-BR')], 'Auf Portugiesisch (Brasilien)'],
  ['de', 'Bis {0}', [day(Date.UTC(2026, 10, 26))], 'Bis 26. November 2026'],
];

for (const [language, icu, values, text] of TRANSLATED) {
  test(`a translation: ${text}`, () => assert.equal(formatMessage(icu, values, language), text));
}

test('sentences are translated each for itself', () => {
  const text = sentences('Sign in', t`The video is ${'13 h'} long; the limit is ${'12 h'}.`, 'No catalog has this.');
  const german = 'Anmelden Das Video ist 13 h lang; das Limit beträgt 12 h. No catalog has this.';
  assert.equal(localized(text, 'de'), german);
  const stored = textOf(JSON.parse(JSON.stringify(text)));
  assert.equal(localized(stored, 'de'), german);
  assert.equal(String(stored), 'Sign in The video is 13 h long; the limit is 12 h. No catalog has this.');
  assert.equal(sentences('Alone.'), 'Alone.');
  const video = t`The video is ${t`${13} h`} long; the limit is ${t`${12} h`}.`;
  assert.equal(
    localized(sentences(video, 'The file is text, not audio or video.'), 'ja'),
    '動画の長さは 13 時間 です。上限は 12 時間 です。このファイルはテキストで、音声や動画ではありません。',
  );
});

test('a message with a phrase is translated with it', () => {
  const translations: Readonly<Record<string, string>> = { 'as {0}': 'als {0}' };
  const translate = (key: string): string => translations[key] ?? key;
  assert.equal(formatMessage('Du bist da {0}', [phrase`as ${'Gast'}`], 'de', translate), 'Du bist da als Gast');
});

test('a list of phrases is translated with the commas of the language', () => {
  const list = t`${'Premium+'}, ${'Sign in'}`;
  const lists = (['en', 'de', 'ja', 'ar'] as const).map((language) => localized(list, language));
  assert.deepEqual(lists, ['Premium+, Sign in', 'Premium+, Sign in', 'Premium+、Sign in', 'Premium+، Sign in']);
  assert.equal(localized(t`${phrase`Sign in`}, ${'b'}`, 'de'), 'Anmelden, b');
});

test('a text without a translation is English', () => {
  assert.equal(localized(t`No catalog has ${1} of these.`, 'de'), 'No catalog has 1 of these.');
  assert.equal(localized('No catalog has this.', 'de'), 'No catalog has this.');
});

test('an argument is renamed in the values of a text, not in its words', () => {
  const renamed = replaceInText(t`The title ${'input.title'} is long.`, 'title', 'name');
  assert.equal(String(renamed), 'The title input.name is long.');
  assert.ok(renamed instanceof Message);
});
