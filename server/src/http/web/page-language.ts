import type { IncomingMessage } from 'node:http';

/** Languages of the web application (BCP 47); the first is for everyone else. Each has a build of the pages. */
export const PAGE_LANGUAGES = ['en', 'es', 'de', 'fr', 'ja', 'ar'] as const;

export type PageLanguage = (typeof PAGE_LANGUAGES)[number];

/** Headers on which the language of a page depends, for Vary. */
export const LANGUAGE_HEADERS = 'accept-language, cookie';

/**
 * The language of a page for a browser: the one that its user chose (the cookie `language`), else the first of
 * Accept-Language that there is (RFC 4647 section 3.4, lookup).
 */
export function pageLanguage({ headers }: Pick<IncomingMessage, 'headers'>): PageLanguage {
  const chosen = /(?:^|;\s*)language=([\w-]+)/.exec(headers.cookie ?? '')?.[1];
  const wanted = [...(chosen === undefined ? [] : [chosen]), ...accepted(headers['accept-language'])];
  for (const tag of wanted) {
    const found = PAGE_LANGUAGES.find((language) => language === tag.split('-')[0]?.toLowerCase());
    if (found) return found;
  }
  return PAGE_LANGUAGES[0];
}

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
export const inLanguage = (page: string, language: PageLanguage): string =>
  language === 'en' ? page : page.replace(/\.html$/, `.${language}.html`);
