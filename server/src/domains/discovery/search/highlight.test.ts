import assert from 'node:assert/strict';
import { test } from 'node:test';
import { excerpt, foldText, highlight } from './highlight.ts';

/** Parts with the matched ones in brackets. */
const marked = (parts: ReturnType<typeof highlight>) =>
  parts.map(({ text, matched }) => (matched ? `[${text}]` : text)).join('');

test('marks words and prefixes, ignoring accents and case', () => {
  const cases: [string, string[], string][] = [
    ['A Café in Paris', ['cafe'], 'A [Café] in Paris'],
    ['Cafés and CAFE', ['caf*'], '[Cafés] and [CAFE]'],
    ['ＦＵＬＬ width', ['full'], '[ＦＵＬＬ] width'],
    ['Straße', ['strasse'], '[Straße]'],
    ['東京タワー', ['東', '京'], '[東][京]タワー'],
    ['שָׁלוֹם עולם', ['שלום'], '[שָׁלוֹם] עולם'],
    ['Film 🎬!', ['🎬'], 'Film [🎬]!'],
    ['catalogue', ['cat'], 'catalogue'],
    ['<b>cat</b>', ['cat'], '<b>[cat]</b>'],
    ['', ['x'], ''],
  ];
  for (const [text, terms, expected] of cases) assert.equal(marked(highlight(text, terms)), expected);
});

test('returns parts that join to the text', () => {
  const text = 'Of  e\u0301clairs,\nof “tartes” — and 🎥🎬 of crème brûlée';
  const joined = highlight(text, ['eclairs', 'creme', '🎬', 'ta*']);
  assert.equal(joined.map((part) => part.text).join(''), text);
  assert.deepEqual(
    joined.filter((part) => part.matched).map((part) => part.text),
    ['e\u0301clairs', 'tartes', '🎬', 'crème'],
  );
});

test('cuts a long text around the first match, at white space', () => {
  const text = `${'before '.repeat(100)}the needle here ${'after '.repeat(100)}`;
  const cut = marked(excerpt(text, ['needle']));
  assert.match(cut, /^…(before )+the \[needle\] here (after )+…$/);
  assert.ok(cut.length < 300);
  assert.equal(marked(excerpt('short text', ['other'])), 'short text');
  const emoji = excerpt('🎬'.repeat(400), ['nothing']);
  assert.ok(emoji.every((part) => part.text.isWellFormed()));
});

test('folds to a form without accents and case', () => {
  assert.equal(foldText('Ærø ŁÓDŹ İstanbul ΛΟΓΟΣ ﬁlm'), 'aero lodz istanbul λογοσ film');
});
