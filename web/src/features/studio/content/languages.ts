import { locale } from '../../../lib/i18n.ts';

const TAGS = [
  ...[
    'ar',
    'bg',
    'bn',
    'ca',
    'cs',
    'da',
    'de',
    'el',
    'en',
    'en-GB',
    'en-US',
    'es',
    'es-419',
    'et',
    'fa',
    'fi',
    'fr',
    'fr-CA',
  ],
  ...[
    'he',
    'hi',
    'hr',
    'hu',
    'id',
    'it',
    'ja',
    'ko',
    'lt',
    'lv',
    'ms',
    'nl',
    'no',
    'pl',
    'pt',
    'pt-BR',
    'ro',
    'ru',
    'sk',
    'sl',
    'sr',
  ],
  ...['sv', 'sw', 'ta', 'te', 'th', 'tr', 'uk', 'ur', 'vi', 'zh', 'zh-Hans', 'zh-Hant'],
];

const names = new Intl.DisplayNames(locale, { type: 'language' });

/** The name of a language (BCP 47), or the tag itself. */
export function languageName(tag: string): string {
  try {
    return names.of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** Languages as tag and name, sorted by name; always includes the current one. */
export function languageChoices(present: string | null): (readonly [string, string])[] {
  const tags = [...new Set(present ? [...TAGS, present] : TAGS)];
  return tags.map((tag) => [tag, languageName(tag)] as const).sort(([, a], [, b]) => a.localeCompare(b, locale));
}
