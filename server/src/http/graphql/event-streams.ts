import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { AppError } from '../../kernel/errors.ts';
import { t } from '../../kernel/languages/message.ts';
import type { CapacityLimits } from './stream-capacity.ts';

/** A sent message: `cursor` becomes its id. */
export interface StreamMessage {
  readonly cursor: string | null;
  readonly body: object;
}

/** The stream of a single result. */
export async function* one(body: object): AsyncGenerator<StreamMessage> {
  yield { cursor: null, body };
}

export interface StreamLimits extends CapacityLimits {
  readonly heartbeatMs: number;
  /** How long a client may read nothing before it is disconnected. */
  readonly slowMs: number;
}

export const STREAM_LIMITS: StreamLimits = { perAccount: 50, total: 5_000, heartbeatMs: 15_000, slowMs: 30_000 };

/** The error for a slow client, when it reads on. */
type RenderError = (error: AppError) => object;

/**
 * Streams of server-sent events (HTML, "Server-sent events"; graphql-sse protocol, "Distinct connections mode"): each
 * message is an event `next` whose data is an execution result and whose id is the cursor to continue after, and
 * `complete` ends the stream.
 */
export class EventStreams {
  readonly #limits: StreamLimits;
  readonly #render: RenderError;
  readonly #open = new Set<EventStream>();

  constructor(render: RenderError, limits: StreamLimits = STREAM_LIMITS) {
    this.#render = render;
    this.#limits = limits;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Writes the messages until they end, the client disconnects or the server stops. Never rejects. */
  async send(
    response: ServerResponse,
    headers: OutgoingHttpHeaders,
    messages: AsyncIterable<StreamMessage>,
  ): Promise<void> {
    const stream = new EventStream(response, this.#limits, this.#render);
    this.#open.add(stream);
    try {
      stream.begin(headers);
      for await (const message of messages) if (!(await stream.next(message))) break;
    } finally {
      stream.complete();
      this.#open.delete(stream);
    }
  }

  /** Completes every stream; clients reconnect to another instance and continue. */
  close(): void {
    for (const stream of this.#open) stream.complete();
  }
}

class EventStream {
  readonly #response: ServerResponse;
  readonly #limits: StreamLimits;
  readonly #render: RenderError;
  #heartbeat: NodeJS.Timeout | null = null;
  #over = false;

  constructor(response: ServerResponse, limits: StreamLimits, render: RenderError) {
    this.#response = response;
    this.#limits = limits;
    this.#render = render;
  }

  begin(headers: OutgoingHttpHeaders): void {
    this.#response.writeHead(200, {
      ...headers,
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // Buffering proxies would delay the messages.
      'x-accel-buffering': 'no',
    });
    this.#response.write(':\n\n');
    this.#heartbeat = setInterval(() => {
      if (!this.#response.writableNeedDrain) this.#response.write(':\n\n');
    }, this.#limits.heartbeatMs);
  }

  /** False when the client is gone. The next message is requested when the client has read this one. */
  async next({ cursor, body }: StreamMessage): Promise<boolean> {
    if (this.#over || this.#response.destroyed) return false;
    const id = cursor === null ? '' : `id: ${cursor}\n`;
    if (this.#response.write(`${id}event: next\ndata: ${JSON.stringify(body)}\n\n`)) return true;
    if (await this.#drained()) return !this.#over;
    this.#letGo();
    return false;
  }

  /** `complete`, once. */
  complete(): void {
    if (this.#over) return;
    this.#over = true;
    if (this.#heartbeat) clearInterval(this.#heartbeat);
    if (!this.#response.destroyed) this.#response.end('event: complete\ndata:\n\n');
  }

  #drained(): Promise<boolean> {
    const response = this.#response;
    return new Promise((resolve) => {
      const settle = (drained: boolean) => () => {
        clearTimeout(timer);
        response.off('drain', ok).off('close', gone);
        resolve(drained);
      };
      const [ok, gone] = [settle(true), settle(true)];
      const timer = setTimeout(settle(false), this.#limits.slowMs);
      response.once('drain', ok).once('close', gone);
    });
  }

  /** The error follows the unread messages, and the connection is closed if the client does not read it either. */
  #letGo(): void {
    const error = new AppError('RATE_LIMIT_EXCEEDED', t`This stream was not read fast enough.`, {
      suggestedFix: t`Connect again with the id of the last message in the header Last-Event-ID, and read without
        pauses.`,
    });
    this.#response.write(`event: next\ndata: ${JSON.stringify(this.#render(error))}\n\n`);
    this.complete();
    setTimeout(() => this.#response.destroy(), this.#limits.slowMs).unref();
  }
}
