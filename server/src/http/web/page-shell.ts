import { Html, html } from '../../kernel/html.ts';
import { localized } from '../../kernel/languages/catalogs.ts';
import { directionOf, type Language } from '../../kernel/languages/languages.ts';
import { t } from '../../kernel/languages/message.ts';
import { THEME_PATH } from './theme.ts';

/** Style sheet and script of the documentation pages. */
export const STYLES_PATH = '/docs/page.css';
export const SCRIPT_PATH = '/docs/page.js';

export interface PageParts {
  /** Without the name of the server. */
  readonly title: string;
  /** Name of the server. */
  readonly site: string;
  /** Whether it has the links and the search of the documentation; default true. */
  readonly isDocumentation?: boolean;
  /** For search engines and previews; default none. */
  readonly summary?: string;
  readonly body: Html;
  /** Links to the other pages, beside the text or, on narrow screens, below it; default none. */
  readonly navigation?: Html;
  /** The address of the page as Markdown; default none. */
  readonly markdownPath?: string;
  /** What was searched for; default none. */
  readonly query?: string;
  /** The address of a script besides that of all pages; default none. */
  readonly script?: string;
  /** Of the text around the body; default English. */
  readonly language?: Language;
}

/** A complete page of the documentation, or of the server in its look. Its script only adds copy buttons. */
export function pageShell(parts: PageParts): Html {
  const { title, site, isDocumentation = true, summary, body, navigation, markdownPath } = parts;
  const { query = '', script, language = 'en' } = parts;
  const say = (text: string): string => localized(text, language);
  const nothing = html``;
  const search = say(t`Search the documentation`);
  const links = html`<nav aria-label="${say(t`Documentation`)}"><a href="/docs">${say(t`Docs`)}</a>
        <a href="/docs/api">API</a>
        <a href="/docs/errors">${say(t`Errors`)}</a><a href="/graphql">${say(t`Explorer`)}</a></nav>
      <form role="search" action="/docs/search"><input type="search" name="q" value="${query}" maxlength="100"
        placeholder="${search}" aria-label="${search}"></form>`;
  return html`<!doctype html>
<html lang="${language}"${new Html(directionOf(language) === 'rtl' ? ' dir="rtl"' : '')}>
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} · ${site}</title>
    ${summary === undefined ? nothing : html`<meta name="description" content="${summary}">`}
    <meta name="color-scheme" content="dark light">
    <link rel="icon" href="/logo/icon">
    <link rel="stylesheet" href="${STYLES_PATH}">
    <link rel="stylesheet" href="${THEME_PATH}">
    ${markdownPath === undefined ? nothing : html`<link rel="alternate" type="text/markdown" href="${markdownPath}">`}
    <script src="${SCRIPT_PATH}" defer></script>
    ${script === undefined ? nothing : html`<script src="${script}" defer></script>`}
  </head>
  <body>
    <a class="skip" href="#main">${say(t`Skip to content`)}</a>
    <header>
      <a class="brand" href="/"><img src="/logo/current" alt="">${site}</a>
      ${isDocumentation ? links : nothing}
    </header>
    <div class="${navigation ? 'with-side' : 'alone'}">
      <main id="main">${body}</main>
      ${navigation ?? nothing}
    </div>
  </body>
</html>
`;
}
