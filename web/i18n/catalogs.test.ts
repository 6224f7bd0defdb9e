import assert from 'node:assert/strict';
import test from 'node:test';
import { catalogProblems } from './catalog-problems.ts';
import { readCatalog, TRANSLATED } from './catalogs.ts';
import { allKeys, allUntranslated } from './sources.ts';
import { untranslatedIn } from './untranslated.ts';

const keys = [...allKeys().keys()];

test('every text of the application is in a message', () => {
  assert.deepEqual(
    allUntranslated().map(({ file, line, text }) => `web/${file}:${line}: ${text}`),
    [],
  );
});

for (const language of TRANSLATED) {
  test(`every message is translated: ${language}`, () => {
    assert.deepEqual(catalogProblems(language, readCatalog(language), keys), []);
  });
}

/** What buttons show, and their accessible names, which contain it (WCAG 2.2, 2.5.3). */
const NAMES: Readonly<Record<string, string>> = {
  'Like [verb]': 'Like, {count, plural, one {# like} other {# likes}}',
  Follow: 'Follow {title}',
  'Following [state]': 'Following {title}',
  Reply: 'Reply to {username}',
  Comments: 'Comments, {commentCount}',
};

for (const language of TRANSLATED) {
  test(`what buttons show is in their names: ${language}`, () => {
    const catalog = readCatalog(language);
    const apart = Object.entries(NAMES).filter(([shown, name]) => {
      const [text, label] = [catalog[shown], catalog[name]];
      assert.ok(text && label, `${shown} or ${name} is no message`);
      return !label.toLowerCase().includes(text.toLowerCase());
    });
    assert.deepEqual(apart, []);
  });
}

const PLURAL = '{n, plural, one {# video} other {# videos}}';
const PROBLEMS: readonly (readonly [key: string, translation: string | undefined, problem: string])[] = [
  ['Save', undefined, '"Save" is not translated'],
  ['Hi {name}', 'مرحبا {user}', '"Hi {name}" has the values name, "مرحبا {user}" user'],
  ['A <b>b</b>', 'أ ب', '"A <b>b</b>" has the elements b, "أ ب" none'],
  [
    PLURAL,
    '{n, plural, other {# فيديو}}',
    `"${PLURAL}" needs the plural form "zero" in "{n, plural, other {# فيديو}}"`,
  ],
  ['Hi {name}', 'مرحبا {name', '"Hi {name}": EXPECT_ARGUMENT_CLOSING_BRACE in "مرحبا {name"'],
];

for (const [key, translation, problem] of PROBLEMS) {
  test(`the check of catalogs notices: ${problem}`, () => {
    assert.deepEqual(catalogProblems('ar', translation === undefined ? {} : { [key]: translation }, [key]), [problem]);
  });
}

test('the check of catalogs notices a translation of a message that has gone', () => {
  assert.deepEqual(catalogProblems('de', { Gone: 'Weg' }, []), ['"Gone" is not used']);
});

test('the check of texts notices what people read, and nothing else', () => {
  const source = `
    import { x } from './Some Module.ts';
    const LABELS = { save: 'Save', 'Content-Type': 'text/html', look: 'flex gap-2 text-muted' };
    export const Page = () => <p className="Big Text" aria-label="Main page">Hello <code>curl</code>{t\`Done\`}</p>;
    export const later = (n: number) => \`\${n} of many\` + \`/watch/\${n}\` + (n === 1 ? 'one more' : x);
    throw new Error('Never seen by people');`;
  assert.deepEqual(untranslatedIn('page.tsx', source), [
    { line: 3, text: 'Save' },
    { line: 4, text: 'Main page' },
    { line: 4, text: 'Hello' },
    { line: 5, text: '… of many' },
    { line: 5, text: 'one more' },
  ]);
});
