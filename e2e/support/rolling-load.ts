import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

const QUERY = '{ me { channel { id contents(first: 5) { edges { node { id metadata { title } } } } } } }';
const CREATE = 'mutation ($input: ContentInput!) { createContent(input: $input) { id } }';
const PUBLISH =
  'mutation ($input: PublishVideoInput!) { publishVideo(input: $input) { content { id } upload { endpoint } } }';
const WAIT = 'mutation ($input: WaitForProcessingInput!) { waitForProcessing(input: $input) { status error } }';
const STREAM = 'subscription ($types: [EventType!]) { eventsAfter(types: $types) { type subject cursor } }';
const CHUNK_BYTES = 96 * 1024;
/** Pauses of clients between requests. */
const QUERY_MS = 40;
const CREATE_MS = 250;
const CHUNK_MS = 700;
const TUS = { 'tus-resumable': '1.0.0' };

/** An upload whose last chunk is sent by `finish`. */
export interface SlowUpload {
  /** Sent so far. */
  readonly chunks: number;
  finish(): Promise<void>;
}

/** What clients saw. */
export interface LoadReport {
  readonly requests: number;
  /** Each request without a good answer. */
  readonly failures: readonly string[];
  /** Ids of contents that were created, and those that the stream named. */
  readonly created: readonly string[];
  readonly streamed: readonly string[];
  /** How often the stream was connected. */
  readonly streams: number;
}

/** Clients that query, change, upload, wait and follow events at once, until they are ended. */
export class RollingLoad {
  readonly #url: string;
  readonly #key: string;
  readonly #ending = new AbortController();
  readonly #loops: Promise<void>[] = [];
  readonly #failures: string[] = [];
  readonly #created: string[] = [];
  readonly #streamed: string[] = [];
  readonly #published: string[] = [];
  #requests = 0;
  #streams = 0;
  #cursor: string | null = null;

  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  /** Resolves once the stream is connected. */
  async start(): Promise<void> {
    const connected = Promise.withResolvers<void>();
    this.#loops.push(this.#follow(connected.resolve));
    await connected.promise;
    for (let n = 0; n < 2; n += 1) this.#loops.push(this.#repeat(QUERY_MS, () => this.#graphql(QUERY, {})));
    this.#loops.push(this.#repeat(CREATE_MS, () => this.#create()));
  }

  /** Uploads a video at once; it is processed from then on. */
  async publish(bytes: Buffer<ArrayBuffer>): Promise<void> {
    const path = await this.#publish(bytes.length);
    await this.#patch(path, 0, bytes);
  }

  /** Uploads a video in small chunks, all but the last one. */
  async beginUpload(bytes: Buffer<ArrayBuffer>): Promise<SlowUpload> {
    const path = await this.#publish(bytes.length);
    let chunks = 0;
    const send = async () => {
      const offset = chunks * CHUNK_BYTES;
      await this.#patch(path, offset, bytes.subarray(offset, offset + CHUNK_BYTES));
      chunks += 1;
    };
    const last = Math.ceil(bytes.length / CHUNK_BYTES) - 1;
    let isRushed = false;
    const sending = (async () => {
      while (chunks < last) {
        await send();
        if (!isRushed) await sleep(CHUNK_MS);
      }
    })();
    return {
      get chunks() {
        return chunks;
      },
      async finish() {
        isRushed = true;
        await sending;
        await send();
      },
    };
  }

  /** Waits as clients do, again and again, until all videos that were published are processed. */
  async untilProcessed(count: number): Promise<void> {
    if (this.#published.length !== count) throw new Error(`${this.#published.length} videos were published.`);
    for (const contentId of this.#published) {
      for (let status = ''; status !== 'COMPLETE'; ) {
        const data = await this.#graphql(WAIT, { input: { contentId, timeoutSeconds: 30 } });
        const answer = data?.waitForProcessing as { status: string; error: string | null } | undefined; // as selected
        if (answer?.error) throw new Error(answer.error);
        status = answer?.status ?? '';
      }
    }
  }

  /** Ends the clients; the stream first gets what was created. */
  async end(): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#loops);
  }

