import { ApiError, type Operation, unreachable } from './api.ts';
import { MessageReader } from './event-stream.ts';

/** State of a stream: `waiting` is between a lost connection and the next attempt. */
export type SubscriptionState = 'connecting' | 'live' | 'waiting';

interface Listener<Result> {
  /** `id`: cursor to resume after this message. */
  readonly onMessage: (result: Result, id: string | null) => void;
  readonly onState: (state: SubscriptionState) => void;
  /** The server refused; the stream has ended. */
  readonly onError: (error: unknown) => void;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;
/** The server sends something at least every 15 s; a connection that is silent for longer than this is dead. */
const SILENCE_MS = 45_000;

/**
 * Runs a subscription until the returned function is called. Reconnects when the connection is lost or silent for
 * `silenceMs`, and resumes after the last message, so that no message is lost or repeated.
 */
export function subscribe<Result, Variables>(
  operation: Operation<Result, Variables>,
  variables: Variables,
  listener: Listener<Result>,
  silenceMs = SILENCE_MS,
): () => void {
  const closing = new AbortController();
  let lastId: string | null = null;
  let waitMs = FIRST_WAIT_MS;
  const connect = async (connection: Connection): Promise<void> => {
    const body = await open(operation, variables, lastId, connection.signal);
    listener.onState('live');
    const reader = new MessageReader();
    const chunks = body.pipeThrough(new TextDecoderStream()).getReader();
    for (let chunk = await chunks.read(); !chunk.done; chunk = await chunks.read()) {
      connection.keepAlive();
      for (const { id, event, data } of reader.read(chunk.value)) {
        lastId = id ?? lastId;
        waitMs = FIRST_WAIT_MS;
        if (event === 'next') listener.onMessage(parseResult<Result>(data), id);
      }
    }
  };
  const run = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      listener.onState('connecting');
      const connection = new Connection(closing.signal, silenceMs);
      try {
        await connect(connection);
      } catch (error) {
        if (closing.signal.aborted) return;
        if (error instanceof ApiError && !error.retryable) return listener.onError(error);
      } finally {
        connection.close();
      }
      if (closing.signal.aborted) return;
      listener.onState('waiting');
      await delay(waitMs, closing.signal);
      waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2);
    }
  };
  void run();
  return () => closing.abort();
}

/** One connection: aborted with the subscription, after too long a silence, or when it is no longer read. */
class Connection {
  readonly #own = new AbortController();
  /** Aborted when the connection ends. */
  readonly signal: AbortSignal;
  readonly #silenceMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(whole: AbortSignal, silenceMs: number) {
    this.#silenceMs = silenceMs;
    this.signal = AbortSignal.any([whole, this.#own.signal]);
    this.keepAlive();
  }

  keepAlive(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#own.abort(), this.#silenceMs);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#own.abort();
  }
}

async function open(
  operation: Operation<unknown, never>,
  variables: unknown,
  lastId: string | null,
  signal: AbortSignal,
): Promise<ReadableStream<BufferSource>> {
  const response = await fetch('/graphql', {
    method: 'POST',
    signal,
    credentials: 'same-origin',
    headers: {
      accept: 'text/event-stream',
      'content-type': 'application/json',
      ...(lastId !== null && { 'last-event-id': lastId }),
    },
    body: JSON.stringify({ documentId: operation.id, operationName: operation.name, variables }),
  });
  if (response.body && response.headers.get('content-type')?.startsWith('text/event-stream')) return response.body;
  parseResult(await response.text());
  throw unreachable();
}

/** The result in a response. Throws ApiError when the response is an error. */
function parseResult<Result>(text: string): Result {
  let response: { data?: Result | null; errors?: ConstructorParameters<typeof ApiError>[0][] } = {};
  try {
    response = JSON.parse(text);
  } catch {
    throw unreachable();
  }
  const [error] = response.errors ?? [];
  if (error) throw new ApiError(error);
  if (!response.data) throw unreachable();
  return response.data;
}

/** Waits so long, or until the signal is aborted. */
export function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}
