import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { AppError } from '../kernel/errors.ts';
import { t } from '../kernel/languages/message.ts';
import type { Logger } from '../platform/log.ts';
import { sendJson } from '../platform/send-json.ts';
import { wantsHtml } from './codings/media-types.ts';
import { isPreflight, type Opening, openingOf } from './cors.ts';
import { type CredentialSource, refuseCrossSite, refuseKeyInAddress } from './credentials.ts';
import { failureOf, HttpError, restErrorBody } from './errors.ts';
import { type GraphqlEndpoint, sendGraphqlFailure } from './graphql/graphql-endpoint.ts';
import { GRAPHQL_PATH, graphqlRoute, VERSIONED_ROUTE, versionInAddress } from './graphql/version-choice.ts';
import type { Exchange } from './request-context.ts';
import type { createRouter } from './router.ts';
import { isVisit, sendFailurePage } from './web/error-page.ts';
import type { StaticFiles } from './web/static-files.ts';

export interface DispatchOptions {
  readonly baseUrl: string;
  readonly log: Logger;
  /** Sent with every response. */
  readonly headers: OutgoingHttpHeaders;
  readonly credentials: CredentialSource;
  readonly graphql: GraphqlEndpoint;
  readonly router: ReturnType<typeof createRouter>;
  readonly web: StaticFiles;
  /** Name of the server. */
  readonly siteName: () => string;
}

/** How long a client may keep sending a refused body before the connection is closed. */
const LINGER_MS = 5_000;
/** Headers of a protocol whose every response has them. */
const KEPT_WITH_ERRORS: ReadonlySet<string> = new Set(['tus-resumable']);

/** Dispatches one request to its handler and renders errors. Never rejects. */
export async function dispatch(
  options: DispatchOptions,
  request: IncomingMessage,
  response: ServerResponse,
  exchange: Exchange,
): Promise<void> {
  try {
    if (isPreflight(request) && respondToPreflight(options, response, exchange)) return;
    refuseKeyInAddress(exchange.search);
    refuseNul(exchange.search);
    const version = versionInAddress(exchange.path);
    if (version === undefined) await respondWithRoute(options, request, response, exchange);
    else await respondToGraphql(options, request, response, exchange, version);
  } catch (thrown) {
    fail(options, request, response, exchange, thrown);
  }
}

/** As the router does for paths: a NUL is in no identifier, and cannot be stored. */
function refuseNul(search: string): void {
  if (!search.includes('%00')) return;
  throw new HttpError(400, 'INVALID_INPUT', t`The address contains a NUL character.`, {
    suggestedFix: t`Remove %00 from the parameters.`,
  });
}

/** Without checking the route or any credential. False when other origins are not allowed. */
function respondToPreflight(options: DispatchOptions, response: ServerResponse, exchange: Exchange): boolean {
  const opening = openingOf(exchange.path);
  if (!opening) return false;
  exchange.route = 'preflight';
  writeCommon(options, response, exchange);
  response.writeHead(204, opening.preflight).end();
  return true;
}

function respondToGraphql(
  options: DispatchOptions,
  request: IncomingMessage,
  response: ServerResponse,
  exchange: Exchange,
  version: string | null,
): Promise<void> | void {
  exchange.route = graphqlRoute(version);
  if (request.method === 'POST') return options.graphql.handle(request, response, exchange, version);
  if (request.method === 'OPTIONS') {
    writeCommon(options, response, exchange);
    response.writeHead(204, { allow: 'GET, HEAD, OPTIONS, POST' }).end();
    return;
  }
  if ((request.method === 'GET' || request.method === 'HEAD') && wantsHtml(request.headers.accept))
    return explorer(options, request, response, exchange, version);
  return options.graphql.handle(request, response, exchange, version);
}

/** The explorer for a signed-in browser; any other browser is redirected to the sign-in page and back. */
async function explorer(
  options: DispatchOptions,
  request: IncomingMessage,
  response: ServerResponse,
  exchange: Exchange,
  version: string | null,
): Promise<void> {
  options.graphql.choose(request, version);
  writeCommon(options, response, exchange);
  if (options.credentials.sessionTokenFrom(request) === null) {
    const next = encodeURIComponent(exchange.path + exchange.search);
    response
      .writeHead(303, { location: `/sign-in?next=${next}`, 'cache-control': 'no-store', vary: 'accept, cookie' })
      .end();
    return;
  }
  if (await options.web.explorer(request, response)) return;
  throw notBuilt();
}

