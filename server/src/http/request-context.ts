import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { Client } from '../gql/request-context.ts';
import { type Language, requestLanguage } from '../kernel/languages/languages.ts';
import { optsOutOfTracking, type RequestContext } from '../platform/routing.ts';

const ACCEPTED_ID = /^[A-Za-z0-9._:-]{1,128}$/;
const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze({});

export interface ContextOptions {
  /** Public address, without a trailing slash. */
  readonly baseUrl: string;
  /** Whether the operator's proxy writes the last entry of X-Forwarded-For. */
  readonly trustProxy: boolean;
  /** Aborted when the server stops. */
  readonly closing: AbortSignal;
}

/** The context of one request. Rarely used values are computed lazily. */
export class Exchange implements RequestContext {
  readonly requestId: string;
  readonly startedAt = performance.now();
  /** As sent, percent-encoded, without the query. */
  readonly path: string;
  /** With its question mark, or empty. */
  readonly search: string;
  params: Readonly<Record<string, string>> = NO_PARAMS;
  /** The matched pattern, for metrics and the log: never a value from the request. */
  route = 'unmatched';
  /** Name of the executed GraphQL operation, for the log. */
  operation: string | undefined;
  /** The version of the API that answers a GraphQL request, once it is known. */
  apiVersion: string | undefined;
  readonly #request: IncomingMessage;
  readonly #options: ContextOptions;
  #url: URL | undefined;
  /** Known once there was a text for people. */
  #language: Language | undefined;
  #abort: AbortController | undefined;

  constructor(request: IncomingMessage, options: ContextOptions) {
    this.#request = request;
    this.#options = options;
    this.requestId = requestIdOf(request.headers['x-request-id']);
    const target = originForm(request.url ?? '/');
    const mark = target.indexOf('?');
    this.path = mark === -1 ? target : target.slice(0, mark);
    this.search = mark === -1 ? '' : target.slice(mark);
  }

  get url(): URL {
    this.#url ??= new URL(new URL(this.#options.baseUrl).origin + this.path + this.search);
    return this.#url;
  }

  get clientAddress(): string {
    return clientAddressOf(this.#request, this.#options.trustProxy);
  }

  /** Of the texts for people in the response. */
  get language(): Language {
    this.#language ??= requestLanguage(this.#request);
    return this.#language;
  }

  /** Content-Language of a response with texts for people in a language other than English; null for all others. */
  get contentLanguage(): Language | null {
    return this.#language === undefined || this.#language === 'en' ? null : this.#language;
  }

  get closing(): AbortSignal {
    return this.#options.closing;
  }

  get client(): Client {
    const userAgent = this.#request.headers['user-agent'] ?? '';
    return { address: this.clientAddress, userAgent, doNotTrack: optsOutOfTracking(this.#request) };
  }

  /** Aborted when the client disconnects before the response is complete. */
  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    return this.#abort.signal;
  }

  abandon(): void {
    this.#abort?.abort();
  }
}

const instance = randomBytes(9).toString('base64url');
let count = 0;

/**
 * The caller's id if it is safe to log and to return; otherwise a new one: a random prefix of the process and a
 * counter.
 */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && ACCEPTED_ID.test(header) ? header : `${instance}.${(++count).toString(36)}`;
}

/** IPv4 on a dual-stack socket (RFC 4291 section 2.5.5.2). */
const MAPPED_IPV4 = /^::ffff:(?=\d+\.)/i;

/**
 * The peer or, with a trusted proxy, the address that the proxy saw (the last one in the list; clients can forge the
 * others).
 */
export function clientAddressOf(request: IncomingMessage, trustProxy: boolean): string {
  const peer = (request.socket.remoteAddress ?? '').replace(MAPPED_IPV4, '');
  if (!trustProxy) return peer;
  const forwarded = request.headers['x-forwarded-for'];
  const list = typeof forwarded === 'string' ? forwarded : forwarded?.at(-1);
  return list?.split(',').at(-1)?.trim() || peer;
}

/** Path and query of a request target; proxies may send the absolute form (RFC 9112 section 3.2.2). */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  if (URL.canParse(target)) {
    const { pathname, search } = new URL(target);
    return `${pathname}${search}`;
  }
  return `/${target}`;
}
