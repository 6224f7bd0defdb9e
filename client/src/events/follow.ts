import { operationKind } from '../request/document.ts';
import { noAnswer } from '../request/endpoint.ts';
import { asRecord, NetworkError, ReelgraphError, readErrors } from '../request/errors.ts';
import type { AnyDocument, Requester } from '../request/requester.ts';
import { readAnswer } from '../request/requester.ts';
import { DEFAULT_RETRY, pauseMs, type RetryOptions } from '../retry/backoff.ts';
import { mayPass } from '../retry/retrying.ts';
import { sleep } from '../retry/timing.ts';
import { readStream, SILENCE_MS } from './event-stream.ts';

/** How something is followed. */
export interface FollowOptions {
  /** Ends it: the loop is over, without an error. */
  readonly signal?: AbortSignal | undefined;
  /** Continues behind this cursor: the one of the last message that was dealt with. From now on when left out. */
  readonly after?: string | null | undefined;
  /** Pauses between connections. `maxAttempts` counts connections in a row that told nothing; unless it is given, they never end. */
  readonly retry?: Partial<RetryOptions> | undefined;
  /** Called when a connection ended, and another one is tried in `pauseMs`. */
  readonly onDisconnect?: ((error: unknown, pauseMs: number) => void) | undefined;
  /** How long a connection may say nothing, heartbeats included, before another one is made. 45 s unless said otherwise. */
  readonly silenceMs?: number | undefined;
  /** Which operation of a text that holds several. */
  readonly operationName?: string | undefined;
}

/** Something that happened. */
export interface Message<Result> {
  readonly data: Result;
  /** Keep it, and give it as `after` to continue behind this message, after a restart too. */
  readonly cursor: string | null;
}

/**
 * What happens, as it happens. A connection that breaks is made again behind the last message, so that nothing is lost and nothing
 * comes twice. Throws ReelgraphError when the platform refuses for good: the key was replaced, the thing is gone; TypeError for an
 * operation that is no subscription.
 */
export async function* follow<Result, Variables>(
  requester: Requester,
  document: AnyDocument<Result, Variables>,
  variables: Variables,
  options: FollowOptions,
): AsyncGenerator<Message<Result>, void, undefined> {
  if (operationKind(document, options.operationName) !== 'subscription')
    throw new TypeError('Only a subscription can be followed: run anything else with client.request.');
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
    if (failures >= retry.maxAttempts) throw ended ?? new NetworkError('unreachable', 'The stream ended again and again.');
    const pause = pauseMs(failures, retry, mayPass(ended) ? ended.retryAfterMs : null);
    options.onDisconnect?.(ended, pause);
    await sleep(pause, signal).catch(() => {}); // the loop looks at the signal
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
  const url = `${endpoint.baseUrl}/graphql`;
  const headers = {
    'content-type': 'application/json',
    accept: 'text/event-stream',
    ...(cursor === null ? {} : { 'last-event-id': cursor }),
  };
  const body = JSON.stringify({ query: `${document}`, variables, operationName });
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

/** The data of a message. Throws ReelgraphError for one that says why the stream ends. */
function dataOf<Result>(text: string): Result {
  const body = asRecord(JSON.parse(text));
  const errors = readErrors(body.errors);
  const data = body.data ?? null;
  if (errors.length > 0 || data === null) throw new ReelgraphError({ errors, status: 200, requestId: null, data, retryAfterMs: null });
  return data as Result; // its shape is the document's
}
