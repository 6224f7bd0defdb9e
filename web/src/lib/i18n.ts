import type { ReactNode } from 'react';
import { joinLines } from './languages.ts';

/**
 * Texts of the application. English is in the source; a build for another language replaces each message with its
 * translation in `messages/<language>.json` (ADR 0122). A page has one language as long as it lives, so that messages
 * may be constants of modules. Values in a message are named after their last identifier: `${file.name}` is `{name}`.
 */

/** The language of this page (BCP 47), for Intl too. */
export const locale: string = globalThis.document?.documentElement.lang || 'en';

/**
 * The same for numbers and dates, which regions write in different ways: with the region of the first of these
 * languages that is this one. English without a region has the day before the month.
 */
export function formatLocaleOf(language: string, wanted: readonly string[]): string {
  const region = wanted
    .map((tag) => /^([a-z]+)(?:-[a-z]{4})?-([a-z]{2}|\d{3})(?:-|$)/i.exec(tag) ?? [])
    .find(([, tagLanguage]) => tagLanguage?.toLowerCase() === language)?.[2];
  // The digits of the texts of the server and of times in Arabic.
  if (region !== undefined) return `${language}-${region}${language === 'ar' ? '-u-nu-latn' : ''}`;
  return language === 'en' ? 'en-GB' : language;
}

export const formatLocale: string = formatLocaleOf(locale, globalThis.document ? navigator.languages : []);

const numbers = new Intl.NumberFormat(formatLocale);
const rules = new Intl.PluralRules(locale);

/**
 * A message: `` t`Signed in as ${name}` ``. Numbers are formatted before: `` t`${count(total)} in all` ``. Long texts
 * have several lines, which are joined with spaces.
 */
export function t(strings: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return String.raw({ raw: strings.map(joinLines) }, ...values);
}

/** A message whose English word has several meanings; the context tells translators which: `tc('verb', 'Open')`. */
export function tc(_context: string, text: string): string {
  return text;
}

/** The forms of a text by the plural rules of CLDR, or for one number: `=0`. `#` is the number. */
export type PluralForms = Readonly<
  { other: PluralForm } & Partial<Record<'zero' | 'one' | 'two' | 'few' | 'many' | `=${number}`, PluralForm>>
>;
/** Builds write a function where a translation has values inside of a form. */
type PluralForm = string | ((count: string) => string);

/**
 * A text for a number, alone or inside of a message: `plural(total, { one: '# video', other: '# videos' })`. The third
 * argument is written for `#`; default the number as the language writes it.
 */
export function plural(count: number, forms: PluralForms, text = numbers.format(count)): string {
  const form = forms[`=${count}`] ?? forms[rules.select(count)] ?? forms.other;
  return typeof form === 'string' ? form.replaceAll('#', text) : form(text);
}

/** A message with elements inside: `<Trans>Signed in as <b>{name}</b></Trans>`. */
export function Trans({ children }: { readonly children: ReactNode }): ReactNode {
  return children;
}
