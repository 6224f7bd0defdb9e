/**
 * Languages of the platform (BCP 47); the first is for everyone else. Each has a build of the pages and a catalog of
 * the texts of the server.
 */
export const LANGUAGES = ['en', 'es', 'de', 'fr', 'ja', 'ar'] as const;

export type Language = (typeof LANGUAGES)[number];

/** Headers on which the language of a response depends, for Vary. */
export const LANGUAGE_HEADERS = 'accept-language, cookie';

interface LanguageHeaders {
  readonly cookie?: string | undefined;
  readonly 'accept-language'?: string | undefined;
}

/**
 * The language of a response: the one that its user chose (the cookie `language`), else the first of Accept-Language
 * that there is (RFC 4647 section 3.4, lookup).
 */
export function requestLanguage({ headers }: { readonly headers: LanguageHeaders }): Language {
  const chosen = /(?:^|;\s*)language=([\w-]+)/.exec(headers.cookie ?? '')?.[1];
  const wanted = [...(chosen === undefined ? [] : [chosen]), ...accepted(headers['accept-language'])];
  for (const tag of wanted) {
    const found = languageOfTag(tag);
    if (found) return found;
  }
  return LANGUAGES[0];
}

/** The language of a tag, such as `de` of `de-AT`; null if the platform does not have it. */
export const languageOfTag = (tag: string): Language | null =>
  LANGUAGES.find((language) => language === tag.split('-')[0]?.toLowerCase()) ?? null;

/** The direction of a text in a language. */
export const directionOf = (language: Language): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr');

/** The tags of an Accept-Language header, the most wanted first (RFC 9110 section 12.5.4). */
function accepted(header = ''): string[] {
  const ranges = header.split(',').map((range) => {
    const [tag = '', quality = 'q=1'] = range.split(';').map((part) => part.trim());
    return { tag, quality: Number(/^q=([\d.]+)$/i.exec(quality)?.[1] ?? 0) };
  });
  const wanted = ranges.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality);
  return wanted.map(({ tag }) => tag);
}

/** The file of a page in a language: `index.html` in English, `index.de.html` in German. */
export const pageIn = (page: string, language: Language): string =>
  language === 'en' ? page : page.replace(/\.html$/, `.${language}.html`);
