import { lookup as resolveHost } from 'node:dns/promises';
import { isIP } from 'node:net';
import { type Readable, Transform } from 'node:stream';
import { Agent, buildConnector, type Dispatcher, request as send } from 'undici';
import { AppError } from '../../kernel/errors.ts';
import { type Text, t } from '../../kernel/languages/message.ts';
import { readUrl } from '../../kernel/urls.ts';
import type { FetchAllow } from './fetch-allow.ts';
import { isPublicAddress } from './public-address.ts';

const MAX_REDIRECTS = 5;
const CONNECT_TIMEOUT_MS = 10_000;
const HEADERS_TIMEOUT_MS = 30_000;
/** Longest silence within a body. */
const IDLE_TIMEOUT_MS = 30_000;

export interface FetchLimits {
  readonly maxBytes: number;
  /** For the whole transfer, redirects included. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface FetchedBody {
  /** Fails with INVALID_INPUT when it exceeds the limit, SERVICE_UNAVAILABLE when the transfer is interrupted. */
  readonly stream: Readable;
  /** As the server declares it; null when it does not. */
  readonly sizeBytes: number | null;
  readonly contentType: string | null;
  /** The address after redirects. */
  readonly url: string;
}

/** Fetches an address given by a user. The caller consumes or destroys the stream. */
export type GuardedFetch = (url: string, limits: FetchLimits) => Promise<FetchedBody>;

export interface GuardedFetchOptions {
  readonly allow: FetchAllow;
  /** All addresses of a host name; defaults to the system's resolver. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
}

/**
 * The only way to fetch addresses that users supply. http and https, no credentials; the host is resolved when
 * connecting, every one of its addresses must be public, and the connection goes to exactly the address that was
 * checked. Redirects are checked in the same way. A problem with the address is INVALID_INPUT with the field
 * `sourceUrl`.
 */
export function createGuardedFetch({ allow, resolve = systemAddresses }: GuardedFetchOptions): {
  fetch: GuardedFetch;
  /** Runs the checks that `fetch` makes before connecting, so that users see the error immediately. */
  check(url: string): Promise<void>;
  close(): Promise<void>;
} {
  const agent = new Agent({
    connect: guardedConnector(allow, resolve),
    headersTimeout: HEADERS_TIMEOUT_MS,
    bodyTimeout: IDLE_TIMEOUT_MS,
    keepAliveTimeout: 1_000,
    maxHeaderSize: 32 * 1024,
  });
  const fetch: GuardedFetch = async (url, limits) => {
    const deadline = AbortSignal.timeout(limits.timeoutMs);
    const signal = limits.signal ? AbortSignal.any([deadline, limits.signal]) : deadline;
    const { answer: response, address } = await followRedirects(agent, readUrl(url, 'sourceUrl'), signal).catch(
      (error: unknown) => {
        throw fetchError(error, limits, deadline);
      },
    );
    const { 'content-length': length, 'content-type': contentType } = response.headers;
    const sizeBytes = typeof length === 'string' ? Number(length) : null;
    if (sizeBytes !== null && sizeBytes > limits.maxBytes) {
      response.body.destroy();
      throw tooLarge(limits.maxBytes);
    }
    return {
      stream: limitedBody(response.body, limits, deadline),
      sizeBytes,
      contentType: typeof contentType === 'string' ? contentType : null,
      url: address.href,
    };
  };
  const check = async (text: string): Promise<void> => {
    const url = readUrl(text, 'sourceUrl');
    await checkedAddress(
      url.hostname.replace(/^\[|\]$/g, ''),
      Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
      allow,
      resolve,
    );
  };
  return { fetch, check, close: () => agent.destroy() };
}

async function followRedirects(
  agent: Agent,
  start: URL,
  signal: AbortSignal,
): Promise<{ answer: Dispatcher.ResponseData; address: URL }> {
  let address = start;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const response = await send(address, {
      dispatcher: agent,
      signal,
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Reelgraph' },
    });
    if (response.statusCode === 200) return { answer: response, address };
    // The connection is not worth keeping for the rest of an error page.
    response.body.on('error', () => {}).destroy();
    const { location } = response.headers;
    if (![301, 302, 303, 307, 308].includes(response.statusCode) || typeof location !== 'string') {
      throw refused(
        t`The server of this address answered with status ${response.statusCode}.`,
        t`Check that the address downloads the file without signing in.`,
      );
    }
    const next = URL.parse(location, address.href);
    if (!next) throw refused(t`The address redirects to an invalid URL.`, t`Send the address of the file itself.`);
    address = readUrl(next.href, 'sourceUrl');
  }
  throw refused(t`The address redirects more than ${MAX_REDIRECTS} times.`, t`Send the address of the file itself.`);
}

