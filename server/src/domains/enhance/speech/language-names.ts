import { languageName, type Message, phrase } from '../../../kernel/languages/message.ts';

const UNDETERMINED = 'und';

/** The name of a language in that language. Pure. */
export function autonymOf(language: string): string {
  if (language === UNDETERMINED) return 'Subtitles';
  return new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
}

/** The name of a language in English. Pure. */
export function englishNameOf(language: string): string {
  if (language === UNDETERMINED) return 'an unknown language';
  return new Intl.DisplayNames(['en'], { type: 'language' }).of(language) ?? language;
}

/** That something is in a language, as a part of a text. */
export const inLanguage = (language: string): Message =>
  language === UNDETERMINED ? phrase`in an unknown language` : phrase`in ${languageName(language)}`;
