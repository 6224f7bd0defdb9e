import type { RetryOptions } from '../retry/backoff.ts';

/** How a client talks to its platform. */
export interface ClientOptions {
  /** Address of the platform, with or without `/graphql`: `https://video.example.com`. */
  readonly url: string;
  /** API key of Developer Settings, or what gives the current one. Without it the browser's session is used, or nothing. */
  readonly key?: string | (() => string | Promise<string>);
  /** Instead of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /** How often and how long to try again. */
  readonly retry?: Partial<RetryOptions>;
  /** The longest one attempt may take; 30 s unless said otherwise. */
  readonly timeoutMs?: number;
  /** The longest a call may take with all its attempts; 120 s unless said otherwise. */
  readonly deadlineMs?: number;
  /** Names your program to the operator. */
  readonly userAgent?: string;
}

/** How one call differs from the others. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Key under which the platform carries a mutation out at most once in 24 hours. Each call makes one of its own, so that its attempts
   * are one mutation; give one to make several calls, or the calls before and after a restart, one mutation.
   */
  readonly idempotencyKey?: string | undefined;
  /** Says that a mutation may as well be carried out twice: it is tried again without a key. */
  readonly repeatable?: boolean | undefined;
  readonly timeoutMs?: number | undefined;
  readonly deadlineMs?: number | undefined;
  /** False tries once. */
  readonly retry?: Partial<RetryOptions> | false | undefined;
  /** Which operation of a text that holds several. */
  readonly operationName?: string | undefined;
}
