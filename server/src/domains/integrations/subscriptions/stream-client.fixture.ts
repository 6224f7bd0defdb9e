/** A message of a stream, as a client reads it. */
export interface Received {
  readonly id: string | null;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers are as varied as the documents; assertions look at them
  readonly data: any;
}

/** A client of server-sent events, for tests: reads messages and keeps the last id. */
export class StreamClient {
  readonly received: Received[] = [];
  lastId: string | null = null;
  readonly response: Response;
  readonly #abort: AbortController;
  readonly #waiting: (() => void)[] = [];
  ended = false;

  private constructor(response: Response, abort: AbortController) {
    this.response = response;
    this.#abort = abort;
  }

  /** Sends a GraphQL request for a stream. */
  static async open(
    address: string,
    key: string,
    query: string,
    variables: Record<string, unknown> = {},
    lastEventId?: string,
  ): Promise<StreamClient> {
    const abort = new AbortController();
    const response = await fetch(`${address}/graphql`, {
      method: 'POST',
      signal: abort.signal,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'text/event-stream',
        ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      },
      body: JSON.stringify({ query, variables }),
    });
    const client = new StreamClient(response, abort);
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) void client.#read().catch(() => {});
    return client;
  }

  /** Waits for `count` messages or the end of the stream, at most a minute. */
  async until(count: number): Promise<readonly Received[]> {
    const deadline = Date.now() + 60_000;
    while (this.received.length < count && !this.ended && Date.now() < deadline) {
      await Promise.race([
        new Promise<void>((done) => this.#waiting.push(done)),
        new Promise((done) => setTimeout(done, 100)),
      ]);
    }
    return this.received;
  }

  /** Drops the connection, like a network failure. */
  drop(): void {
    this.#abort.abort();
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    let text = '';
    try {
      for await (const chunk of this.response.body ?? []) {
        text += decoder.decode(chunk, { stream: true });
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          this.#take(text.slice(0, end));
          text = text.slice(end + 2);
        }
      }
    } finally {
      this.ended = true;
      for (const wake of this.#waiting.splice(0)) wake();
    }
  }

  #take(block: string): void {
    const fields = new Map(
      block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const event = fields.get('event');
    if (event === undefined) return;
    const id = fields.get('id') ?? null;
    if (id !== null) this.lastId = id;
    const data = fields.get('data');
    this.received.push({ id, event, data: data ? JSON.parse(data) : null });
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
