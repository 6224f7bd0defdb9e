import { pageShell } from '../http/web/page-shell.ts';
import { type Html, html } from '../kernel/html.ts';
import { type DocPage, summaryOf, titleOf } from './doc-page.ts';
import type { Library } from './library.ts';
import { navigation } from './page-html.ts';

const MAX_LIKELY = 8;
/** Shorter ones match too many pages. */
const MIN_WORD = 3;

/**
 * The page for a missing address in the documentation, with similar pages and a link to all; `site`: name of the
 * server.
 */
export function missingPage(path: string, library: Library, site: string): Html {
  const found = likelyPages(path, library);
  const likely = html`<h2>Did you mean</h2>
    <ul>${found.map((page) => html`<li><a href="${page.path}">${titleOf(page)}</a>: ${summaryOf(page)}</li>`)}</ul>`;
  return pageShell({
    title: 'Page not found',
    site,
    navigation: navigation(null, library),
    body: html`
      <p class="crumbs"><a href="/docs">Docs</a></p>
      <h1>Page not found</h1>
      <p class="lead">There is no documentation at this address.</p>
      ${found.length === 0 ? [] : [likely]}
      <h2>Overview</h2>
      <ul>
        <li><a href="/docs">Start page</a>: all guides and references</li>
        <li><a href="/docs/api">API reference</a>: every operation and type</li>
        <li><a href="/docs/errors">Errors</a>: every code, its cause and its fix</li>
      </ul>`,
  });
}

/**
 * Pages whose last path segment contains that of this address, or is contained in it: `/docs/webhook`,
 * `/docs/publishvideo`. Closest in length first.
 */
export function likelyPages(path: string, library: Library): DocPage[] {
  const wanted = lastPart(path);
  if (wanted.length < MIN_WORD) return [];
  const distance = (page: DocPage) => Math.abs(lastPart(page.path).length - wanted.length);
  return library.pages
    .filter((page) => {
      const own = lastPart(page.path);
      return own.includes(wanted) || (own.length >= MIN_WORD && wanted.includes(own));
    })
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, MAX_LIKELY);
}

/** Letters and digits after the last slash, in lower case. */
function lastPart(path: string): string {
  return path
    .slice(path.lastIndexOf('/') + 1)
    .replace(/\.\w+$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}
