/** A part of a text, and whether it matches a search term. */
export interface TextPart {
  readonly text: string;
  readonly matched: boolean;
}

/** Longest excerpt of a summary, in characters. */
const EXCERPT = 240;

const MARKS = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]/g;
const LETTERS: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
};
const OWN_WORD =
  '[\\u2600-\\u27bf\\u2e80-\\u2fdf\\u3005-\\u3007\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{1f300}-\\u{1faff}]';
const WORD = new RegExp(`${OWN_WORD}|(?:(?!${OWN_WORD})[\\p{Alphabetic}\\p{Nd}\\p{M}])+`, 'gu');

/** A text without accents, case and compatibility forms: the same as search_fold in the migrations. */
export function foldText(text: string): string {
  const bare = text.normalize('NFKD').replace(MARKS, '').toUpperCase().toLowerCase();
  return bare.replace(/[æœþøłđħıς]/g, (letter) => LETTERS[letter] ?? letter).normalize('NFKC');
}

/**
 * The text in parts, with the matches of `terms` marked. A term is a folded word, or a prefix when it ends with `*`.
 * Joined, the parts are the text; nothing in them is markup.
 */
export function highlight(text: string, terms: readonly string[]): TextPart[] {
  const whole = new Set(terms.filter((term) => !term.endsWith('*')));
  const beginnings = terms.filter((term) => term.endsWith('*')).map((term) => term.slice(0, -1));
  const parts: TextPart[] = [];
  let plain = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const folded = foldText(word);
    if (!whole.has(folded) && !beginnings.some((beginning) => folded.startsWith(beginning))) continue;
    if (index > plain) parts.push({ text: text.slice(plain, index), matched: false });
    parts.push({ text: word, matched: true });
    plain = index + word.length;
  }
  if (plain < text.length) parts.push({ text: text.slice(plain), matched: false });
  return parts;
}

/** As {@link highlight}, cut to an excerpt around the first match; an ellipsis marks omitted text. */
export function excerpt(text: string, terms: readonly string[]): TextPart[] {
  const parts = highlight(text, terms);
  if (text.length <= EXCERPT) return parts;
  const first = parts.findIndex(({ matched }) => matched);
  const before = parts.slice(0, Math.max(0, first)).reduce((length, part) => length + part.text.length, 0);
  const from = atWord(text, Math.max(0, before - EXCERPT / 4));
  const until = atWord(text, Math.min(text.length, from + EXCERPT));
  const middle = highlight(text.slice(from, until), terms);
  const ellipsis: TextPart = { text: '…', matched: false };
  return [...(from > 0 ? [ellipsis] : []), ...middle, ...(until < text.length ? [ellipsis] : [])];
}

/**
 * The end of the white space at or before an index, so that no word is cut; the index itself if there is none nearby.
 */
function atWord(text: string, index: number): number {
  if (index === 0 || index === text.length) return index;
  const near = text.slice(Math.max(0, index - 40), index);
  const space = near.search(/\s\S*$/u);
  if (space >= 0) return index - near.length + space + 1;
  return /[\udc00-\udfff]/.test(text[index] ?? '') ? index - 1 : index;
}
