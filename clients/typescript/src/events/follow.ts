import { asRecord, NetworkError, ReelgraphError, readErrors } from '../errors.ts';
import { bodyOf, operationKind } from '../request/document.ts';
import { noAnswer } from '../request/endpoint.ts';
import type { AnyDocument, Requester } from '../request/requester.ts';
import { readAnswer } from '../request/requester.ts';
import { DEFAULT_RETRY, pauseMs, type RetryOptions } from '../retry/backoff.ts';
import { mayPass } from '../retry/retrying.ts';
import { sleep } from '../retry/timing.ts';
import { readStream, SILENCE_MS } from './event-stream.ts';

/** Options of a subscription. */
export interface FollowOptions {
  /** Ends the iteration without an error. */
  readonly signal?: AbortSignal | undefined;
  /** Resumes after this cursor, that of the last message you handled. Default: from now on. */
  readonly after?: string | null | undefined;
  /**
   * Pauses between connections. `maxAttempts` counts consecutive connections without a message (default: unlimited).
   */
  readonly retry?: Partial<RetryOptions> | undefined;
  /** Called when a connection ended; the next attempt is in `pauseMs`. */
  readonly onDisconnect?: ((error: unknown, pauseMs: number) => void) | undefined;
  /** Longest silence, heartbeats included, before reconnecting (default: 45 s). */
  readonly silenceMs?: number | undefined;
  /** The operation to run, in a document with several. */
  readonly operationName?: string | undefined;
}

/** One message of a subscription. */
export interface Message<Result> {
  readonly data: Result;
  /** Store it and pass it as `after` to resume after this message, even after a restart. */
  readonly cursor: string | null;
}

/**
 * The messages of a subscription, as they happen. A lost connection resumes after the last message, so that none is
 * lost or delivered twice. Throws ReelgraphError when the platform rejects it for good: the key was replaced, the
 * object deleted; TypeError for an operation that is not a subscription.
 */
export async function* follow<Result, Variables>(
  requester: Requester,
  document: AnyDocument<Result, Variables>,
  variables: Variables,
  options: FollowOptions,
): AsyncGenerator<Message<Result>, void, undefined> {
  if (operationKind(document, options.operationName) !== 'subscription')
    throw new TypeError('Only a subscription can be followed: run other operations with client.request.');
  const { signal } = options;
  const retry = { ...DEFAULT_RETRY, maxAttempts: Number.POSITIVE_INFINITY, ...options.retry };
  let cursor = options.after ?? null;
  for (let failures = 0; !signal?.aborted; ) {
    let ended: unknown = null;
    try {
      for await (const message of connection<Result, Variables>(requester, document, variables, cursor, options)) {
        failures = 0;
        cursor = message.cursor ?? cursor;
        yield message;
        if (signal?.aborted) return;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (!mayPass(error)) throw error;
      ended = error;
    }
    failures += 1;
    if (failures >= retry.maxAttempts) throw ended ?? new NetworkError('unreachable', 'The stream ended repeatedly.');
    const pause = pauseMs(failures, retry, mayPass(ended) ? ended.retryAfterMs : null);
    options.onDisconnect?.(ended, pause);
    await sleep(pause, signal).catch(() => {}); // the loop checks the signal
  }
}

/** The messages of one connection, in the distinct connections mode of graphql-sse. */
async function* connection<Result, Variables>(
  { endpoint }: Requester,
  document: AnyDocument<Result, Variables>,
  variables: Variables,
  cursor: string | null,
  { signal, silenceMs = SILENCE_MS, operationName }: FollowOptions,
): AsyncGenerator<Message<Result>, void, undefined> {
  const url = endpoint.graphqlUrl;
  const headers = {
    'content-type': 'application/json',
    accept: 'text/event-stream',
    ...(cursor === null ? {} : { 'last-event-id': cursor }),
  };
  const body = bodyOf(document, variables, operationName);
  const open = async (linked: AbortSignal): Promise<Response> => {
    const response = await endpoint.open({ url, method: 'POST', headers, body, withKey: true }, linked);
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) return response;
    const answer = await readAnswer<unknown>(response);
    throw answer.errors.length > 0 ? new ReelgraphError(answer) : noAnswer(response);
  };
  for await (const { event, data, id } of readStream(url, signal, silenceMs, open)) {
    if (event === 'complete') return;
    if (event === 'next') yield { data: dataOf<Result>(data), cursor: id };
  }
}

/** The data of a message. Throws ReelgraphError for one that ends the stream with an error. */
function dataOf<Result>(text: string): Result {
  const body = asRecord(JSON.parse(text));
  const errors = readErrors(body.errors);
  const data = body.data ?? null;
  if (errors.length > 0 || data === null)
    throw new ReelgraphError({ errors, status: 200, requestId: null, data, retryAfterMs: null });
  return data as Result; // its shape is that of the document
}
