import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { OutgoingHttpHeaders } from 'node:http';
import { basename } from 'node:path';
import { escapeHtml } from '../../kernel/html.ts';
import { pageHeaders } from '../security-headers.ts';

/** The API explorer; its library inserts style elements. */
export const EXPLORER_PAGE = 'graphiql.html';
/** The embed page with the player, for other sites. */
export const EMBED_PAGE = 'embed.html';

/**
 * Settings of this installation for the pages, by the name of their meta element; and the paths of
 * `theme-css`, a style sheet after those of the page, and `icon`, instead of its own; or empty.
 */
export type PageFacts = Readonly<Record<string, string>>;

export interface WebPage {
  readonly bytes: Buffer;
  /** Of the sent bytes, for the ETag. */
  readonly digest: string;
  readonly headers: OutgoingHttpHeaders;
}

/**
 * HTML files of the built app, with these settings and their security headers; cached until the file or a setting
 * changes.
 */
export class WebPages {
  readonly #facts: () => PageFacts;
  readonly #connectTo: readonly string[];
  readonly #kept = new Map<string, { version: string; page: WebPage }>();

  /** `connectTo`: other origins that pages send requests to. */
  constructor(facts: () => PageFacts, connectTo: readonly string[]) {
    [this.#facts, this.#connectTo] = [facts, connectTo];
  }

  async get(path: string, fileVersion: string): Promise<WebPage> {
    const facts = this.#facts();
    const version = fileVersion + JSON.stringify(facts);
    const known = this.#kept.get(path);
    if (known?.version === version) return known.page;
    const html = withFacts(await readFile(path, 'utf8'), facts);
    const bytes = Buffer.from(html);
    const name = basename(path);
    const headers = pageHeaders({
      html,
      inlineStyles: name === EXPLORER_PAGE,
      framable: /^embed(?:\.\w+)?\.html$/.test(name),
      connectTo: this.#connectTo,
    });
    const page = { bytes, digest: digestOf(bytes), headers };
    this.#kept.set(path, { version, page });
    return page;
  }
}

/** A short digest for an ETag. */
export function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 16);
}

const ICON = /<link rel="icon"[^>]*>/;
/** The name in the title of a page of the application, and at the end of that of the explorer. */
const TITLE = /(<title data-page>|<title>[^<]+ · )Reelgraph(?=<\/title>)/;

/**
 * Replaces the title, and the content of the `<meta name="…" content="…">` elements of settings, of which the build
 * contains a default; replaces the icon; and adds the style sheet.
 */
export function withFacts(html: string, facts: PageFacts): string {
  const named = facts['site-name'];
  const titled = named === undefined ? html : html.replace(TITLE, (_, start: string) => `${start}${escapeHtml(named)}`);
  const theme = facts['theme-css'];
  const styled = theme ? titled.replace('</head>', () => `${styleSheet(theme)}</head>`) : titled;
  const { icon } = facts;
  const marked = icon
    ? styled.replace(ICON, () => `<link rel="icon" href="${escapeHtml(icon)}" type="image/png" />`)
    : styled;
  return marked.replace(/(<meta name="([\w-]+)" content=")[^"]*"/g, (element, start: string, name: string) => {
    const fact = facts[name];
    return fact === undefined ? element : `${start}${escapeHtml(fact)}"`;
  });
}

const styleSheet = (path: string): string => `<link rel="stylesheet" href="${escapeHtml(path)}" />`;
