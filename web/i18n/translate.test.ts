import assert from 'node:assert/strict';
import test from 'node:test';
import { keysIn, parseModule } from './messages.ts';
import { translatePage } from './plugin.ts';
import { translateModule } from './translate.ts';

const translated = (source: string, catalog: Record<string, string> = {}): string | undefined =>
  translateModule('page.tsx', source, catalog)?.code;
const keys = (source: string): string[] => keysIn(parseModule('page.tsx', source), source).map(({ key }) => key);

const CASES: readonly (readonly [what: string, source: string, key: string, translation: string, result: string])[] = [
  ['a text', 'x(t`Save`)', 'Save', 'Speichern', 'x(`Speichern`)'],
  ['a value', 't`Hi ${user.name}!`', 'Hi {name}!', '¡Hola, {name}!', '`¡Hola, ${user.name}!`'],
  ['a formatted value', 't`${bytes(file.size)} left`', '{size} left', 'noch {size}', '`noch ${bytes(file.size)}`'],
  ['values of one name', 't`${a.id} to ${b.id}`', '{id} to {id2}', '{id2} von {id}', '`${b.id} von ${a.id}`'],
  ['one value twice', 't`${a} or ${a}`', '{a} or {a}', '{a} oder {a}', '`${a} oder ${a}`'],
  ['several lines', 't`One\n  two`', 'One two', 'Eins zwei', '`Eins zwei`'],
  ['a backtick', 't`It’s a ${b}`', 'It’s a {b}', 'C`est ${b} {b}', '`C\\`est $${b} ${b}`'],
  ['braces and tags', 't`Use {x} or <b>`', "Use '{'x'}' or '<'b'>'", "'<'b'>' statt '{'x'}'", '`<b> statt {x}`'],
  ['a context', "tc('verb', 'Open')", 'Open [verb]', 'Öffnen', '`Öffnen`'],
  [
    'a plural',
    "plural(n, { one: '# video', other: '# videos' })",
    '{n, plural, one {# video} other {# videos}}',
    '{n, plural, other {動画 # 本}}',
    'plural(n, { "other": `動画 # 本` })',
  ],
  [
    'a plural with its own number',
    "plural(n, { one: '# view', other: '# views' }, short(n))",
    '{n, plural, one {# view} other {# views}}',
    '{n, plural, one {# Aufruf} other {# Aufrufe}}',
    'plural(n, { "one": `# Aufruf`, "other": `# Aufrufe` }, short(n))',
  ],
  [
    'a plural in a text, with the value inside of the forms',
    "t`${plural(list.length, { one: '# video', other: '# videos' })} of ${name}`",
    '{length, plural, one {# video} other {# videos}} of {name}',
    '{length, plural, one {# Video von {name}} other {# Videos von {name}}}',
    'plural(list.length, { "one": (n) => `${n} Video von ${name}`, "other": (n) => `${n} Videos von ${name}` })',
  ],
  [
    'elements',
    '<p><Trans>Read the <a href="/x">guide</a> of {name}</Trans></p>',
    'Read the <a>guide</a> of {name}',
    '{name}: <a>Anleitung</a> lesen',
    '<p><>{name}{": "}<a href="/x">{"Anleitung"}</a>{" lesen"}</></p>',
  ],
  [
    'an element without children, and lines',
    '<Trans>\n  Press <Icon name="x" /> to go\n  on.\n</Trans>',
    'Press {icon} to go on.',
    'Weiter mit {icon}.',
    '<>{"Weiter mit "}<Icon name="x" />{"."}</>',
  ],
];

for (const [what, source, key, translation, result] of CASES) {
  test(`a message with ${what} is translated`, () => {
    assert.deepEqual(keys(source), [key]);
    assert.equal(translated(source, { [key]: translation }), result);
  });
}

test('a message without a translation stays English, as text without a call', () => {
  assert.equal(translated('t`Hi ${user.name}!`'), '`Hi ${user.name}!`');
  assert.equal(translated("tc('verb', 'Open')"), '`Open`');
});

test('messages inside of messages are translated', () => {
  const source = '<Trans>See <Link label={t`Help`}>this</Link> {t`now`}</Trans>';
  assert.deepEqual(keys(source), ['See <link>this</link> {value}', 'now', 'Help']);
  assert.equal(
    translated(source, { 'See <link>this</link> {value}': '<link>Das</link> {value}', Help: 'Hilfe', now: 'jetzt' }),
    '<><Link label={`Hilfe`}>{"Das"}</Link>{" "}{`jetzt`}</>',
  );
});

test('a module without messages stays as it is', () => {
  assert.equal(translateModule('page.ts', 'const text = `at`;', {}), null);
});

const FAULTS: readonly (readonly [what: string, source: string, problem: string])[] = [
  ['a form with a value', 'plural(n, { other: `# of ${m}` })', 'line 1: this must be a string without values'],
  ['forms that are not written down', '\nplural(n, forms)', 'line 2: plural takes a number and forms'],
];

for (const [what, source, message] of FAULTS) {
  test(`${what} is refused`, () => assert.throws(() => translated(source), { message }));
}

test('a page has its language, its direction and its texts', () => {
  const page = '<html lang="en"><meta name="description" data-message content="Watch"><p data-message>Hi</p></html>';
  assert.equal(
    translatePage(page, 'ar', { Watch: 'شاهد', Hi: 'مرحبا' }),
    '<html lang="ar" dir="rtl"><meta name="description" content="شاهد"><p>مرحبا</p></html>',
  );
});
