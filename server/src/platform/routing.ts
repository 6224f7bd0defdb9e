import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Language } from '../kernel/languages/languages.ts';

/** A request, as the HTTP layer reads it before a route runs. */
export interface RequestContext {
  readonly requestId: string;
  /** Of the texts for people in the response. */
  readonly language: Language;
  readonly url: URL;
  /** Values of the `:name` parts of the pattern, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** Address of the client, taking TRUST_PROXY into account. */
  readonly clientAddress: string;
  /** Aborted when the server stops: streams that wait for events end. */
  readonly closing: AbortSignal;
}

/**
 * Whether a request asks not to be tracked: Do Not Track (W3C TPE section 5.2) or Global Privacy Control (section 3).
 */
export function optsOutOfTracking(request: IncomingMessage): boolean {
  return request.headers.dnt === '1' || request.headers['sec-gpc'] === '1';
}

/**
 * A REST endpoint of a domain; `http` mounts it, adds the request id and renders its errors. Patterns are
 * `/fixed/:name` and may end in `/*`, whose match is `params['*']`.
 */
export interface Route {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' | '*';
  readonly path: string;
  readonly handle: (
    request: IncomingMessage,
    response: ServerResponse,
    context: RequestContext,
  ) => Promise<void> | void;
}
