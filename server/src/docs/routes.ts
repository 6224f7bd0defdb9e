import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { GraphQLSchema } from 'graphql';
import { printedSchema } from '../gql/printed-schema.ts';
import { SchemaVersions } from '../gql/schema-versions.ts';
import { wantsHtml } from '../http/codings/media-types.ts';
import { sendText } from '../http/codings/send-text.ts';
import { HttpError } from '../http/errors.ts';
import { VERSION_HEADER, VersionChoice } from '../http/graphql/version-choice.ts';
import { pageHeaders } from '../http/security-headers.ts';
import { CompressedFiles, chooseKept } from '../http/web/compressed-files.ts';
import { isVisit } from '../http/web/error-page.ts';
import { isKnown } from '../http/web/etags.ts';
import { digestOf } from '../http/web/web-pages.ts';
import { type ApiVersions, apiVersions, PREVIEW } from '../kernel/api-versions.ts';
import type { Html } from '../kernel/html.ts';
import { DEFAULT_NAME } from '../platform/instance/instance-settings.ts';
import type { RequestContext, Route } from '../platform/routing.ts';
import { DocSearch } from './doc-search.ts';
import { errorData, errorPages } from './error-pages.ts';
import { Library } from './library.ts';
import { llmsFullText, llmsText } from './llms.ts';
import { writtenPages } from './markdown-pages.ts';
import { missingPage } from './not-found.ts';
import { openApiDocument } from './openapi/document.ts';
import { pageHtml } from './page-html.ts';
import { apiPage } from './reference/api-page.ts';
import { deprecationsPage } from './reference/deprecations-page.ts';
import { readExamples } from './reference/operation-example.ts';
import { operationPages } from './reference/operation-pages.ts';
import { typePages } from './reference/type-pages.ts';
import { searchPage } from './search-page.ts';
import { startPages } from './start-pages.ts';
import { readTryItScript, TRY_IT_PATH } from './try-it.ts';

export interface DocsOptions {
  /** With the elements of all versions. */
  readonly schema: GraphQLSchema;
  /** Those of the platform by default. */
  readonly versions?: ApiVersions;
  /** Public address, without a trailing slash. */
  readonly baseUrl: string;
  readonly version: string;
  /** Name of the server; ours by default. */
  readonly siteName?: () => string;
}

/** The response, the same for all clients. */
interface File {
  readonly bytes: Buffer;
  readonly headers: OutgoingHttpHeaders;
}

const MAX_KEPT_BYTES = 8 * 1024 * 1024;
const MIN_COMPRESSED = 1_024;
const MAX_QUERY = 100;
const JSON_TYPE = 'application/json; charset=utf-8';
const SCHEMA_PATH = '/schema.graphql';
const VERSIONED_SCHEMA_ROUTE = '/graphql/:version/schema.graphql';
/** The schema of a version. */
const VERSIONED_SCHEMA = /^\/graphql\/([^/]+)\/schema\.graphql$/;
const PLAIN = 'text/plain; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';
const JAVASCRIPT = 'text/javascript; charset=utf-8';

/**
 * The documentation at /docs: each page as HTML, and as Markdown with the suffix `.md`; errors also as JSON; a
 * search in them; and the
 * schema as text.
 */
export function docsRoutes(options: DocsOptions): Route[] {
  let library: Promise<Library> | null = null;
  let search: DocSearch | null = null;
  let files: { readonly site: string; readonly kept: Map<string, File> } | null = null;
  const compressed = new CompressedFiles(MAX_KEPT_BYTES);
  const contracts = new Contracts(options);
  const handle = async (request: IncomingMessage, response: ServerResponse, { url }: RequestContext): Promise<void> => {
    // Generated at the first visit, so that the start does not wait for it.
    library ??= makeLibrary(options, contracts).catch((error: unknown) => {
      library = null;
      throw error;
    });
    const path = pathOf(url);
    const site = options.siteName?.() ?? DEFAULT_NAME;
    if (path === '/docs/search') {
      search ??= new DocSearch(await library);
      return sendFound(request, response, { asked: url.searchParams.get('q'), search, library: await library, site });
    }
    if (files?.site !== site) files = { site, kept: new Map() };
    const { kept } = files;
    const key = wantsData(request) ? `${path} as data` : path;
    const file =
      kept.get(key) ??
      (key === path ? null : dataAt(path, options)) ??
      (path === TRY_IT_PATH ? textFile(await readTryItScript(), JAVASCRIPT) : null) ??
      schemaAt(path, contracts) ??
      fileAt(path, await library, options, site);
    if (!file && isVisit(request)) return sendMissing(response, missingPage(path, await library, site));
    if (!file) throw noPage(options.baseUrl);
    kept.set(key, file);
    await sendFile(request, response, path, file, compressed);
  };
  return ['/docs', '/docs.md', '/docs/*', SCHEMA_PATH, VERSIONED_SCHEMA_ROUTE, '/llms.txt', '/llms-full.txt'].map(
    (path): Route => ({ method: 'GET', path, handle }),
  );
}

async function makeLibrary({ baseUrl }: DocsOptions, { preview: schema, versions }: Contracts): Promise<Library> {
  const [written, examples] = await Promise.all([writtenPages(), readExamples()]);
  const pages = [
    ...written,
    ...errorPages(baseUrl),
    apiPage(schema, versions),
    ...operationPages(schema, examples, baseUrl),
    ...typePages(schema),
    deprecationsPage(schema),
  ];
  return new Library([...startPages(new Library(pages)), ...pages]);
}

