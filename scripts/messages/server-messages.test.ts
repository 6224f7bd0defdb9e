import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { catalogProblems } from '../../web/i18n/catalog-problems.ts';
import { TRANSLATED } from '../../web/i18n/catalogs.ts';
import { serverCatalogPath, serverKeys } from './server-keys.ts';
import { placesIn, type Source, sourcesOfServer, writtenAt } from './text-places.ts';

const sources = sourcesOfServer();
const keys = [...serverKeys(sources).keys()];

test('every text of errors, mails and checks is in a message', () => {
  assert.deepEqual(placesIn(sources).texts.map(writtenAt), []);
});

for (const language of TRANSLATED) {
  test(`every message is translated: ${language}`, () => {
    const catalog = JSON.parse(readFileSync(serverCatalogPath(language), 'utf8'));
    assert.deepEqual(catalogProblems(language, catalog, keys), []);
  });
}

const source = (code: string, file = 'a.ts'): Source => ({ file, code });
const CALL = "throw new AppError('INVALID_INPUT', ";

const FOUND: readonly (readonly [what: string, sources: readonly Source[], texts: readonly string[]])[] = [
  ['a string', [source(`${CALL}'It is wrong.');`)], ["a.ts:1: 'It is wrong.'"]],
  ['a template', [source(`${CALL}\`No \${x}.\`);`)], ['a.ts:1: `No $'.concat('{x}.`')]],
  ['both branches', [source(`${CALL}x ? 'One.' : t\`Two.\`);`)], ["a.ts:1: 'One.'"]],
  ['the suggested fix', [source(`${CALL}t\`No.\`, { suggestedFix: 'Try again.' });`)], ["a.ts:1: 'Try again.'"]],
  [
    'the constant of an error, and the argument of a function that makes one',
    [
      source(`const WHY = 'It is so.';
function refused(message: string) { return new AppError('INVALID_INPUT', message, { suggestedFix: WHY }); }
throw refused('Not this one.');`),
    ],
    ["a.ts:3: 'Not this one.'", "a.ts:1: 'It is so.'"],
  ],
  [
    'a function of another module',
    [
      source("export const why = () => 'Because.';", 'b/why.ts'),
      source(`import { why } from './b/why.ts'; ${CALL}why());`),
    ],
    ["b/why.ts:1: 'Because.'"],
  ],
  ['the arguments of an error', [source("const WRONG = ['UNAUTHORIZED', 'It is not.'];")], ["a.ts:1: 'It is not.'"]],
  [
    'parts of a mail',
    [
      source(
        "const mail = { to, subject: 'Hello', paragraphs: [t`Hi.`, 'Ho.'], action: { label: 'Open', url: 'x y' } };",
      ),
    ],
    ["a.ts:1: 'Hello'", "a.ts:1: 'Ho.'", "a.ts:1: 'Open'"],
  ],
  [
    'sentences, and what a receipt says',
    [source("const x = { decision: sentences('So.', t`Is it.`) };")],
    ["a.ts:1: 'So.'"],
  ],
  [
    'words that are a value of a message',
    [source(`const size = x ? \`more than \${y}\` : 'input.size'; throw tooLarge(t\`It has \${size} bytes.\`);`)],
    ['a.ts:1: `more than $'.concat('{y}`')],
  ],
  ['no code and no description', [source("const x = { code: 'Not Read.', description: 'Not this.' };")], []],
];

for (const [what, planted, texts] of FOUND) {
  test(`the check of texts finds ${what}`, () => assert.deepEqual(placesIn(planted).texts.map(writtenAt), texts));
}

test('keys number their values, and quote what ICU would read', () => {
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: sources of modules
  const code = [
    't`No ${id} of { ${kind} }.`',
    'phrase`${plural(n, { one: "# day", other: "# days" })} left`',
    't`Two\n  lines.`',
    't`${id}`',
  ].join(';\n');
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: sources of modules
  assert.deepEqual(
    [...serverKeys([source(code)])],
    [
      ["No {0} of '{' {1} '}'.", 'a.ts:1'],
      ['{0, plural, one {# day} other {# days}} left', 'a.ts:2'],
      ['Two lines.', 'a.ts:3'],
    ],
  );
});
