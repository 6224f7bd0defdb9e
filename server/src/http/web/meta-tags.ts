import { Lru } from '@reelgraph/sql-planner';
import { Html, html } from '../../kernel/html.ts';
import { localized } from '../../kernel/languages/catalogs.ts';
import type { Language } from '../../kernel/languages/languages.ts';
import { type Text, t } from '../../kernel/languages/message.ts';
import { DEFAULT_NAME } from '../../platform/instance/instance-settings.ts';
import type { GraphqlEngine } from '../graphql/graphql-endpoint.ts';
import { oembedAddress } from './oembed-address.ts';

/** Metadata of a page for search engines, messengers and feeds, available before any script runs. */
export interface PageHead {
  /** Null: the name of the server. */
  readonly title: string | null;
  /** Ours, or what someone wrote. */
  readonly description: Text;
  /** Canonical path of the page. */
  readonly path: string;
  /** Open Graph type: `video.other`, `profile`. */
  readonly type: string;
  readonly image: {
    readonly url: string;
    readonly width: number;
    readonly height: number;
    readonly alt: string;
  } | null;
  /** Who published it, with the path of their page; null for pages of nobody's. */
  readonly author: { readonly name: string; readonly path: string } | null;
  /** The embed player for link previews; null without one. `path` as above, sizes in pixels. */
  readonly player: { readonly path: string; readonly width: number; readonly height: number } | null;
  /** Whether search engines may list the page. */
  readonly listed: boolean;
  /** Paths of feeds of the page, with their titles; none if omitted. */
  readonly feeds?: readonly { readonly path: string; readonly title: Text }[];
  /** What the page shows before and without scripts, besides title and description; null for nothing. */
  readonly firstView?: FirstView | null;
  /** What the page leads to without scripts, under a heading; null for nothing. */
  readonly links?: LinkList | null;
  /** JSON-LD of the page; null without one. */
  readonly structuredData: string | null;
}

/** A video before its player. */
export interface FirstView {
  /** Files of its poster in one format that every browser shows, with their widths in pixels; may be empty. */
  readonly poster: readonly { readonly url: string; readonly width: number }[];
  /** Pixels of the video, for its shape. */
  readonly width: number;
  readonly height: number;
  /** HLS playlist, which some browsers play without a script. */
  readonly stream: string;
  /** An MP4 file for the other browsers; null where viewers may not have one. */
  readonly file: string | null;
}

export interface LinkList {
  readonly heading: Text;
  readonly items: readonly { readonly path: string; readonly title: string }[];
}

/** Pages below a path and the public operation that provides their metadata; supplied by the composition root. */
export interface PageHeadSource {
  /** Prefix of the pages' paths, with a final slash. */
  readonly prefix: string;
  /** Whether the prefix is the path of the only page. */
  readonly isOnlyPage?: boolean;
  /** Of a trusted document. */
  readonly documentId: string;
  /** Whether other addresses of a page lead to its canonical path. */
  readonly redirects?: boolean;
  /** Variables of the operation for the rest of the path; null when the path is invalid. */
  variables(rest: string): Readonly<Record<string, unknown>> | null;
  /** A second operation that the `data` of the first one leads to; null without one. */
  readonly more?: {
    readonly documentId: string;
    variables(data: unknown): Readonly<Record<string, unknown>> | null;
  };
  /** The meta tags for the operations' `data`, null for a second one that failed; null when nothing is public. */
  read(data: unknown, more: unknown): PageHead | null;
}

/** `missing`: nothing public exists. `unknown`: not one of these pages, or the lookup timed out. */
export type FoundHead = PageHead | 'missing' | 'unknown';

export interface Visit {
  readonly requestId: string;
  readonly clientAddress: string;
}

const KEPT = 1_000;
/** Long enough for many visitors of a link, short enough that an unpublished title disappears soon. */
const KEEP_MS = 5_000;
const PATIENCE_MS = 1_500;

