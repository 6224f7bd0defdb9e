import {
  formatMessage,
  type Grouped,
  type Instant,
  type LanguageName,
  type List,
  type Phrase,
  type Value,
} from './format-message.ts';

/**
 * Texts for people, written in English where they are used; the catalogs in `server/messages/` have them in other
 * languages (ADR 0127). A text without values is a string, which is its key; one with values is a {@link Message}.
 */
export type Text = string | Message;

/** A number with the forms of the text around it, by the plural rules of the language; `#` is the number. */
interface Plural {
  readonly count: number;
  readonly forms: { readonly one: string; readonly other: string };
}

/** A text with values. As a string it is English; JSON of it can be localized, too. */
export class Message implements Phrase {
  readonly key: string;
  readonly values: readonly Value[];

  constructor(key: string, values: readonly Value[]) {
    this.key = key;
    this.values = values;
  }

  toString(): string {
    return formatMessage(this.key, this.values, 'en');
  }
}

/** Parts of keys, by the strings of a template: a template that is used again is not joined and quoted again. */
const partsOf = new WeakMap<TemplateStringsArray, readonly string[]>();

/** A text for people: `` t`There is no video ${id}.` `` Lines are joined with spaces. */
export function t(strings: TemplateStringsArray): string;
export function t(strings: TemplateStringsArray, ...values: readonly (Value | Plural)[]): Message;
export function t(strings: TemplateStringsArray, ...values: readonly (Value | Plural)[]): Text {
  return values.length === 0 ? joinLines(strings[0] ?? '') : phrase(strings, ...values);
}

/** A text that is a value of others, which a string is not translated as: `` phrase`the plan Free` ``. */
export function phrase(strings: TemplateStringsArray, ...values: readonly (Value | Plural)[]): Message {
  let parts = partsOf.get(strings);
  if (!parts) {
    parts = strings.map((part) => quoted(joinLines(part)));
    partsOf.set(strings, parts);
  }
  let key = parts[0] ?? '';
  for (const [index, value] of values.entries()) key += argument(index, value) + (parts[index + 1] ?? '');
  return new Message(
    key,
    values.map((value) => (isPlural(value) ? value.count : value)),
  );
}

/** A number inside of a message: `` t`At most ${plural(most, { one: '# entry', other: '# entries' })}.` `` */
export const plural = (count: number, forms: Plural['forms']): Plural => ({ count, forms });

/** A number as the language writes it, such as `10,000`, inside of a message. Others are written as they are. */
export const grouped = (number: number, digits = 0): Grouped => ({ grouped: number, digits });

/** A day inside of a message. */
export const day = (instantMs: number): Instant => ({ instantMs, style: 'day' });

/** A day with the time inside of a message. */
export const minute = (instantMs: number): Instant => ({ instantMs, style: 'minute' });

/** The name of a language (BCP 47) inside of a message. */
export const languageName = (languageTag: string): LanguageName => ({ languageTag });

/** Values one of which is meant, inside of a message: `a, b or c`. */
export const anyOf = (items: readonly Value[]): List => ({ items, joinedBy: 'or' });

/** All of these values, inside of a message: `a, b and c`. */
export const allOf = (items: readonly Value[]): List => ({ items, joinedBy: 'and' });

/** A text whose values have `word` replaced: where an argument is named in another way than in the message. */
export function replaceInText(text: Text, word: string, replacement: string): Text {
  if (typeof text === 'string') return text.replaceAll(word, replacement);
  const values = text.values.map((value) => (typeof value === 'string' ? value.replaceAll(word, replacement) : value));
  return new Message(text.key, values);
}

/** A text as JSON keeps it. */
export type StoredText = string | Phrase;

/** A text that was JSON. */
export const textOf = (stored: StoredText): Text =>
  typeof stored === 'string' ? stored : new Message(stored.key, stored.values);

/** Sentences that follow each other, as one text. */
export function sentences(...texts: readonly Text[]): Text {
  if (texts.length === 1 && texts[0] !== undefined) return texts[0];
  const places = texts.map((_, index) => keyOfArgument(index, null));
  return new Message(
    places.join(' '),
    texts.map((text) => (typeof text === 'string' ? new Message(keyOf(text), []) : text)),
  );
}

/** The key of a text. */
export const keyOf = (text: string | Phrase): string => (typeof text === 'string' ? quoted(text) : text.key);

const isPlural = (value: Value | Plural): value is Plural => typeof value === 'object' && 'forms' in value;

const argument = (index: number, value: Value | Plural): string =>
  keyOfArgument(index, isPlural(value) ? value.forms : null);

/** A value in a key, by its number; with the forms of a plural. */
export const keyOfArgument = (index: number, forms: Plural['forms'] | null): string =>
  forms ? `{${index}, plural, one {${forms.one}} other {${forms.other}}}` : `{${index}}`;

/** A text as one line. */
export const joinLines = (text: string): string => (text.includes('\n') ? text.replace(/(?<!\s)\s*\n\s*/g, ' ') : text);

const SYNTAX = /[{}<>]+/;
/** What ICU would read as syntax, in quotes. */
const quoted = (text: string): string =>
  SYNTAX.test(text) ? text.replace(/[{}<>]+/g, (syntax) => `'${syntax}'`) : text;
