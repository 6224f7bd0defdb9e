import type { Readable } from 'node:stream';
import { Agent, request as send } from 'undici';
import { AppError } from '../../kernel/errors.ts';
import type { FetchAllow } from './fetch-allow.ts';
import { guardedConnector, systemAddresses } from './guarded-fetch.ts';

const TIMEOUT_MS = 20_000;
/** More of an answer is refused. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

export interface ExchangeRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | Readable;
  /** For the whole exchange; 20 s unless it says otherwise. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** Any answer, whatever its status. */
export interface ExchangeAnswer {
  readonly status: number;
  /** Names in lower case; of repeated ones the first. */
  readonly headers: Readonly<Record<string, string>>;
  /** At most 4 MiB. */
  readonly text: string;
}

/** One request to the interface of another service and its answer; redirects are not followed. */
export type GuardedExchange = (request: ExchangeRequest) => Promise<ExchangeAnswer>;

export interface GuardedExchangeOptions {
  readonly allow: FetchAllow;
  /** All addresses of a host name; the system's resolver unless a test supplies its own. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
}

/**
 * As {@link createGuardedFetch} for conversations with another service: the host is resolved when connecting, every address must be
 * public, and only https is spoken, except to hosts the operator allowed. Whatever keeps an answer from coming is SERVICE_UNAVAILABLE;
 * an abort by the caller's own signal is thrown as it is.
 */
export function createGuardedExchange({ allow, resolve = systemAddresses }: GuardedExchangeOptions): {
  exchange: GuardedExchange;
  close(): Promise<void>;
} {
  const agent = new Agent({ connect: guardedConnector(allow, resolve), keepAliveTimeout: 4_000, maxHeaderSize: 32 * 1024 });
  const exchange: GuardedExchange = async ({ method, url, headers, body, timeoutMs = TIMEOUT_MS, signal }) => {
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      requireSecure(new URL(url), allow);
      const answer = await send(url, {
        dispatcher: agent,
        method,
        headers: { accept: 'application/json', 'user-agent': 'Reelgraph', ...headers },
        body: body ?? null,
        signal: signal ? AbortSignal.any([deadline, signal]) : deadline,
      });
      return { status: answer.statusCode, headers: flat(answer.headers), text: await limitedText(answer.body) };
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new AppError('SERVICE_UNAVAILABLE', `${new URL(url).hostname} could not be reached, or broke off its answer.`, {
        suggestedFix: 'Repeat the request in half a minute.',
        retryAfterSeconds: 30,
        cause: error,
      });
    }
  };
  return { exchange, close: () => agent.destroy() };
}

function requireSecure(url: URL, allow: FetchAllow): void {
  if (url.protocol === 'https:' || allow(url.hostname, Number(url.port || 80))) return;
  throw new Error('only https is spoken to other services');
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      const first = Array.isArray(value) ? value[0] : value;
      return first === undefined ? [] : [[name.toLowerCase(), first]];
    }),
  );
}

async function limitedText(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let received = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    received += chunk.length;
    if (received > MAX_ANSWER_BYTES) throw new Error(`the answer has more than ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