/**
 * Meta tags of pages, always read as anonymous, so that no shared cache holds private data. Each is read at most once
 * in a few seconds, and a page does not wait for a slow read.
 */
export class PageHeads {
  readonly #sources: readonly PageHeadSource[];
  readonly #engine: GraphqlEngine;
  readonly #now: () => number;
  readonly #kept = new Lru<string, { until: number; head: Promise<FoundHead> }>(KEPT);

  constructor(sources: readonly PageHeadSource[], engine: GraphqlEngine, now: () => number = Date.now) {
    this.#sources = sources;
    this.#engine = engine;
    this.#now = now;
  }

  /** The meta tags for a raw path. Never rejects. */
  async find(path: string, visit: Visit): Promise<FoundHead> {
    const source = this.#sourceOf(path);
    const rest = source && decoded(path.slice(source.prefix.length));
    if (!source || (rest === '' && !source.isOnlyPage)) return 'unknown';
    const variables = rest === null || rest === undefined ? null : source.variables(rest);
    if (variables === null) return 'missing';
    const key = source.prefix + JSON.stringify(variables);
    const known = this.#kept.get(key);
    if (known && known.until > this.#now()) return known.head;
    const entry = { until: this.#now() + KEEP_MS, head: this.#ask(source, variables, visit) };
    this.#kept.set(key, entry);
    const head = await entry.head;
    if (head === 'unknown') entry.until = 0;
    return head;
  }

  /** The canonical path of a page that was asked for by another address; null where none leads to it. */
  movedTo(path: string, { path: canonical }: PageHead): string | null {
    return this.#sourceOf(path)?.redirects && path !== canonical ? canonical : null;
  }

  #sourceOf(path: string): PageHeadSource | undefined {
    return this.#sources.find(({ prefix, isOnlyPage }) => (isOnlyPage ? path === prefix : path.startsWith(prefix)));
  }

  async #ask(source: PageHeadSource, variables: Readonly<Record<string, unknown>>, visit: Visit): Promise<FoundHead> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const late = new Promise<'unknown'>((resolve) =>
      signal.addEventListener('abort', () => resolve('unknown'), { once: true }),
    );
    const found = this.#read(
      source,
      (documentId, variables) =>
        this.#engine.execute({
          ...visit,
          documentId,
          variables,
          credential: { kind: 'anonymous' },
          queriesOnly: true,
          signal,
        }),
      variables,
    );
    return Promise.race([found.catch((): FoundHead => 'unknown'), late]);
  }

  async #read(source: PageHeadSource, execute: Execute, variables: Variables): Promise<FoundHead> {
    const { body, failure } = await execute(source.documentId, variables);
    if (failure !== null) return failure === 'RESOURCE_NOT_FOUND' ? 'missing' : 'unknown';
    const { data, errors = [] } = body as Envelope;
    if (errors.length > 0)
      return errors.every(({ extensions }) => extensions?.code === 'RESOURCE_NOT_FOUND') ? 'missing' : 'unknown';
    const next = source.more?.variables(data) ?? null;
    const more = source.more && next ? await execute(source.more.documentId, next) : null;
    const isComplete = more?.failure === null && (more.body as Envelope).errors === undefined;
    return source.read(data, isComplete ? (more.body as Envelope).data : null) ?? 'missing';
  }
}

type Variables = Readonly<Record<string, unknown>>;
type Execute = (documentId: string, variables: Variables) => ReturnType<GraphqlEngine['execute']>;

/** Of GraphQL; the source interprets its data. */
interface Envelope {
  readonly data?: unknown;
  readonly errors?: readonly { readonly extensions?: { readonly code?: string } }[];
}

/** Null for invalid UTF-8. */
function decoded(rest: string): string | null {
  try {
    return decodeURIComponent(rest).replace(/(?<!\/)\/+$/, '');
  } catch {
    return null;
  }
}

const SITE = DEFAULT_NAME;
const MAX_DESCRIPTION = 200;
const TITLE = /<title[^>]*>[^<]*<\/title>/i;

