import { asRecord, type ErrorDetail, ReelgraphError, readErrors } from '../errors.ts';
import { DEFAULT_RETRY, type RetryOptions, retryAfterMs } from '../retry/backoff.ts';
import { Budget, type Cost } from '../retry/budget.ts';
import { retrying } from '../retry/retrying.ts';
import { sleep } from '../retry/timing.ts';
import { bodyOf, operationKind, type TypedDocument } from './document.ts';
import { Endpoint, noAnswer } from './endpoint.ts';
import type { CallOptions, ClientOptions } from './options.ts';

/** A document with its types, or its text. */
export type AnyDocument<Result, Variables> = TypedDocument<Result, Variables> | string;

/** Data beside errors: a root field with an error is null, the others are complete. */
export type PartialData<Result> = { readonly [Root in keyof Result]: Result[Root] | null };

/** A whole response. */
export interface Answer<Result> {
  /** Null where nothing was executed. */
  readonly data: PartialData<Result> | null;
  readonly errors: readonly ErrorDetail[];
  /** Its cost, and the points that remain. */
  readonly cost: Cost | null;
  /** Quote it when reporting a problem. */
  readonly requestId: string | null;
  readonly status: number;
  /** Whether it is the stored response to an earlier call with the same idempotency key. */
  readonly replayed: boolean;
}

interface Exchange<Result> extends Answer<Result> {
  readonly retryAfterMs: number | null;
  readonly isPartlyDone?: boolean;
}

const ATTEMPT_MS = 30_000;
const CALL_MS = 120_000;
const ACCEPT = 'application/graphql-response+json, application/json;q=0.9';

/** Runs operations: sends, waits and retries. */
export class Requester {
  readonly endpoint: Endpoint;
  readonly #options: ClientOptions;
  readonly #budget = new Budget();

  constructor(options: ClientOptions) {
    this.#options = options;
    this.endpoint = new Endpoint(options);
  }

  /** The retries of a call, by its options or the client's. */
  retryOf(call: Partial<RetryOptions> | false | undefined): RetryOptions {
    return call === false
      ? { ...DEFAULT_RETRY, maxAttempts: 1 }
      : { ...DEFAULT_RETRY, ...this.#options.retry, ...call };
  }

  /** The data. Throws ReelgraphError for any error, even with partial data; NetworkError without a response. */
  async request<Result, Variables>(
    document: AnyDocument<Result, Variables>,
    variables: Variables,
    options: CallOptions,
  ): Promise<Result> {
    const exchange = await this.#exchanged(document, variables, options);
    if (exchange.errors.length > 0 || exchange.data === null) throw new ReelgraphError(exchange);
    return exchange.data as Result; // without errors it is complete
  }

  /** The whole response; errors of the platform are part of it and are not thrown. */
  async answer<Result, Variables>(
    document: AnyDocument<Result, Variables>,
    variables: Variables,
    options: CallOptions,
  ): Promise<Answer<Result>> {
    const { retryAfterMs: _, isPartlyDone: _done, ...answer } = await this.#exchanged(document, variables, options);
    return answer;
  }

  async #exchanged<Result, Variables>(
    document: AnyDocument<Result, Variables>,
    variables: Variables,
    options: CallOptions,
  ): Promise<Exchange<Result>> {
    const text = `${document}`;
    const kind = operationKind(document, options.operationName);
    if (kind === 'subscription') throw new TypeError('A subscription is a stream: use client.subscribe.');
    const key = kind === 'mutation' ? this.#idempotencyKey(options) : undefined;
    const isRepeatable = kind === 'query' || key !== undefined || options.repeatable === true;
    const startedMs = Date.now();
    const plan = {
      retry: this.retryOf(isRepeatable ? options.retry : false),
      deadlineMs: startedMs + (options.deadlineMs ?? this.#options.deadlineMs ?? CALL_MS),
      signal: options.signal,
    };
    const body = bodyOf(document, variables, options.operationName);
    try {
      return await retrying(plan, async () => {
        await this.#untilAffordable(text, plan.deadlineMs, options.signal);
        const answered = await this.#attempt<Result>(body, key, options, plan.deadlineMs);
        const exchange = { ...answered, isPartlyDone: kind === 'mutation' && hasValues(answered.data) };
        if (exchange.cost) this.#budget.note(text, exchange.cost, Date.now());
        const failure = exchange.errors.length > 0 ? new ReelgraphError(exchange) : null;
        if (failure?.retryable) throw new Refused(exchange, failure);
        return exchange;
      });
    } catch (error) {
      if (error instanceof Refused) return error.answer as Exchange<Result>; // created above from this type
      throw error;
    }
  }

  #idempotencyKey({ idempotencyKey, repeatable }: CallOptions): string | undefined {
    // Idempotency keys belong to an account.
    if (idempotencyKey !== undefined || repeatable || !this.endpoint.hasKey) return idempotencyKey;
    return newKey();
  }

  async #untilAffordable(text: string, deadlineMs: number, signal: AbortSignal | undefined): Promise<void> {
    const nowMs = Date.now();
    const wait = this.#budget.waitMs(text, nowMs);
    if (wait > 0 && nowMs + wait < deadlineMs) await sleep(wait, signal);
  }

  #attempt<Result>(
    body: string,
    key: string | undefined,
    options: CallOptions,
    deadlineMs: number,
  ): Promise<Exchange<Result>> {
    const headers = {
      'content-type': 'application/json',
      accept: ACCEPT,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    };
    const longestMs = options.timeoutMs ?? this.#options.timeoutMs ?? ATTEMPT_MS;
    const timeoutMs = Math.max(0, Math.min(longestMs, deadlineMs - Date.now()));
    const url = this.endpoint.graphqlUrl;
    return this.endpoint.send(
      { url, method: 'POST', headers, body, timeoutMs, signal: options.signal, withKey: true },
      (response) => readAnswer<Result>(response),
    );
  }
}

function hasValues(data: object | null): boolean {
  return Object.values(data ?? {}).some((value) => value !== null);
}

/** A retryable error, with its response. */
class Refused extends ReelgraphError {
  readonly answer: Exchange<unknown>;

  constructor(answer: Exchange<unknown>, { errors }: ReelgraphError) {
    super({ ...answer, errors });
    this.answer = answer;
  }
}

/** Reads a response of `/graphql`. Throws NetworkError for anything else. */
export async function readAnswer<Result>(response: Response): Promise<Exchange<Result>> {
  const body = asRecord(parsed(await response.text()));
  if (!('data' in body) && !Array.isArray(body.errors)) throw noAnswer(response);
  return {
    data: (body.data ?? null) as PartialData<Result> | null, // its shape is that of the document, by the schema
    errors: readErrors(body.errors),
    cost: readCost(asRecord(body.extensions).cost),
    requestId: response.headers.get('x-request-id'),
    status: response.status,
    replayed: response.headers.get('idempotency-replayed') === 'true',
    retryAfterMs: retryAfterMs(response.headers.get('retry-after'), Date.now()),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function readCost(found: unknown): Cost | null {
  const { requested, actual, available, restoreRate } = asRecord(found);
  const isCost = [requested, actual, available, restoreRate].every((value) => typeof value === 'number');
  return isCost ? (found as Cost) : null; // checked above
}

/** 128 random bits; `crypto.randomUUID` is missing on pages without TLS. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
