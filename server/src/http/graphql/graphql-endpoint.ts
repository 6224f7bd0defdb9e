import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type {
  CostReport,
  DeprecationNotice,
  GraphqlResult as EngineResult,
  GraphqlRequest,
} from '../../gql/requests.ts';
import type { Credential } from '../../gql/viewer.ts';
import type { ApiVersions } from '../../kernel/api-versions.ts';
import { type AppError, ERROR_CATALOGUE, type ErrorCode } from '../../kernel/errors.ts';
import type { Language } from '../../kernel/languages/languages.ts';
import { t } from '../../kernel/languages/message.ts';
import { costLimit, policyItem, stateItem } from '../../kernel/service-limits.ts';
import { negotiate } from '../codings/media-types.ts';
import { compressedText } from '../codings/send-text.ts';
import { type CredentialSource, credentialOf } from '../credentials.ts';
import { challenge, type Failure, graphqlErrorBody, HttpError } from '../errors.ts';
import type { Metrics } from '../metrics.ts';
import type { Exchange } from '../request-context.ts';
import { EndpointRequest } from './endpoint-request.ts';
import { type EventStreams, one, type StreamMessage } from './event-streams.ts';
import { BatchRefused, parametersOf, type SizedParameters } from './graphql-request.ts';
import type { StreamCapacity } from './stream-capacity.ts';
import { VERSION_HEADER, VersionChoice } from './version-choice.ts';
import { VersionHeaders } from './version-headers.ts';

/** The result of a request; the HTTP layer passes the body on unchanged. */
export interface GraphqlResult extends Omit<EngineResult, 'body'> {
  readonly body: object;
}

/** The executable schema, as seen by the HTTP layer. Never rejects for client errors. */
export interface GraphqlEngine {
  /** extensions.cost of a request that was refused before the engine. */
  readonly noCost: CostReport;
  execute(request: GraphqlRequest): Promise<GraphqlResult>;
  /** Like execute, for clients that read a stream. */
  subscribe(request: GraphqlRequest): Promise<GraphqlStream>;
  /** The account of a credential. Throws UNAUTHENTICATED when it is not valid. */
  requireAccount(credential: Credential): Promise<string>;
  /** Calls `refused` once, within seconds, when the credential is no longer valid. Returns what ends that. */
  watch(credential: Credential, refused: () => void): () => void;
}

/** A response, or a stream of messages that ends with the request's signal. */
export type GraphqlStream =
  | { readonly kind: 'answer'; readonly result: GraphqlResult }
  | {
      readonly kind: 'stream';
      readonly operation: string;
      readonly accountId: string | null;
      readonly messages: AsyncIterable<StreamMessage>;
      readonly deprecations?: readonly DeprecationNotice[] | undefined;
    };

export interface GraphqlEndpointOptions {
  readonly engine: GraphqlEngine;
  readonly credentials: CredentialSource;
  readonly streams: EventStreams;
  readonly capacity: StreamCapacity;
  readonly metrics: Metrics;
  readonly baseUrl: string;
  readonly headers: OutgoingHttpHeaders;
  readonly versions: ApiVersions;
}

const JSON_TYPE = 'application/json';
const GRAPHQL_TYPE = 'application/graphql-response+json';
const STREAM_TYPE = 'text/event-stream';
const OFFERED = [JSON_TYPE, GRAPHQL_TYPE];
/** Characters of the name of an operation. */
const MAX_NAME = 100;
/** Errors that keep their status in both media types, because they do not concern the document. */
const OWN_STATUS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'UNAUTHENTICATED',
  'TOKEN_EXPIRED',
  'UNAUTHORIZED',
  'RATE_LIMIT_EXCEEDED',
  'QUOTA_EXCEEDED',
  'SERVICE_UNAVAILABLE',
  'INTERNAL_SERVER_ERROR',
]);

/**
 * GraphQL over HTTP: POST with JSON, GET for queries. Throws errors from before the engine; the caller renders them
 * with sendGraphqlFailure.
 */
export class GraphqlEndpoint {
  readonly #options: GraphqlEndpointOptions;
  readonly #ownOrigin: string;
  readonly #choice: VersionChoice;
  readonly #versionHeaders: VersionHeaders;
  /** Points of an account that has spent none. */
  readonly #capacity: number;
  /** Alternating names and values: header objects would be flattened again for each response. */
  readonly #jsonHeaders: readonly string[];
  readonly #graphqlHeaders: readonly string[];

