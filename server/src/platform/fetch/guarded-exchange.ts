import type { Readable } from 'node:stream';
import { Agent, request as send } from 'undici';
import { AppError } from '../../kernel/errors.ts';
import { t } from '../../kernel/languages/message.ts';
import type { FetchAllow } from './fetch-allow.ts';
import { guardedConnector, systemAddresses } from './guarded-fetch.ts';

const TIMEOUT_MS = 20_000;
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;

export interface ExchangeRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | Readable;
  /** For the whole exchange; default 20 s. */
  readonly timeoutMs?: number;
  /** Longer responses are rejected; default 4 MiB. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

/** Any response, whatever its status. */
export interface ExchangeResponse {
  readonly status: number;
  /** Names in lower case; of repeated ones the first. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** One request to the API of another service and its response; redirects are not followed. */
export type GuardedExchange = (request: ExchangeRequest) => Promise<ExchangeResponse>;

export interface GuardedExchangeOptions {
  readonly allow: FetchAllow;
  /** All addresses of a host name; defaults to the system's resolver. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
  /** Whether responses may begin late, up to the time of the whole exchange; default within five minutes. */
  readonly slow?: boolean;
}

/**
 * As {@link createGuardedFetch}, for APIs of other services: the host is resolved when connecting, every address must
 * be public, and only https is allowed, except for hosts the operator allowed. Any failure to get a response is
 * SERVICE_UNAVAILABLE; an abort by the caller's own signal is thrown unchanged.
 */
export function createGuardedExchange({ allow, resolve = systemAddresses, slow = false }: GuardedExchangeOptions): {
  exchange: GuardedExchange;
  close(): Promise<void>;
} {
  const agent = new Agent({
    connect: guardedConnector(allow, resolve),
    keepAliveTimeout: 4_000,
    maxHeaderSize: 32 * 1024,
    ...(slow ? { headersTimeout: 0, bodyTimeout: 0 } : {}),
  });
  const exchange: GuardedExchange = async ({ method, url, headers, body, signal, ...limits }) => {
    const { timeoutMs = TIMEOUT_MS, maxBytes = MAX_RESPONSE_BYTES } = limits;
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      requireSecure(new URL(url), allow);
      const response = await send(url, {
        dispatcher: agent,
        method,
        headers: { accept: 'application/json', 'user-agent': 'Reelgraph', ...headers },
        body: body ?? null,
        signal: signal ? AbortSignal.any([deadline, signal]) : deadline,
      });
      const text = await limitedText(response.body, maxBytes);
      return { status: response.statusCode, headers: flat(response.headers), text };
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new AppError(
        'SERVICE_UNAVAILABLE',
        t`${new URL(url).hostname} could not be reached, or closed the connection before its response was complete.`,
        {
          suggestedFix: t`Repeat the request in half a minute.`,
          retryAfterSeconds: 30,
          cause: error,
        },
      );
    }
  };
  return { exchange, close: () => agent.destroy() };
}

function requireSecure(url: URL, allow: FetchAllow): void {
  if (url.protocol === 'https:' || allow(url.hostname, Number(url.port || 80))) return;
  throw new Error('other services are called over https only');
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      const first = Array.isArray(value) ? value[0] : value;
      return first === undefined ? [] : [[name.toLowerCase(), first]];
    }),
  );
}

async function limitedText(body: Readable, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let received = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    received += chunk.length;
    if (received > maxBytes) throw new Error(`the response has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