  report(): LoadReport {
    const facts = { requests: this.#requests, failures: this.#failures, streams: this.#streams };
    return { ...facts, created: this.#created, streamed: this.#streamed };
  }

  async #repeat(pauseMs: number, act: () => Promise<unknown>): Promise<void> {
    while (!this.#ending.signal.aborted) {
      await act();
      await sleep(pauseMs);
    }
  }

  async #create(): Promise<void> {
    const input = { title: `Number ${this.#created.length}`, contentType: 'FEATURE' };
    const data = await this.#graphql(CREATE, { input }, { 'idempotency-key': randomUUID() });
    const created = data?.createContent as { id: string } | undefined; // as selected
    if (created) this.#created.push(created.id);
  }

  async #publish(size: number): Promise<string> {
    const input = { title: 'A clip', filename: 'clip.mp4', size, publish: true };
    const data = await this.#graphql(PUBLISH, { input }, { 'idempotency-key': randomUUID() });
    const { content, upload } = data?.publishVideo as { content: { id: string }; upload: { endpoint: string } };
    this.#published.push(content.id);
    this.#created.push(content.id);
    return new URL(upload.endpoint).pathname;
  }

  async #patch(path: string, offset: number, body: Buffer<ArrayBuffer>): Promise<void> {
    const type = { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) };
    const init = { method: 'PATCH', headers: { ...TUS, ...type }, body };
    await this.#send(path, init, async (response) => {
      const reached = response.headers.get('upload-offset');
      return response.status === 204 && reached === String(offset + body.length) ? true : null;
    });
  }

  async #graphql(query: string, variables: object, headers: Record<string, string> = {}) {
    const init = {
      method: 'POST',
      headers: { ...this.#headers(), ...headers },
      body: JSON.stringify({ query, variables }),
    };
    return this.#send('/graphql', init, async (response) => {
      const { data, errors } = (await response.json()) as { data?: Record<string, unknown>; errors?: unknown };
      return response.status === 200 && errors === undefined ? (data ?? null) : null;
    });
  }

  /** Counts the request, and as a failure if `read` returns null or throws. */
  async #send<T>(path: string, init: RequestInit, read: (response: Response) => Promise<T | null>): Promise<T | null> {
    this.#requests += 1;
    const what = `${init.method} ${path} at ${new Date().toISOString()}`;
    try {
      const response = await fetch(this.#url + path, init);
      const copy = response.clone();
      const answer = await read(response);
      if (answer === null) this.#failures.push(`${what}: ${response.status} ${(await copy.text()).slice(0, 300)}`);
      return answer;
    } catch (error) {
      this.#failures.push(`${what}: ${String(error)} ${String((error as Error).cause ?? '')}`);
      return null;
    }
  }

  /** Follows new contents, from the last cursor after each end of the stream. */
  async #follow(connected: () => void): Promise<void> {
    while (!this.#ending.signal.aborted || this.#streamed.length < this.#created.length) {
      this.#streams += 1;
      const headers = { ...this.#headers(), accept: 'text/event-stream' };
      if (this.#cursor !== null) Object.assign(headers, { 'last-event-id': this.#cursor });
      const body = JSON.stringify({ query: STREAM, variables: { types: ['CONTENT_CREATED'] } });
      await this.#send('/graphql', { method: 'POST', headers, body }, async (response) => {
        if (response.status !== 200 || response.body === null) return null;
        connected();
        await this.#read(response.body);
        return true;
      });
    }
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    let text = '';
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) this.#take(block);
      if (this.#ending.signal.aborted && this.#streamed.length >= this.#created.length) return;
    }
  }

  #take(block: string): void {
    const lines = new Map(
      block.split('\n').map((line) => [line.split(':')[0] ?? '', line.slice(line.indexOf(':') + 2)]),
    );
    if (lines.get('event') !== 'next') return;
    this.#cursor = lines.get('id') ?? this.#cursor;
    const { data } = JSON.parse(lines.get('data') ?? '{}') as { data?: { eventsAfter: { subject: string } } };
    if (data) this.#streamed.push(data.eventsAfter.subject);
  }

  #headers(): Record<string, string> {
    return { 'content-type': 'application/json', authorization: `Bearer ${this.#key}` };
  }
}
