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