/** What the library is made of: the schemas of all versions. */
class Contracts {
  readonly #options: DocsOptions;
  readonly #schemas: SchemaVersions;

  constructor(options: DocsOptions) {
    this.#options = options;
    this.#schemas = new SchemaVersions(options.schema, this.versions);
  }

  get versions(): ApiVersions {
    return this.#options.versions ?? apiVersions;
  }

  get preview(): GraphQLSchema {
    return this.#schemas.of(PREVIEW);
  }

  /** The schema at an address, and its version; null at other addresses. Throws for versions that do not exist. */
  at(path: string): { readonly version: string; readonly text: string } | null {
    const named = VERSIONED_SCHEMA.exec(path)?.[1];
    if (path !== SCHEMA_PATH && named === undefined) return null;
    const version = new VersionChoice(this.versions).choose(named ?? null, undefined);
    return { version, text: printedSchema(this.#schemas.of(version)) };
  }
}

/** Without a slash at the end. Codes of errors may be in upper case, as they are in responses. */
function pathOf({ pathname }: URL): string {
  const path = pathname.replace(/(?<!\/)\/+$/, '');
  return path.startsWith('/docs/errors/') ? path.toLowerCase() : path;
}

/** Programs that accept JSON and not HTML get errors as data. */
function wantsData({ headers: { accept } }: IncomingMessage): boolean {
  return accept?.includes('json') === true && !wantsHtml(accept);
}

function dataAt(path: string, { baseUrl }: DocsOptions): File | null {
  const data = errorData(path, baseUrl);
  return data && textFile(JSON.stringify(data), JSON_TYPE);
}

function schemaAt(path: string, contracts: Contracts): File | null {
  const found = contracts.at(path);
  // As plain text, so that browsers show it instead of saving it.
  return found && textFile(found.text, PLAIN, { [VERSION_HEADER]: found.version });
}

function fileAt(path: string, library: Library, options: DocsOptions, site: string): File | null {
  const { baseUrl } = options;
  if (path === '/docs/openapi.json') return textFile(JSON.stringify(openApiDocument(options)), JSON_TYPE);
  if (path === '/llms.txt') return textFile(llmsText(library, baseUrl), PLAIN);
  if (path === '/llms-full.txt') return textFile(llmsFullText(library, baseUrl), PLAIN);
  const page = library.find(path.replace(/\.md$/, ''));
  if (!page) return null;
  if (path.endsWith('.md')) return textFile(page.markdown, MARKDOWN);
  const { text } = pageHtml(page, library, site);
  return textFile(text, 'text/html; charset=utf-8', pageHeaders({ html: text }));
}

function textFile(text: string, type: string, headers: OutgoingHttpHeaders = {}): File {
  return { bytes: Buffer.from(text), headers: { 'content-type': type, ...headers } };
}

async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  { bytes, headers: own }: File,
  compressed: CompressedFiles,
): Promise<void> {
  const digest = digestOf(bytes);
  const accepted = request.headers['accept-encoding'];
  const wanted = chooseKept(typeof accepted === 'string' ? accepted : undefined);
  const coding = wanted.required || bytes.length >= MIN_COMPRESSED ? wanted.coding : null;
  const etag = `"${digest}${coding ? `-${coding}` : ''}"`;
  const vary = path.startsWith('/docs/errors') ? 'accept, accept-encoding' : 'accept-encoding';
  const headers = { ...own, etag, 'cache-control': 'public, max-age=300', vary };
  if (isKnown(request.headers['if-none-match'], etag)) {
    response.writeHead(304, headers).end();
    return;
  }
  const sent = coding ? await compressed.get(path, digest, coding, bytes) : bytes;
  response.writeHead(200, {
    ...headers,
    ...(coding ? { 'content-encoding': coding } : {}),
    'content-length': sent.length,
  });
  response.end(request.method === 'HEAD' ? undefined : sent);
}

function sendMissing(response: ServerResponse, { text }: Html): void {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
  };
  response.writeHead(404, { ...headers, ...pageHeaders({ html: text }) }).end(text);
}

/** What was found, also as JSON. */
function sendFound(
  request: IncomingMessage,
  response: ServerResponse,
  {
    asked,
    search,
    library,
    site,
  }: { readonly asked: string | null; readonly search: DocSearch; readonly library: Library; readonly site: string },
): void {
  const query = (asked ?? '').trim().slice(0, MAX_QUERY);
  const found = search.find(query);
  const headers = { 'cache-control': 'public, max-age=300', vary: 'accept' };
  if (wantsData(request)) {
    sendText(request, response, 200, JSON.stringify({ query, results: found }), {
      ...headers,
      'content-type': JSON_TYPE,
    });
    return;
  }
  const { text } = searchPage(query, found, library, site);
  const page = { 'content-type': 'text/html; charset=utf-8', ...pageHeaders({ html: text }) };
  sendText(request, response, 200, text, { ...headers, ...page });
}

function noPage(baseUrl: string): HttpError {
  return new HttpError(404, 'RESOURCE_NOT_FOUND', 'There is no such page of the documentation.', {
    suggestedFix: `Start at ${baseUrl}/docs, or read ${baseUrl}/docs.md for the list of all pages.`,
  });
}
