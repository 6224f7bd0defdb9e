import type { Language } from './languages.ts';

/**
 * Formats ICU messages as far as texts of the server need it: arguments, plurals and quotes
 * (https://unicode-org.github.io/icu/userguide/format_parse/messages/).
 */

/** A value of a message. Numbers are written as they are: they often name limits that programs send. */
export type Value = string | number | Grouped | Instant | LanguageName | List | Phrase;

/** A number with the separators of a language. */
export interface Grouped {
  readonly grouped: number;
  /** Digits after the point; default none. */
  readonly digits?: number;
}

/** An instant, which each language writes in its own way, in UTC. */
export interface Instant {
  readonly instantMs: number;
  readonly style: 'day' | 'minute';
}

/** A language, which each language names in its own way. */
export interface LanguageName {
  /** BCP 47. */
  readonly languageTag: string;
}

/** Several values, which each language joins in its own way: `a, b and c`. */
export interface List {
  readonly items: readonly Value[];
  readonly joinedBy: 'and' | 'or';
}

/** A message with its values. */
export interface Phrase {
  /** The English text as an ICU message, whose values are numbered: `There is no video {0}.` */
  readonly key: string;
  readonly values: readonly Value[];
}

type Part = string | Argument;

interface Argument {
  readonly index: number;
  /** Of a plural, by category or `=number`. */
  readonly forms?: ReadonlyMap<string, readonly Part[]>;
}

/** The number of the plural around. */
const POUND: Argument = { index: -1 };

/** Parsed messages: those of the source and of catalogs, whose number is fixed. */
const parsed = new Map<string, readonly Part[]>();
const rules = new Map<Language, Intl.PluralRules>();
const dates = new Map<string, Intl.DateTimeFormat>();

/** A message with its values in a language; `translate` gives the messages of values. */
export function formatMessage(
  message: string,
  values: readonly Value[],
  language: Language,
  translate: (key: string) => string = (key) => key,
): string {
  let parts = parsed.get(message);
  if (!parts) {
    parts = new Parser(message).message();
    parsed.set(message, parts);
  }
  return join(parts, 0);

  function join(parts: readonly Part[], count: number): string {
    let text = '';
    for (const part of parts) text += typeof part === 'string' ? part : argument(part, count);
    return text;
  }

  function argument(part: Argument, count: number): string {
    if (part === POUND) return String(count);
    const value = values[part.index] ?? '';
    if (!part.forms) return valueText(value, language, translate);
    const number = Number(value);
    const form = part.forms.get(`=${number}`) ?? part.forms.get(category(number, language)) ?? part.forms.get('other');
    return join(form ?? [], number);
  }
}

function valueText(value: Value, language: Language, translate: (key: string) => string): string {
  if (typeof value !== 'object') return String(value);
  if ('key' in value) return formatMessage(translate(value.key), value.values, language, translate);
  if ('grouped' in value) {
    const digits = value.digits ?? 0;
    return value.grouped.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  }
  if ('items' in value) return list(value, (item) => valueText(item, language, translate), language);
  if ('languageTag' in value) return nameOfLanguage(value.languageTag, language);
  return instantText(value.instantMs, value.style, language);
}

function list({ items, joinedBy }: List, textOf: (item: Value) => string, language: Language): string {
  const type = joinedBy === 'and' ? 'conjunction' : 'disjunction';
  const locale = language === 'en' ? 'en-GB' : language;
  return new Intl.ListFormat(locale, { type }).format(items.map(textOf));
}

const nameOfLanguage = (tag: string, language: Language): string =>
  new Intl.DisplayNames([language], { type: 'language' }).of(tag) ?? tag;

function category(count: number, language: Language): string {
  let rule = rules.get(language);
  if (!rule) {
    rule = new Intl.PluralRules(language);
    rules.set(language, rule);
  }
  return rule.select(count);
}

/** `26 November 2026` and `26 November 2026 at 19:15 UTC`. */
export function instantText(ms: number, style: 'day' | 'minute', language: Language): string {
  let format = dates.get(language + style);
  if (!format) {
    const locale = language === 'en' ? 'en-GB' : language;
    const day = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
    const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' } as const;
    format = new Intl.DateTimeFormat(locale, style === 'day' ? day : { ...day, ...time });
    dates.set(language + style, format);
  }
  return format.format(ms);
}

const ARGUMENT = /\{\s*(\d+)\s*(?:\}|,\s*plural\s*,)/y;
const FORM = /\s*(=\d+|[a-z]+)\s*\{/y;

class Parser {
  readonly #message: string;
  #at = 0;

  constructor(message: string) {
    this.#message = message;
  }

  /** The parts up to the end, or up to the brace that closes a form of a plural. */
  message(inPlural = false): readonly Part[] {
    const parts: Part[] = [];
    let text = '';
    const add = (part: Argument): void => {
      if (text !== '') parts.push(text);
      text = '';
      parts.push(part);
    };
    while (this.#at < this.#message.length) {
      const sign = this.#message[this.#at] ?? '';
      if (sign === '{') add(this.#argument());
      else if (sign === '}' && inPlural) break;
      else if (sign === '#' && inPlural) {
        this.#at += 1;
        add(POUND);
      } else if (sign === "'") text += this.#quote(inPlural);
      else {
        text += sign;
        this.#at += 1;
      }
    }
    if (text !== '') parts.push(text);
    return parts;
  }

  #argument(): Argument {
    const [opening, index] = this.#match(ARGUMENT);
    if (opening.endsWith('}')) return { index: Number(index) };
    const forms = new Map<string, readonly Part[]>();
    while (this.#message.slice(this.#at).trimStart().startsWith('}') === false) {
      const [, name = ''] = this.#match(FORM);
      forms.set(name, this.message(true));
      this.#at += 1;
    }
    this.#at = this.#message.indexOf('}', this.#at) + 1;
    return { index: Number(index), forms };
  }

  /** Two apostrophes are one; one before syntax quotes it up to the next; any other is itself. */
  #quote(inPlural: boolean): string {
    const next = this.#message[this.#at + 1] ?? '';
    if (next === "'") {
      this.#at += 2;
      return "'";
    }
    if (!'{}<>'.includes(next || ' ') && !(inPlural && next === '#')) {
      this.#at += 1;
      return "'";
    }
    const end = this.#message.indexOf("'", this.#at + 1);
    const quoted = this.#message.slice(this.#at + 1, end === -1 ? undefined : end);
    this.#at = end === -1 ? this.#message.length : end + 1;
    return quoted;
  }

  #match(pattern: RegExp): RegExpExecArray {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#message);
    if (!found) throw new Error(`"${this.#message}" is no message at ${this.#at}.`);
    this.#at = pattern.lastIndex;
    return found;
  }
}
