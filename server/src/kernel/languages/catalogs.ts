import { readFileSync } from 'node:fs';
import { formatMessage, type Phrase } from './format-message.ts';
import type { Language } from './languages.ts';
import { keyOf } from './message.ts';

/** Translations by the key of a text. */
type Catalog = ReadonlyMap<string, string>;

const catalogs = new Map<Language, Catalog>();

/** A text in a language, or in English where it has no translation. Catalogs are read when they are first needed. */
export function localized(text: string | Phrase, language: Language): string {
  if (language === 'en') return english(text);
  const key = keyOf(text);
  const translation = isOnlyValues(key) ? joined(key, language) : catalogOf(language).get(key);
  if (translation === undefined) return english(text);
  const values = typeof text === 'string' ? [] : text.values;
  return formatMessage(translation, values, language, (key) => catalogOf(language).get(key) ?? key);
}

const english = (text: string | Phrase): string =>
  typeof text === 'string' ? text : formatMessage(text.key, text.values, 'en');

/** Whether a message has no words of its own: no catalog has those. */
const isOnlyValues = (key: string): boolean => /^(?:\{\d+\},? ?)+$/.test(key);

/** Japanese and Arabic have commas of their own, and Japanese no space between sentences. */
function joined(key: string, language: Language): string {
  if (language === 'ja') return key.replaceAll(/,? /g, (gap) => (gap === ' ' ? '' : '、'));
  return language === 'ar' ? key.replaceAll(',', '،') : key;
}

function catalogOf(language: Language): Catalog {
  let catalog = catalogs.get(language);
  if (!catalog) {
    const file = new URL(`../../../messages/${language}.json`, import.meta.url);
    const entries = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>);
    catalog = new Map(entries.filter(([, translation]) => translation !== ''));
    catalogs.set(language, catalog);
  }
  return catalog;
}
