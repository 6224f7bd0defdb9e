import { AppError } from '../../../kernel/errors.ts';
import type { Config } from '../../../platform/config/config.ts';
import { readFetchAllow } from '../../../platform/fetch/fetch-allow.ts';
import { createGuardedExchange } from '../../../platform/fetch/guarded-exchange.ts';

/** For each request to a provider. */
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 1024 * 1024;
/** Statuses whose responses have no body (Fetch standard, null body status). */
const BODILESS: readonly number[] = [204, 205, 304];

/** What libraries send. */
interface Sent {
  readonly method?: string | undefined;
  readonly headers?: Headers | Record<string, string> | undefined;
  readonly body?: unknown;
}

/** Requests to providers in the form of the Fetch standard. Throws SERVICE_UNAVAILABLE without a response below 500. */
export type ProviderFetch = (url: string, sent: Sent) => Promise<Response>;

/**
 * The hosts of issuers may have private addresses and plain http, because the operator named them. Others that a
 * discovery document names must be public and use https, or be in FETCH_ALLOW.
 */
export function openProviderFetch({ oidcProviders, FETCH_ALLOW }: Pick<Config, 'oidcProviders' | 'FETCH_ALLOW'>): {
  fetch: ProviderFetch;
  close(): Promise<void>;
} {
  const listed = readFetchAllow(FETCH_ALLOW);
  const named = readFetchAllow(oidcProviders.map(({ ISSUER }) => hostOf(ISSUER)).join(','));
  const { exchange, close } = createGuardedExchange({
    allow: (host, port) => named(host, port) || listed(host, port),
  });
  return {
    async fetch(url, { method, headers, body }) {
      const response = await exchange({
        method: method === 'POST' ? 'POST' : 'GET',
        url,
        headers: Object.fromEntries(new Headers(headers)),
        ...(body === undefined || body === null ? {} : { body: String(body) }),
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_BYTES,
      });
      if (response.status >= 500)
        throw new AppError('SERVICE_UNAVAILABLE', undefined, { cause: new Error(`status ${response.status}`) });
      const text = BODILESS.includes(response.status) ? null : response.text;
      return new Response(text, { status: response.status, headers: response.headers });
    },
    close,
  };
}

function hostOf(issuer: string): string {
  const { hostname, port, protocol } = new URL(issuer);
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}
