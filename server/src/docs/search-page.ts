import { pageShell } from '../http/web/page-shell.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Found } from './doc-search.ts';
import type { Library } from './library.ts';
import { navigation } from './page-html.ts';

/** What was found in the documentation; `site`: name of the server. */
export function searchPage(query: string, found: readonly Found[], library: Library, site: string): Html {
  const results = found.map(
    ({ path, page, heading, excerpt }) =>
      html`<li><a href="${path}">${page}${heading === null ? '' : ` › ${heading}`}</a><p>${excerpt}</p></li>`,
  );
  const nothing = html`<p class="lead">No page has all of these words. Try fewer, or look at
    <a href="/docs">all pages</a>.</p>`;
  return pageShell({
    title: query === '' ? 'Search' : query,
    site,
    query,
    navigation: navigation(null, library),
    body: html`<p class="crumbs"><a href="/docs">Docs</a></p>
      <h1>Search</h1>
      ${query === '' ? html`<p class="lead">Search for words, operations or types.</p>` : []}
      ${query !== '' && found.length === 0 ? nothing : []}
      ${
        found.length === 0
          ? []
          : html`<p class="lead">${found.length === 20 ? 'The 20 best' : found.length} results for
        “${query}”</p><ol class="found">${results}</ol>`
      }`,
  });
}
