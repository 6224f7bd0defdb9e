import { readFileSync } from 'node:fs';
import { LANGUAGES, type Language } from '../src/lib/languages.ts';
import type { Catalog } from './translate.ts';

/** Languages that have a catalog file: all but English, which is in the source. */
export const TRANSLATED = Object.keys(LANGUAGES).filter((language): language is Language => language !== 'en');

/** Languages that are written from right to left. */
export const RIGHT_TO_LEFT: readonly string[] = ['ar'];

/** The file of a catalog. */
export const catalogPath = (language: string): string =>
  new URL(`../messages/${language}.json`, import.meta.url).pathname;

/** The translations of a language; none for English. */
export const readCatalog = (language: string): Catalog =>
  language === 'en' ? {} : JSON.parse(readFileSync(catalogPath(language), 'utf8'));
