import { contentPagePath } from '../../../kernel/content-kinds.ts';
import { handlePath } from '../../../kernel/handles.ts';
import { escapeHtml } from '../../../kernel/html.ts';
import type { Platform } from '../../../platform/platform.ts';
import { type ListedPage, monthsOfPages, PAGE_LISTS, type PageList, pagesOfMonth } from './sitemaps.store.ts';

/** Addresses in one file; the protocol allows 50,000 (sitemaps.org). */
export const PAGES_PER_FILE = 10_000;
const FILE = new RegExp(`^(${PAGE_LISTS.join('|')})-(\\d{4}-(?:0[1-9]|1[0-2]))-([1-9]\\d{0,4})\\.xml$`);
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

type Needs = Pick<Platform, 'db' | 'config'>;

/** The index: the address of each file. It counts everything that is listed. */
export async function sitemapIndex({ db, config }: Needs, perFile: number): Promise<string> {
  const files = (await monthsOfPages(db)).flatMap(({ list, month, count }) =>
    Array.from({ length: Math.ceil(count / perFile) }, (_, part) => `${list}-${month}-${part + 1}.xml`),
  );
  const entries = files.map(
    (file) => `<sitemap><loc>${escapeHtml(`${config.BASE_URL}/sitemaps/${file}`)}</loc></sitemap>`,
  );
  return document('sitemapindex', entries);
}

/** A file of the index; null when there is none of this name, or nothing is in it. */
export async function sitemapFile({ db, config }: Needs, name: string, perFile: number): Promise<string | null> {
  const [, list, month = '', part] = FILE.exec(name) ?? [];
  if (!list) return null;
  const range = { offset: (Number(part) - 1) * perFile, limit: perFile };
  const pages = await pagesOfMonth(db, list as PageList, month, range); // the pattern lists them
  if (pages.length === 0) return null;
  const entries = pages.map((page) => {
    const address = escapeHtml(config.BASE_URL + pathOf(page));
    return `<url><loc>${address}</loc><lastmod>${new Date(page.changedAt).toISOString()}</lastmod></url>`;
  });
  return document('urlset', entries);
}

function pathOf({ id, kind, shortCode, handle }: ListedPage): string {
  if (kind !== null && shortCode !== null) return contentPagePath({ kind, id, shortCode });
  return handle === null ? `/playlist/${id}` : handlePath(handle);
}

function document(root: 'sitemapindex' | 'urlset', entries: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${NAMESPACE}">${entries.join('\n')}</${root}>\n`;
}
