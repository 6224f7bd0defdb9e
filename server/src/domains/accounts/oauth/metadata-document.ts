import type { FetchAllow } from '../../../platform/fetch/fetch-allow.ts';
import {
  createGuardedExchange,
  type ExchangeResponse,
  type GuardedExchange,
} from '../../../platform/fetch/guarded-exchange.ts';
import type { Body } from '../auth-requests.ts';
import { prepareRegistration, type Registration } from './oauth-registration.ts';

const MAX_BYTES = 16 * 1024;
const TIMEOUT_MS = 5_000;
const MAX_ADDRESS = 1_000;
const SHORTEST_SECONDS = 5 * 60;
const LONGEST_SECONDS = 24 * 3_600;
/** As sent in a query (RFC 3986 section 2): nothing that PostgreSQL cannot store. */
const ADDRESS = /^https?:[\x21-\x7e]+$/;

/** What an application publishes about itself, reduced to what a registration may contain. */
export interface MetadataDocument {
  readonly metadata: Registration;
  /** How long the document may be used without reading it again. */
  readonly freshMs: number;
}

/** Why an application is refused (RFC 6749 section 5.2), for its author. */
export interface DocumentRefusal {
  readonly error: 'invalid_request' | 'invalid_client';
  readonly error_description: string;
}

/** Reads client ID metadata documents (draft-ietf-oauth-client-id-metadata-document-02). */
export interface MetadataDocuments {
  read(clientId: string): Promise<MetadataDocument | DocumentRefusal>;
  close(): Promise<void>;
}

/** Whether a client_id is the address of a metadata document, or tries to be. */
export function isDocumentAddress(clientId: string): boolean {
  return clientId.length <= MAX_ADDRESS && ADDRESS.test(clientId);
}

/**
 * Documents are read by the guarded fetcher: from public addresses over https, without redirects, 16 KiB within 5 s.
 * `allow` names exceptions, which may be http.
 */
export function openMetadataDocuments(allow: FetchAllow, timeoutMs = TIMEOUT_MS): MetadataDocuments {
  const { exchange, close } = createGuardedExchange({ allow });
  return {
    async read(clientId) {
      const url = documentAddress(clientId, allow);
      if (!url)
        return {
          error: 'invalid_request',
          error_description:
            'A client_id that is an address must be an https URL with a path, in its normal form: lower-case host, ' +
            'no default port, no username, no fragment, no "." or ".." in the path.',
        };
      const response = await fetchDocument(exchange, url, timeoutMs);
      if (!response) return refused(url, unreachable(timeoutMs));
      const described = problemOf(response) ?? describedClient(response.text, clientId);
      return typeof described === 'string'
        ? refused(url, described)
        : { metadata: described, freshMs: freshSeconds(response.headers['cache-control'] ?? '') * 1_000 };
    },
    close,
  };
}

/**
 * The URL of a client_id; null if it breaks the rules of section 3. Every client has one spelling, because client_ids
 * are compared as text.
 */
function documentAddress(clientId: string, allow: FetchAllow): URL | null {
  const url = URL.parse(clientId);
  if (!url || url.href !== clientId || url.pathname === '/') return null;
  if (url.username !== '' || url.password !== '' || clientId.includes('#')) return null;
  return url.protocol === 'https:' || allow(url.hostname, Number(url.port || 80)) ? url : null;
}

function fetchDocument(exchange: GuardedExchange, url: URL, timeoutMs: number): Promise<ExchangeResponse | null> {
  // The cause may describe the internal network; strangers do not learn it.
  return exchange({ method: 'GET', url: url.href, headers: {}, timeoutMs, maxBytes: MAX_BYTES }).catch(() => null);
}

function unreachable(timeoutMs: number): string {
  return (
    'cannot be read. Publish it on the public internet over https, at most 16 KiB, so that it arrives ' +
    `within ${timeoutMs / 1_000} s.`
  );
}

function problemOf({ status, headers }: ExchangeResponse): string | null {
  if (status !== 200) return `has the status ${status}. Publish it with status 200; redirects are not followed.`;
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  return /^application\/(?:[\w.-]+\+)?json$/.test(type) ? null : 'is not JSON. Send it as "application/json".';
}

/** What a document says about a client, as for a registration; text if it is refused, with what to fix. */
function describedClient(text: string, clientId: string): Registration | string {
  const document = jsonObject(text);
  if (!document) return 'is not one JSON object.';
  if (document.client_id !== clientId) return 'is about another client_id. It must have exactly its own address.';
  if ('client_secret' in document || 'client_secret_expires_at' in document)
    return 'contains a secret, which everybody can read. Remove client_secret and client_secret_expires_at.';
  const { token_endpoint_auth_method: method = 'none' } = document;
  if (method !== 'none') return 'must have "none" as token_endpoint_auth_method, or leave it out.';
  const metadata = prepareRegistration({ ...document, token_endpoint_auth_method: method });
  return 'error' in metadata ? `is refused: ${metadata.error_description}` : metadata;
}

function jsonObject(text: string): Body | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : null;
  } catch {
    return null;
  }
}

function refused(url: URL, problem: string): DocumentRefusal {
  return { error: 'invalid_client', error_description: `The metadata document on ${url.host} ${problem}` };
}

/** The lifetime of a response (RFC 9111 section 5.2.2), within our bounds. */
function freshSeconds(cacheControl: string): number {
  const directives = cacheControl.toLowerCase();
  const isUncached = /\bno-(?:store|cache)\b/.test(directives);
  const seconds = isUncached ? 0 : Number(/\bmax-age="?(\d+)/.exec(directives)?.[1] ?? 0);
  return Math.min(Math.max(seconds, SHORTEST_SECONDS), LONGEST_SECONDS);
}
