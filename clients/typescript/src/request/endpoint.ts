import { NetworkError } from '../errors.ts';
import { retryAfterMs } from '../retry/backoff.ts';
import { LinkedSignal } from '../retry/timing.ts';
import type { ClientOptions } from './options.ts';

/** One HTTP request to the platform. */
export interface Send {
  readonly url: string;
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Blob | Uint8Array<ArrayBuffer>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** Whether the account's key is sent. */
  readonly withKey: boolean;
}

/** The address of the platform and how to reach it. */
export class Endpoint {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.baseUrl = options.url.replace(/(?<!\/)\/+$/, '').replace(/\/graphql$/, '');
    this.#options = options;
  }

  /** The address of GraphQL, of a version if one is wanted. */
  get graphqlUrl(): string {
    const { version } = this.#options;
    return `${this.baseUrl}/graphql${version === undefined ? '' : `/${version}`}`;
  }

  /** Whether requests can be authenticated. */
  get hasKey(): boolean {
    return this.#options.key !== undefined;
  }

  /**
   * Sends a request and reads the response with `read`, both within the timeout. Throws NetworkError without a
   * response, and the signal's reason when the caller aborts.
   */
  async send<T>(request: Send, read: (response: Response) => Promise<T>): Promise<T> {
    const linked = new LinkedSignal(request.signal);
    linked.abortAfter(
      request.timeoutMs,
      new NetworkError('timeout', `${request.url} did not answer within ${request.timeoutMs / 1_000} s.`),
    );
    try {
      return await read(await this.open(request, linked.signal));
    } catch (error) {
      throw this.#failure(error, linked.signal, request);
    } finally {
      linked.release();
    }
  }

  /** Sends a request; the caller reads the body of the response. */
  async open(request: Omit<Send, 'timeoutMs' | 'signal'>, signal: AbortSignal): Promise<Response> {
    const { fetch = globalThis.fetch } = this.#options;
    const headers = {
      ...this.#ownHeaders(),
      ...request.headers,
      ...(request.withKey ? await this.#authorization() : {}),
    };
    return fetch(request.url, {
      method: request.method,
      headers,
      signal,
      redirect: 'manual', // the key is sent to no other address
      ...(request.body === undefined ? {} : { body: request.body }),
    });
  }

  #failure(error: unknown, signal: AbortSignal, request: Send): unknown {
    if (signal.aborted) return signal.reason;
    return error instanceof TypeError ? unreachable(request.url, error) : error;
  }

  async #authorization(): Promise<Record<string, string>> {
    const { key } = this.#options;
    if (key === undefined) return {};
    return { authorization: `Bearer ${typeof key === 'string' ? key : await key()}` };
  }

  /** Browsers set their own. */
  #ownHeaders(): Record<string, string> {
    const { userAgent } = this.#options;
    return userAgent === undefined ? {} : { 'user-agent': userAgent };
  }
}

/** The error for a connection that fails or breaks. */
export function unreachable(url: string, cause: unknown): NetworkError {
  return new NetworkError('unreachable', `${url} is unreachable, or the connection was lost.`, { cause });
}

/** The error for a response that is not the platform's. */
export function noAnswer(response: Response): NetworkError {
  const { url, status, headers } = response;
  // Browsers hide the target.
  const leadsAway = response.type === 'opaqueredirect' || (status >= 300 && status < 400);
  const message = leadsAway
    ? `${url} leads to ${headers.get('location') ?? 'another address'}, ` +
      'which is not followed: give the address of the platform itself.'
    : `${url} answered with status ${status} and something that is no answer of the platform.`;
  return new NetworkError('no-answer', message, {
    status,
    retryAfterMs: retryAfterMs(headers.get('retry-after'), Date.now()),
  });
}
