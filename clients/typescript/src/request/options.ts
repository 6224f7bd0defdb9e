import type { RetryOptions } from '../retry/backoff.ts';

/** Options of a client. */
export interface ClientOptions {
  /** Address of the platform, with or without `/graphql`: `https://video.example.com`. */
  readonly url: string;
  /**
   * API key from Developer Settings, or a function that returns it. Without one, the browser's session is used, if any.
   */
  readonly key?: string | (() => string | Promise<string>);
  /** Version of the API, `preview` or a dated one; the current one by default. */
  readonly version?: string;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /** Retries. */
  readonly retry?: Partial<RetryOptions>;
  /** Timeout of one attempt (default: 30 s). */
  readonly timeoutMs?: number;
  /** Timeout of a call with all its attempts (default: 120 s). */
  readonly deadlineMs?: number;
  /** Identifies your program to the operator. */
  readonly userAgent?: string;
}

/** Options of one call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Key for which the platform executes a mutation at most once in 24 hours. Each call generates one, so that its
   * attempts are one mutation; pass one to make several calls, or the calls before and after a restart, one mutation.
   */
  readonly idempotencyKey?: string | undefined;
  /** The mutation may be executed twice: it is retried without a key. */
  readonly repeatable?: boolean | undefined;
  readonly timeoutMs?: number | undefined;
  readonly deadlineMs?: number | undefined;
  /** False disables retries. */
  readonly retry?: Partial<RetryOptions> | false | undefined;
  /** Which operation of a text that holds several. */
  readonly operationName?: string | undefined;
}