  constructor(options: GraphqlEndpointOptions) {
    this.#options = options;
    this.#ownOrigin = new URL(options.baseUrl).origin;
    this.#capacity = options.engine.noCost.available;
    this.#choice = new VersionChoice(options.versions);
    this.#versionHeaders = new VersionHeaders(options.versions, options.baseUrl);
    const common = Object.entries(options.headers).flatMap(([name, value]) => [name, String(value)]);
    const headersOf = (type: string) => [
      ...common,
      'content-type',
      `${type}; charset=utf-8`,
      'cache-control',
      'no-store',
      'vary',
      'accept, accept-encoding, reelgraph-version',
      'ratelimit-policy',
      policyItem(costLimit(options.engine.noCost, this.#capacity)),
    ];
    this.#jsonHeaders = headersOf(JSON_TYPE);
    this.#graphqlHeaders = headersOf(GRAPHQL_TYPE);
  }

  /** extensions.cost of a request that is refused before execution. */
  get noCost(): object {
    return this.#options.engine.noCost;
  }

  /** `version` is the one in the address, if any. */
  async handle(
    request: IncomingMessage,
    response: ServerResponse,
    exchange: Exchange,
    version: string | null = null,
  ): Promise<void> {
    const { engine, credentials, metrics } = this.#options;
    exchange.apiVersion = this.choose(request, version);
    const isGet = request.method === 'GET' || request.method === 'HEAD';
    if (!isGet && request.method !== 'POST') throw methodNotAllowed(request.method ?? '');
    if (wantsStream(request.headers.accept)) return this.#stream(request, response, exchange, isGet);
    const mediaType = mediaTypeOf(request.headers.accept);
    if (mediaType === null) {
      throw new HttpError(406, 'INVALID_INPUT', t`None of the accepted media types is available.`, {
        suggestedFix: t`Accept ${JSON_TYPE} or ${GRAPHQL_TYPE}.`,
      });
    }
    const credential = await credentialOf(request, credentials, this.#ownOrigin);
    const parameters = await parametersOf(request, exchange, credential, isGet);
    const started = performance.now();
    const result = await engine.execute(this.#requestOf(parameters, credential, isGet, exchange, request.headers));
    // Names come from clients: they are counted only for valid documents.
    const ran = result.failure === null;
    if (ran) exchange.operation = operationOf(result);
    metrics.graphqlOperation(
      ran ? exchange.operation : 'refused',
      outcomeOf(result),
      (performance.now() - started) / 1000,
    );
    this.#send(request, response, exchange, mediaType, result);
  }

  /**
   * Server-sent events, one stream for each request. Errors before it starts are sent with their own status, as JSON.
   */
  async #stream(request: IncomingMessage, response: ServerResponse, exchange: Exchange, isGet: boolean): Promise<void> {
    const { engine, credentials, streams, headers } = this.#options;
    const credential = await credentialOf(request, credentials, this.#ownOrigin);
    const parameters = await parametersOf(request, exchange, credential, isGet);
    const endpointRequest = this.#requestOf(parameters, credential, isGet, exchange, request.headers);
    const started = await engine.subscribe(endpointRequest);
    // What a refused stream had begun to follow is closed.
    if (started.kind === 'answer') exchange.abandon();
    if (started.kind === 'answer' && started.result.failure !== null)
      return this.#send(request, response, exchange, GRAPHQL_TYPE, started.result);
    exchange.operation = operationOf(started.kind === 'stream' ? started : started.result);
    const messages = started.kind === 'stream' ? started.messages : one(started.result.body);
    const deprecations = started.kind === 'stream' ? started.deprecations : started.result.deprecations;
    const own = { 'x-request-id': exchange.requestId, ...this.versionHeaders(exchange, deprecations) };
    const release = this.#claim(started, exchange);
    try {
      await streams.send(response, { ...headers, ...own }, messages);
    } finally {
      release();
    }
  }

  #claim(started: GraphqlStream, exchange: Exchange): () => void {
    try {
      return started.kind === 'stream' ? this.#options.capacity.claim(started.accountId ?? '') : () => {};
    } catch (error) {
      exchange.abandon();
      throw error;
    }
  }

  /** The version that a request asks for. Throws if there is none such. */
  choose(request: IncomingMessage, address: string | null): string {
    return this.#choice.choose(address, request.headers[VERSION_HEADER]);
  }

  /** Headers of responses that are written as an object; none before the version is known. */
  versionHeaders({ apiVersion }: Exchange, deprecations?: readonly DeprecationNotice[]): OutgoingHttpHeaders {
    if (apiVersion === undefined) return {};
    const list = this.#versionList(apiVersion, deprecations);
    return Object.fromEntries(
      list.flatMap((name, index) => (index % 2 === 0 ? [[name, list[index + 1]] as const] : [])),
    );
  }

  #versionList(version: string, deprecations: readonly DeprecationNotice[] | undefined): readonly string[] {
    return deprecations ? this.#versionHeaders.with(version, deprecations) : this.#versionHeaders.of(version);
  }

  /** Requests for the current version take the shortest way through the engine. */
  #requestOf(
    parameters: SizedParameters,
    credential: Credential,
    isGet: boolean,
    exchange: Exchange,
    headers: IncomingHttpHeaders,
  ): EndpointRequest {
    const version = exchange.apiVersion === this.#options.versions.current ? undefined : exchange.apiVersion;
    return new EndpointRequest({ ...parameters, version }, credential, isGet, exchange, headers);
  }

  #send(
    request: IncomingMessage,
    response: ServerResponse,
    exchange: Exchange,
    mediaType: string,
    result: GraphqlResult,
  ): void {
    if (response.destroyed) return;
    const status = result.needsPost ? 405 : (result.status ?? statusOf(result.failure, mediaType));
    const text = JSON.stringify(result.body);
    const compressed = result.revealing ? null : compressedText(text, request.headers['accept-encoding']);
    const headers = [
      ...(mediaType === JSON_TYPE ? this.#jsonHeaders : this.#graphqlHeaders),
      ...this.#versionList(exchange.apiVersion ?? this.#options.versions.current, result.deprecations),
      'x-request-id',
      exchange.requestId,
      'content-length',
      String(compressed ? compressed.bytes.length : Buffer.byteLength(text)),
    ];
    if (compressed) headers.push('content-encoding', compressed.coding);
    if (exchange.contentLanguage) headers.push('content-language', exchange.contentLanguage);
    const cost = costOf(result.body);
    // A replayed response has the points of its first time.
    if (result.replayed) headers.push('idempotency-replayed', 'true');
    else if (cost) headers.push('ratelimit', stateItem(costLimit(cost, this.#capacity)));
    if (result.sessionOver) headers.push('set-cookie', this.#options.credentials.forgottenSessionCookie);
    if (status !== 200) {
      if (status === 401) headers.push('www-authenticate', challenge(request));
      if (status === 405) headers.push('allow', 'POST');
      if (result.retryAfterSeconds !== undefined)
        headers.push('retry-after', String(Math.max(1, Math.ceil(result.retryAfterSeconds))));
    }
    response.writeHead(status, headers);
    response.end(compressed?.bytes ?? text);
  }
}

/**
 * Status of a response (GraphQL over HTTP, "Response"): 200 when the document was executed, or when it was invalid and
 * the client reads application/json; 400 for the latter in application/graphql-response+json.
 */
export function statusOf(failure: ErrorCode | null, mediaType: string): number {
  if (failure === null) return 200;
  if (OWN_STATUS.has(failure)) return ERROR_CATALOGUE[failure].httpStatus;
  return mediaType === GRAPHQL_TYPE ? 400 : 200;
}

/** Requests of a batch that get an error each; a larger one gets one error. */
const MOST_ANSWERED = 100;

/** Renders an error from before the engine: always with its own status, in the type the client reads. */
export function sendGraphqlFailure(
  request: IncomingMessage,
  response: ServerResponse,
  failure: Failure,
  baseUrl: string,
  { cost, language }: { readonly cost: object; readonly language: Language },
): void {
  const mediaType = mediaTypeOf(request.headers.accept) ?? JSON_TYPE;
  const body = graphqlErrorBody(failure.error, baseUrl, cost, language);
  const requests = failure.error instanceof BatchRefused ? failure.error.count : 0;
  const text = JSON.stringify(requests > 0 && requests <= MOST_ANSWERED ? Array(requests).fill(body) : body);
  response.writeHead(failure.status, {
    'content-type': `${mediaType}; charset=utf-8`,
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    ...(language === 'en' ? {} : { 'content-language': language }),
    ...failure.headers,
  });
  response.end(text);
}

/** Only clients of subscriptions accept the type of streams. */
function wantsStream(accept: string | undefined): boolean {
  return accept?.includes(STREAM_TYPE) === true && negotiate(accept, [STREAM_TYPE, ...OFFERED]) === STREAM_TYPE;
}

/** `extensions.cost`, which the engine writes. */
function costOf(body: { readonly extensions?: { readonly cost?: CostReport } }): CostReport | undefined {
  return body.extensions?.cost;
}

function mediaTypeOf(accept: string | undefined): string | null {
  if (accept === undefined || accept === '*/*' || accept === JSON_TYPE) return JSON_TYPE;
  return negotiate(accept, OFFERED);
}

/** For logs and metrics. */
export function operationOf({ operation }: Pick<GraphqlResult, 'operation'>): string | undefined {
  return operation?.slice(0, MAX_NAME) || undefined;
}

export function outcomeOf(result: GraphqlResult): string {
  if (result.failure !== null) return result.failure;
  return 'errors' in result.body && result.body.errors ? 'partial' : 'ok';
}

function methodNotAllowed(method: string): AppError {
  return new HttpError(405, 'INVALID_INPUT', t`${method} is not allowed here.`, {
    suggestedFix: t`Send queries and mutations with POST, or queries with GET.`,
    headers: { allow: 'GET, HEAD, OPTIONS, POST' },
  });
}