/**
 * Connects to the address that was checked, under the host's name for TLS: no second lookup that could return something
 * else.
 */
export function guardedConnector(
  allow: FetchAllow,
  resolve: (host: string) => Promise<readonly string[]>,
): buildConnector.connector {
  const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS });
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '');
    const port = Number(options.port || (options.protocol === 'https:' ? 443 : 80));
    checkedAddress(host, port, allow, resolve).then(
      (address) => connect({ ...options, hostname: address, servername: isIP(host) ? '' : host }, callback),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
}

/**
 * The address of a host to connect to. Throws INVALID_INPUT unless all of them are public or the operator allows the
 * host.
 */
export async function checkedAddress(
  host: string,
  port: number,
  allow: FetchAllow,
  resolve: (host: string) => Promise<readonly string[]>,
): Promise<string> {
  const addresses = isIP(host) ? [host] : await resolve(host);
  const [first] = addresses;
  if (first === undefined) throw unknownHost(host);
  const bracketed = isIP(host) === 6 ? `[${host}]` : host;
  if (!allow(bracketed, port) && !addresses.every(isPublicAddress)) {
    throw refused(
      t`${host} is not on the public internet.`,
      t`Send an address that anyone can download from, or upload the file. Operators can list trusted hosts in
        FETCH_ALLOW.`,
    );
  }
  return first;
}

/** All addresses of a host name, by the system's resolver. Throws INVALID_INPUT for a name without any. */
export async function systemAddresses(host: string): Promise<string[]> {
  const found = await resolveHost(host, { all: true }).catch((error: unknown) => {
    throw unknownHost(host, error);
  });
  return found.map(({ address }) => address);
}

function limitedBody(body: Readable, limits: FetchLimits, deadline: AbortSignal): Readable {
  let received = 0;
  const limited = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      if (received > limits.maxBytes) done(tooLarge(limits.maxBytes));
      else done(null, chunk);
    },
  });
  // The connection may fail before the caller begins to read; the error is raised then. Without a listener it would end
  // the process.
  limited.on('error', () => {});
  body.on('error', (error) => limited.destroy(toError(fetchError(error, limits, deadline))));
  limited.on('close', () => body.destroy());
  return body.pipe(limited);
}

/** The error for a failed transfer: a problem of the address, or a transient network error. */
function fetchError(error: unknown, limits: FetchLimits, deadline: AbortSignal): unknown {
  if (error instanceof AppError || limits.signal?.aborted) return error;
  if (deadline.aborted)
    return refused(
      t`The download took too long.`,
      t`Upload the file instead, or send the address of a faster server.`,
      error,
    );
  if (error instanceof Error && error.cause instanceof AppError) return error.cause;
  return new AppError(
    'SERVICE_UNAVAILABLE',
    t`The server of this address could not be reached, or broke off the download.`,
    {
      field: 'sourceUrl',
      suggestedFix: t`Check that the address downloads the file, then try again; or upload the file instead.`,
      cause: error,
      retryAfterSeconds: 30,
    },
  );
}

function refused(message: Text, suggestedFix: Text, cause?: unknown): AppError {
  return new AppError('INVALID_INPUT', message, { field: 'sourceUrl', suggestedFix, cause });
}

function unknownHost(host: string, cause?: unknown): AppError {
  return refused(t`There is no host named ${host}.`, t`Check the spelling of the address.`, cause);
}

function tooLarge(maxBytes: number): AppError {
  return refused(
    t`The file is larger than ${maxBytes} bytes, which is the limit of this plan.`,
    t`Send a smaller file, or choose a plan with a higher limit.`,
  );
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
