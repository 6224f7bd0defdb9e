import type { Plugin } from 'vite';
import { RIGHT_TO_LEFT, readCatalog } from './catalogs.ts';
import { type Catalog, translateModule } from './translate.ts';

/**
 * Writes the messages of a build in one language. In pages, elements with the attribute `data-message` have their text
 * or their `content` translated.
 */
export function messages(language: string): Plugin {
  const catalog = readCatalog(language);
  return {
    name: 'messages',
    enforce: 'pre',
    apply: 'build',
    transform: {
      filter: { id: /\/(?:web|player)\/src\/.*\.tsx?$/ },
      handler: (code, id) => translateModule(id, code, catalog),
    },
    transformIndexHtml: (html) => translatePage(html, language, catalog),
  };
}

/** A page in a language and its direction. */
export function translatePage(html: string, language: string, catalog: Catalog): string {
  const direction = RIGHT_TO_LEFT.includes(language) ? ' dir="rtl"' : '';
  const text = (english: string): string => catalog[english] || english;
  return html
    .replace('<html lang="en">', `<html lang="${language}"${direction}>`)
    .replace(/ data-message content="([^"]*)"/g, (_, english: string) => ` content="${text(english)}"`)
    .replace(/ data-message>([^<]*)</g, (_, english: string) => `>${text(english)}<`);
}
