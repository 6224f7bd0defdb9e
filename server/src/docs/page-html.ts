import { pageShell } from '../http/web/page-shell.ts';
import { Html, html } from '../kernel/html.ts';
import { type DocPage, type Section, summaryOf, titleOf } from './doc-page.ts';
import type { Library } from './library.ts';
import { renderMarkdown } from './render-markdown.ts';
import { TRY_IT_PATH, type TryIt, tryItSection } from './try-it.ts';

/** Sections that are listed on every page; the others have too many pages and their own index. */
const LISTED: readonly Section[] = ['Start', 'Guides', 'Reference', 'Project'];

/** A page with links to all others; `site`: name of the server. */
export function pageHtml(page: DocPage, library: Library, site: string): Html {
  const { body, headings } = renderMarkdown(page.markdown);
  const contents =
    headings.length < 3
      ? html``
      : html`<nav class="contents" aria-labelledby="contents"><h2 id="contents">On this page</h2>
          <ul>${headings.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}</ul></nav>`;
  const [heading, rest] = splitAfterTitle(page.tryIt ? withTryIt(body, page.tryIt, page.path) : body);
  return pageShell({
    title: titleOf(page),
    site,
    summary: summaryOf(page),
    markdownPath: `${page.path}.md`,
    navigation: navigation(page, library),
    ...(page.tryIt ? { script: TRY_IT_PATH } : {}),
    body: html`${crumbs(page)}${heading}${contents}${rest}
      <p class="foot"><a href="${page.path}.md">This page as Markdown</a></p>`,
  });
}

function crumbs({ path, section }: DocPage): Html {
  if (path === '/docs') return html``;
  const kind = ['Queries', 'Mutations', 'Subscriptions', 'Types'].includes(section)
    ? html` / <a href="/docs/api">API reference</a>`
    : section === 'Errors'
      ? html` / <a href="/docs/errors">Errors</a>`
      : html``;
  return html`<p class="crumbs"><a href="/docs">Docs</a>${kind}</p>`;
}

/** The editor stands between the example and the errors. */
function withTryIt({ text }: Html, tryIt: TryIt, path: string): Html {
  const at = text.lastIndexOf('<h2 id="errors">');
  return new Html(text.slice(0, at) + tryItSection(tryIt, path).text + text.slice(at));
}

/** The table of contents follows the title. */
function splitAfterTitle({ text }: Html): [Html, Html] {
  const end = text.indexOf('</h1>') + '</h1>'.length;
  return [new Html(text.slice(0, end)), new Html(text.slice(end))];
}

/** Links to all pages but those of operations and types; with `current` marked. */
export function navigation(current: DocPage | null, library: Library): Html {
  const link = (page: DocPage) =>
    page === current
      ? html`<li><a href="${page.path}" aria-current="page">${titleOf(page)}</a></li>`
      : html`<li><a href="${page.path}">${titleOf(page)}</a></li>`;
  const lists = LISTED.map((section) => html`<h2>${section}</h2><ul>${library.of(section).map(link)}</ul>`);
  return html`<nav class="side" aria-label="All pages">${lists}</nav>`;
}
