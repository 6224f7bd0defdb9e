import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { LANGUAGE_HEADERS, pageIn, requestLanguage } from '../../kernel/languages/languages.ts';
import { negotiate } from '../codings/media-types.ts';
import { createRouter } from '../router.ts';
import { APP_PAGES } from './app-pages.gen.ts';
import { CompressedFiles, chooseKept } from './compressed-files.ts';
import { isKnown } from './etags.ts';
import { type PageHead, type PageHeads, type Visit, withHead, withNotFound } from './meta-tags.ts';
import { digestOf, EMBED_PAGE, EXPLORER_PAGE, type PageFacts, WebPages } from './web-pages.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};
const COMPRESSIBLE = /^(?:text\/|application\/(?:json|manifest|xml|wasm)|image\/(?:svg|x-icon))/;
const MAX_COMPRESSED_SOURCE = 8 * 1024 * 1024;
const MIN_COMPRESSED_SOURCE = 256;
/** Seconds for which caches may keep where a page is. */
const KEEP_REDIRECT = 86_400;
const PAGE_VARY = `accept, accept-encoding, ${LANGUAGE_HEADERS}`;

export interface StaticFiles {
  /** Serves GET and HEAD from the folder, pages of the app with index.html. False when there is no such file. */
  serve(request: IncomingMessage, response: ServerResponse, path: string, visit: Visit): Promise<boolean>;
  /** Serves the API explorer, uncached. False when it was not built. */
  explorer(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
}

export interface StaticFilesOptions {
  /** Folder of the built app. */
  readonly root: string;
  /** Public address, without a trailing slash. */
  readonly baseUrl: string;
  /** First path segments outside of the app. */
  readonly reserved: ReadonlySet<string>;
  readonly facts: () => PageFacts;
  readonly heads: PageHeads;
  /** Other origins that pages send requests to. */
  readonly connectTo?: readonly string[];
}

/**
 * The built web app. Files below `/assets/` have a digest in their names and are immutable; everything else is
 * revalidated by its ETag. An address without a file extension and a reserved first segment gets index.html, so that
 * the app's routes can be opened directly; with the status 404 if the app has no such route. A missing asset is a 404.
 * Pages with meta tags contain them before any script runs, and have the status 404 if nothing is public; their other
 * addresses lead to the canonical one. Addresses
 * below `/embed/` get a separate page, which other sites may frame. Pages are in the language of the browser.
 */
export function staticFiles(options: StaticFilesOptions): StaticFiles {
  return new BuiltApp(options);
}

class BuiltApp implements StaticFiles {
  readonly #options: StaticFilesOptions;
  readonly #compressed = new CompressedFiles(32 * 1024 * 1024);
  readonly #pages: WebPages;
  readonly #isAppPage = appPages();

  constructor(options: StaticFilesOptions) {
    this.#options = options;
    this.#pages = new WebPages(options.facts, options.connectTo ?? []);
  }

  async serve(request: IncomingMessage, response: ServerResponse, path: string, visit: Visit): Promise<boolean> {
    const { heads } = this.#options;
    const file = safeFile(path);
    if (file === null) return false;
    if (file !== '' && (await this.#send(request, response, join(this.#options.root, file)))) return true;
    const first = file.split('/')[0] ?? '';
    const isPage = extname(file) === '' && first !== 'assets' && !this.#options.reserved.has(first);
    if (!isPage || negotiate(request.headers.accept, ['text/html']) === null) return false;
    const head = this.#isAppPage(path) ? await heads.find(path, visit) : 'missing';
    const moved = typeof head === 'string' ? null : heads.movedTo(path, head);
    if (moved !== null) return redirect(request, response, moved);
    const page = await this.#translated(
      request,
      join(this.#options.root, first === 'embed' ? EMBED_PAGE : 'index.html'),
    );
    return head === 'unknown' ? this.#send(request, response, page) : this.#sendHeaded(request, response, page, head);
  }

  explorer(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    return this.#send(request, response, join(this.#options.root, EXPLORER_PAGE), {
      'cache-control': 'private, no-cache',
      vary: 'accept, accept-encoding, cookie',
    });
  }