/** What surrounds the meta tags. */
interface PageFrame {
  readonly site?: string | undefined;
  readonly language?: Language;
}

/** Meta tags in a language. */
interface ShownHead extends PageHead {
  readonly title: string;
  readonly description: string;
  readonly feeds: readonly { readonly path: string; readonly title: string }[];
}

/**
 * The page with these meta tags instead of its own title and description, and with what it shows without scripts
 * instead of its own `noscript`. The app removes the marked elements on navigation.
 */
export function withHead(
  page: string,
  head: PageHead,
  baseUrl: string,
  { site = SITE, language = 'en' }: PageFrame = {},
): string {
  const say = (text: Text): string => localized(text, language);
  const shown = {
    ...head,
    title: head.title ?? site,
    description: say(head.description),
    feeds: (head.feeds ?? []).map(({ path, title }) => ({ path, title: say(title) })),
  };
  const elements = headElements(shown, baseUrl, head.title === null ? site : `${head.title} · ${site}`, site).text;
  const headed = page.replace(/<meta name="description"[^>]*>/i, '').replace(TITLE, () => elements);
  const { firstView = null, links = null, author } = head;
  const isEmbed = page.includes('<div id="player">');
  if (isEmbed && firstView) return withView(headed, html`<noscript>${videoOf(firstView)}</noscript>`);
  if (isEmbed || (!firstView && !links)) return headed;
  const further = [
    ...(author ? [linkTo(author.path, author.name)] : []),
    ...(head.title === null ? [] : [linkTo('/', site)]),
  ];
  return withView(
    headed,
    html`${firstView ? [posterOf(firstView)] : []}<noscript>
      ${firstView ? [videoOf(firstView)] : []}
      <h1 dir="auto">${shown.title}</h1>
      <p dir="auto">${shown.description}</p>
      ${links && links.items.length > 0 ? [listOf(say(links.heading), links)] : []}
      <ul>${further}</ul>
    </noscript>`,
  );
}

/** The page of an address that has none, with a title that says so before scripts run. */
export function withNotFound(page: string, { site = SITE, language = 'en' }: PageFrame): string {
  const title = `${localized(t`Not found`, language)} · ${site}`;
  return page.replace(TITLE, () => html`<title data-page>${title}</title>`.text);
}

/** The page with a view that the app removes once it has drawn itself. Its classes are in web/src/styles.css. */
function withView(page: string, view: Html): string {
  const first = html`<div class="first-view" id="first-view">${view}</div>\n    `.text;
  return page
    .replace(/<noscript>[\s\S]*?<\/noscript>\s*/i, '')
    .replace(/<div id="(?:app|player)">/, (container) => first + container);
}

/** The poster, over the page until it has been drawn. */
function posterOf({ poster, width, height }: FirstView): Html {
  const largest = poster.at(-1);
  if (!largest) return html``;
  const files = poster.map((file) => `${file.url} ${file.width}w`).join(', ');
  return html`<img src="${largest.url}" srcset="${files}" sizes="min(100vw, 1280px)" width="${width}" height="${height}"
        alt="" fetchpriority="high">`;
}

function videoOf({ poster, width, height, stream, file }: FirstView): Html {
  const largest = poster.at(-1);
  const image = largest ? [html` poster="${largest.url}"`] : [];
  const files = [
    html`<source src="${stream}" type="application/vnd.apple.mpegurl">`,
    ...(file === null ? [] : [html`<source src="${file}" type="video/mp4">`]),
  ];
  return html`<video controls preload="none"${image} width="${width}" height="${height}">${files}</video>`;
}

function listOf(heading: string, { items }: LinkList): Html {
  return html`<h2>${heading}</h2>
      <ul>${items.map(({ path, title }) => linkTo(path, title))}</ul>`;
}

const linkTo = (path: string, text: string): Html => html`<li><a href="${path}" dir="auto">${text}</a></li>`;

