import { performance } from 'node:perf_hooks';
import { Agent, request as send } from 'undici';
import { AppError } from '../../kernel/errors.ts';
import { t } from '../../kernel/languages/message.ts';
import { readUrl } from '../../kernel/urls.ts';
import type { FetchAllow } from './fetch-allow.ts';
import { checkedAddress, guardedConnector, systemAddresses } from './guarded-fetch.ts';

/** For the whole exchange. */
export const POST_TIMEOUT_MS = 10_000;
/** The rest of a longer response is not read. */
const MAX_RESPONSE_BYTES = 16 * 1024;

/** The result of a request; never an exception. */
export interface PostResult {
  /** Status of the response; null when there was none. */
  readonly status: number | null;
  /** Why there was no response, as a message for the owner of the address; null when there was one. */
  readonly failure: string | null;
  readonly retryAfter: string | null;
  readonly durationMs: number;
}

/** Sends messages to addresses given by users. */
export interface GuardedPost {
  /** One POST: no redirects, 10 s in total, and at most 16 KiB of the response are read. */
  post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<PostResult>;
  /** Throws INVALID_INPUT with `field` for an address that is refused. */
  check(url: string, field: string): Promise<void>;
  close(): Promise<void>;
}

export interface GuardedPostOptions {
  readonly allow: FetchAllow;
  /** All addresses of a host name; defaults to the system's resolver. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
  /** For the whole exchange; 10 s. */
  readonly timeoutMs?: number;
}

/**
 * As {@link createGuardedFetch} for sending: the host is resolved when connecting, every address must be public, and
 * the connection goes to exactly the address that was checked. Only https, except to hosts the operator allowed.
 */
export function createGuardedPost({
  allow,
  resolve = systemAddresses,
  timeoutMs = POST_TIMEOUT_MS,
}: GuardedPostOptions): GuardedPost {
  const agent = new Agent({
    connect: guardedConnector(allow, resolve),
    keepAliveTimeout: 1_000,
    maxHeaderSize: 16 * 1024,
  });
  return {
    async post(url, headers, body) {
      const started = performance.now();
      const took = () => Math.round(performance.now() - started);
      const none = { status: null, retryAfter: null };
      try {
        requireSecure(new URL(url), allow);
        const signal = AbortSignal.timeout(timeoutMs);
        const response = await send(url, { dispatcher: agent, method: 'POST', signal, headers, body });
        const { 'retry-after': retryAfter } = response.headers;
        // The status decides: the rest of the response does not matter.
        await readSome(response.body).catch(() => {});
        return {
          status: response.statusCode,
          failure: null,
          retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
          durationMs: took(),
        };
      } catch (error) {
        return { ...none, failure: reasonOf(error, timeoutMs), durationMs: took() };
      }
    },
    async check(text, field) {
      const url = readUrl(text, field);
      try {
        requireSecure(url, allow);
        await checkedAddress(bareHost(url), portOf(url), allow, resolve);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        throw new AppError('INVALID_INPUT', error.message, {
          field,
          suggestedFix: t`Send an https address on the public internet. Operators can list trusted hosts in
            FETCH_ALLOW.`,
          cause: error,
        });
      }
    },
    close: () => agent.destroy(),
  };
}

/** Messages are signed but not encrypted: plain http is only for hosts that the operator allows. */
function requireSecure(url: URL, allow: FetchAllow): void {
  if (url.protocol === 'https:' || allow(url.hostname, portOf(url))) return;
  throw new AppError('INVALID_INPUT', t`The address must begin with https.`);
}

function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

function portOf(url: URL): number {
  return Number(url.port || (url.protocol === 'https:' ? 443 : 80));
}

/** Reads the first bytes of a response and closes the connection when there are more. */
async function readSome(body: NodeJS.ReadableStream & { destroy(): unknown }): Promise<void> {
  let received = 0;
  for await (const chunk of body) {
    received += chunk.length;
    if (received > MAX_RESPONSE_BYTES) break; // leaving the loop destroys the stream
  }
}

/** The cause of the failure, without details of the internal network. */
function reasonOf(error: unknown, timeoutMs: number): string {
  const cause = error instanceof Error && error.cause instanceof AppError ? error.cause : error;
  if (cause instanceof AppError) return cause.message;
  if (error instanceof Error && error.name === 'TimeoutError')
    return `No complete response within ${timeoutMs / 1_000} s.`;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return REASONS[code] ?? 'The connection failed or was closed.';
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed.',
  UND_ERR_CONNECT_TIMEOUT: 'The connection timed out.',
  UND_ERR_SOCKET: 'The connection was closed.',
  UND_ERR_HEADERS_OVERFLOW: 'The response headers are too long.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate of the host is not trusted.',
  CERT_HAS_EXPIRED: 'The certificate of the host has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another host.',
};