  async #send(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    extra: OutgoingHttpHeaders = {},
  ): Promise<boolean> {
    const info = await stat(path).catch(() => null);
    if (!info?.isFile()) return false;
    const type = TYPES[extname(path)] ?? 'application/octet-stream';
    const version = `${info.mtimeMs.toString(36)}-${info.size.toString(36)}`;
    const page = type.startsWith('text/html') ? await this.#pages.get(path, version) : null;
    const compressible = COMPRESSIBLE.test(type) && info.size <= MAX_COMPRESSED_SOURCE;
    const wanted = chooseKept(header(request, 'accept-encoding'));
    const coding = compressible && (wanted.required || info.size >= MIN_COMPRESSED_SOURCE) ? wanted.coding : null;
    const etag = `"${page?.digest ?? version}${coding ? `-${coding}` : ''}"`;
    const headers: OutgoingHttpHeaders = {
      'content-type': type,
      'cache-control': path.startsWith(join(this.#options.root, 'assets/'))
        ? 'public, max-age=31536000, immutable'
        : 'no-cache',
      etag,
      ...(compressible ? { vary: page ? PAGE_VARY : 'accept-encoding' } : {}),
      ...page?.headers,
      ...extra,
    };
    if (isKnown(request.headers['if-none-match'], etag)) {
      response.writeHead(304, headers).end();
      return true;
    }
    if (coding) {
      const bytes = await this.#compressed.get(path, page?.digest ?? version, coding, page?.bytes);
      response.writeHead(200, { ...headers, 'content-encoding': coding, 'content-length': bytes.length });
      response.end(request.method === 'HEAD' ? undefined : bytes);
      return true;
    }
    response.writeHead(200, { ...headers, 'content-length': page?.bytes.length ?? info.size });
    if (request.method === 'HEAD' || page) response.end(page?.bytes);
    else await pipeline(createReadStream(path), response);
    return true;
  }

  /** A page with its own meta tags; not compressed, because it is small and different for each address. */
  async #sendHeaded(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    head: PageHead | 'missing',
  ): Promise<boolean> {
    const info = await stat(path).catch(() => null);
    if (!info) return false;
    const page = await this.#pages.get(path, `${info.mtimeMs.toString(36)}-${info.size.toString(36)}`);
    const frame = { site: this.#options.facts()['site-name'], language: requestLanguage(request) };
    const text = page.bytes.toString();
    const bytes = Buffer.from(
      head === 'missing' ? withNotFound(text, frame) : withHead(text, head, this.#options.baseUrl, frame),
    );
    const headers: OutgoingHttpHeaders = {
      'content-type': TYPES['.html'],
      'cache-control': 'no-cache',
      vary: `accept, ${LANGUAGE_HEADERS}`,
      // Computed without the meta tags: they can never allow a script.
      ...page.headers,
      ...(head === 'missing' ? {} : { etag: `"${digestOf(bytes)}"` }),
    };
    if (isKnown(request.headers['if-none-match'], String(headers.etag))) {
      response.writeHead(304, headers).end();
      return true;
    }
    response.writeHead(head === 'missing' ? 404 : 200, { ...headers, 'content-length': bytes.length });
    response.end(request.method === 'HEAD' ? undefined : bytes);
    return true;
  }

  /** The file of a page in the language of the browser, as far as it was built. */
  async #translated(request: IncomingMessage, page: string): Promise<string> {
    const file = pageIn(page, requestLanguage(request));
    return file !== page && (await stat(file).catch(() => null)) ? file : page;
  }
}

/** Keeps what the query says, such as a start time. */
function redirect(request: IncomingMessage, response: ServerResponse, path: string): true {
  const query = request.url?.match(/\?.*/)?.[0] ?? '';
  const headers = { location: path + query, 'cache-control': `public, max-age=${KEEP_REDIRECT}`, 'content-length': 0 };
  response.writeHead(301, headers).end();
  return true;
}

/** Pages that the app finds by a final wildcard, which stands for nothing there. */
const BY_WILDCARD = ['/series'];

/** Whether a path is that of a page of the app or of the embed player. */
function appPages(): (path: string) => boolean {
  const handle = () => {};
  const find = createRouter(
    [...APP_PAGES, ...BY_WILDCARD, '/embed/*'].map((path) => ({ method: 'GET', path, handle })),
  );
  return (path) => find('GET', path).kind === 'found';
}

/** A decoded relative path without hidden or upward steps; otherwise null. */
function safeFile(path: string): string | null {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path).replace(/^\/+|(?<!\/)\/+$/g, '');
  } catch {
    return null;
  }
  if (decoded.includes('\0') || decoded.includes('\\')) return null;
  return decoded.split('/').some((part) => part.startsWith('.')) ? null : decoded;
}

function header(request: IncomingMessage, name: 'accept-encoding'): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}