function headElements(head: ShownHead, baseUrl: string, pageTitle: string, site: string): Html {
  const { title, description, path, type, image, player, listed, structuredData, feeds } = head;
  const summary = shortened(description);
  const address = baseUrl + path;
  // Card readers accept players only over HTTPS.
  const carded = player && baseUrl.startsWith('https:') ? cardElements(player, baseUrl) : null;
  const card = carded ? 'player' : image ? 'summary_large_image' : 'summary';
  return html`<title data-page>${pageTitle}</title>
    <link rel="canonical" href="${address}" data-page>
    ${[
      ...(player ? [discovery(title, path, baseUrl)] : []),
      ...feeds.map((feed) => alternate(feed.title, feed.path, baseUrl)),
      ...(listed ? [] : [meta('name', 'robots', 'noindex')]),
      meta('name', 'description', summary),
      meta('property', 'og:site_name', site),
      meta('property', 'og:type', type),
      meta('property', 'og:url', address),
      ...both('title', title),
      ...both('description', summary),
      ...(image ? imageElements(image, baseUrl) : []),
      ...(player ? playerElements(player, baseUrl) : []),
      ...(carded ?? []),
      meta('name', 'twitter:card', card),
    ]}${structuredData === null ? [] : [dataBlock(structuredData)]}`;
}

/** Tells consumers where the oEmbed response is. */
function discovery(title: string, path: string, baseUrl: string): Html {
  const [type, address] = ['application/json+oembed', oembedAddress(baseUrl, path)];
  return html`<link rel="alternate" type="${type}" href="${address}" title="${title}" data-page>\n    `;
}

/** Tells readers of feeds where they are. */
function alternate(title: string, path: string, baseUrl: string): Html {
  const [type, address] = ['application/rss+xml', baseUrl + path];
  return html`<link rel="alternate" type="${type}" href="${address}" title="${title}" data-page>\n    `;
}

function meta(attribute: 'name' | 'property', name: string, content: string | number): Html {
  return attribute === 'name'
    ? html`<meta name="${name}" content="${content}" data-page>\n    `
    : html`<meta property="${name}" content="${content}" data-page>\n    `;
}

/** The elements of Open Graph and of cards. */
function both(name: string, content: string): Html[] {
  return [meta('property', `og:${name}`, content), meta('name', `twitter:${name}`, content)];
}

function imageElements({ url, width, height, alt }: NonNullable<PageHead['image']>, baseUrl: string): Html[] {
  return [
    ...both('image', new URL(url, baseUrl).href),
    meta('property', 'og:image:width', width),
    meta('property', 'og:image:height', height),
    ...both('image:alt', alt),
  ];
}

type Player = NonNullable<PageHead['player']>;

function playerElements({ path, width, height }: Player, baseUrl: string): Html[] {
  return [
    meta('property', 'og:video:url', baseUrl + path),
    meta('property', 'og:video:type', 'text/html'),
    meta('property', 'og:video:width', width),
    meta('property', 'og:video:height', height),
  ];
}

function cardElements({ path, width, height }: Player, baseUrl: string): Html[] {
  return [
    meta('name', 'twitter:player', baseUrl + path),
    meta('name', 'twitter:player:width', width),
    meta('name', 'twitter:player:height', height),
  ];
}

/**
 * A data block (HTML, 4.12.1), which browsers do not run. JSON has `<` only in strings, where its escape is equivalent.
 */
function dataBlock(json: string): Html {
  return html`<script type="application/ld+json" data-page>${new Html(json.replaceAll('<', '\\u003c'))}</script>`;
}

/** One line of at most MAX_DESCRIPTION characters, cut between words. */
function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= MAX_DESCRIPTION) return line;
  const cut = line.slice(0, MAX_DESCRIPTION - 1);
  const space = cut.lastIndexOf(' ');
  return `${(space > MAX_DESCRIPTION / 2 ? cut.slice(0, space) : cut.replace(/[\uD800-\uDBFF]$/, '')).trimEnd()}…`;
}