async function respondWithRoute(
  options: DispatchOptions,
  request: IncomingMessage,
  response: ServerResponse,
  exchange: Exchange,
): Promise<void> {
  writeCommon(options, response, exchange);
  const method = request.method ?? '';
  const match = options.router(method, exchange.path);
  if (match.kind === 'found') {
    exchange.route = match.route.path;
    exchange.params = match.params;
    refuseForeignSession(options, request);
    return match.route.handle(request, response, exchange);
  }
  if (match.kind === 'method-not-allowed') {
    if (method === 'OPTIONS') {
      response.writeHead(204, { allow: match.allow.join(', ') }).end();
      return;
    }
    throw new HttpError(405, 'INVALID_INPUT', t`${method} is not allowed here.`, {
      suggestedFix: t`Use one of these methods: ${match.allow.join(', ')}.`,
      headers: { allow: match.allow.join(', ') },
    });
  }
  if (match.kind === 'malformed')
    throw new HttpError(400, 'INVALID_INPUT', t`The address is malformed.`, {
      suggestedFix: t`Percent-encode each part of the path as UTF-8.`,
    });
  if (method === 'GET' || method === 'HEAD') {
    exchange.route = 'web';
    if (await options.web.serve(request, response, exchange.path, exchange)) return;
    if (exchange.path === '/') throw notBuilt();
    exchange.route = 'unmatched';
  }
  throw new HttpError(404, 'RESOURCE_NOT_FOUND', t`There is nothing at this address.`, {
    suggestedFix: t`Check the path. The API is at ${options.baseUrl}${GRAPHQL_PATH}.`,
  });
}

/** Routes that accept a session cookie are protected from cross-site requests here. */
function refuseForeignSession(options: DispatchOptions, request: IncomingMessage): void {
  if (request.headers.cookie === undefined || request.headers.authorization !== undefined) return;
  if (options.credentials.sessionTokenFrom(request) !== null) refuseCrossSite(request, new URL(options.baseUrl).origin);
}

function writeCommon(options: DispatchOptions, response: ServerResponse, exchange: Exchange): void {
  response.setHeader('x-request-id', exchange.requestId);
  for (const [name, value] of commonHeaders(options.headers, openingOf(exchange.path))) response.setHeader(name, value);
}

type HeaderList = readonly (readonly [name: string, value: OutgoingHttpHeader])[];

/** Lists of headers by those of all responses, and by the opening of a path: made once, sent with every response. */
const LISTS = new WeakMap<OutgoingHttpHeaders, Map<Opening | null, HeaderList>>();

function commonHeaders(headers: OutgoingHttpHeaders, opening: Opening | null): HeaderList {
  const known = LISTS.get(headers) ?? new Map<Opening | null, HeaderList>();
  LISTS.set(headers, known);
  const list =
    known.get(opening) ??
    Object.entries({ ...headers, ...opening?.headers }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    );
  known.set(opening, list);
  return list;
}

function fail(
  options: DispatchOptions,
  request: IncomingMessage,
  response: ServerResponse,
  exchange: Exchange,
  thrown: unknown,
): void {
  const gone = response.destroyed || request.socket.destroyed;
  const failure = failureOf(thrown, request, exchange.requestId);
  if (failure.unexpected && !gone)
    options.log.error({ requestId: exchange.requestId, route: exchange.route, error: thrown }, 'request failed');
  else if (failure.status >= 500 && !gone)
    options.log.warn({ requestId: exchange.requestId, route: exchange.route, error: thrown }, 'request failed');
  if (gone) return;
  if (response.headersSent) {
    // Part of the response has been sent; closing the connection is the only way to signal that it is incomplete.
    response.destroy();
    return;
  }
  for (const name of response.getHeaderNames()) if (!KEPT_WITH_ERRORS.has(name)) response.removeHeader(name);
  writeCommon(options, response, exchange);
  const { language } = exchange;
  if (exchange.route === GRAPHQL_PATH || exchange.route === VERSIONED_ROUTE) {
    const headers = { ...options.graphql.versionHeaders(exchange), ...failure.headers };
    sendGraphqlFailure(request, response, { ...failure, headers }, options.baseUrl, {
      cost: options.graphql.noCost,
      language,
    });
  } else if (isVisit(request))
    sendFailurePage(response, failure, { requestId: exchange.requestId, language, site: options.siteName() });
  else
    sendJson(response, failure.status, restErrorBody(failure.error, options.baseUrl, exchange.requestId, language), {
      ...(language === 'en' ? {} : { 'content-language': language }),
      ...failure.headers,
    });
  if (!request.complete) linger(request);
}

/** The rest of a refused body is read and discarded for a limited time, so that the client receives the response. */
function linger(request: IncomingMessage): void {
  request.resume();
  const timer = setTimeout(() => request.socket.destroy(), LINGER_MS);
  timer.unref();
  const done = () => clearTimeout(timer);
  request.once('end', done).once('close', done);
}

function notBuilt(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', t`The web application has not been built.`, {
    suggestedFix: t`Run "npm run build", or start the platform with "npm start".`,
    retryable: false,
  });
}
