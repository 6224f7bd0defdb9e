import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { AppError } from '../../kernel/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/log.ts';
import type { MessageBus } from '../../platform/message-bus/message-bus.ts';
import type { AgentEngine, Caller } from '../session/caller.ts';
import type { AgentSession } from '../session/session.ts';
import { type Following, followResource, isRefusal, requireFollowing } from './follow-resource.ts';
import { MAX_SUBSCRIPTIONS } from './listening.ts';

const HEARTBEAT_MS = 15_000;
/** Subscriptions are read again after this time, in case a change reached an earlier stream of the session. */
const RECHECK_MS = 60_000;
/** A client that does not read has its stream closed. */
const MAX_UNREAD_BYTES = 256 * 1024;

/** Subscriptions of sessions, which all instances share. */
export interface SubscriptionStore {
  /** False when the session has `limit` others. */
  add(session: string, uri: string, terms: { readonly untilMs: number; readonly limit: number }): Promise<boolean>;
  remove(session: string, uri: string): Promise<boolean>;
  of(session: string): Promise<readonly string[]>;
}

export interface SessionStreamOptions {
  readonly engine: AgentEngine;
  readonly store: SubscriptionStore;
  readonly messageBus: MessageBus;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
}

/**
 * Subscriptions of protocols before 2026-07-28: `resources/subscribe` arrives at any instance, and the notifications
 * are sent in the stream that the session opened with GET (MCP "Resources", section "Subscriptions"; "Transports",
 * section "Listening for Messages from the Server").
 */
export class SessionStreams {
  readonly #options: SessionStreamOptions;
  /** Ends the open stream of a session, by its digest. */
  readonly #open = new Map<string, () => Promise<void>>();

  constructor(options: SessionStreamOptions) {
    this.#options = options;
  }

  /** Throws the API's errors if the caller may not follow the resource, and beyond the limit. */
  async subscribe(session: AgentSession, caller: Caller, uri: string): Promise<void> {
    const { engine, store } = this.#options;
    await requireFollowing(uri, { engine, caller });
    const digest = digestOf(session);
    if (!(await store.add(digest, uri, { untilMs: session.expiresAt, limit: MAX_SUBSCRIPTIONS })))
      throw new AppError('INVALID_INPUT', `A session follows at most ${MAX_SUBSCRIPTIONS} resources.`, {
        field: 'uri',
        suggestedFix: 'Unsubscribe from those that are not needed.',
      });
    await this.#announce(digest);
  }

  async unsubscribe(session: AgentSession, uri: string): Promise<void> {
    const digest = digestOf(session);
    if (await this.#options.store.remove(digest, uri)) await this.#announce(digest);
  }

  /** Serves the stream of a session until the signal, or the end of the session; a newer stream replaces it. */
  async serve(session: AgentSession, caller: Caller, response: ServerResponse, signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#options;
    const digest = digestOf(session);
    const end = new AbortController();
    const ended = Promise.withResolvers<void>();
    const stop = () => {
      end.abort();
      return ended.promise;
    };
    const earlier = this.#open.get(digest);
    this.#open.set(digest, stop);
    await earlier?.();
    const stream = new NotificationStream(response);
    const whole = AbortSignal.any([signal, end.signal, AbortSignal.timeout(session.expiresAt - clock.now())]);
    try {
      await this.#deliver(digest, caller, stream, { signal: whole, lost: () => end.abort() });
    } catch (error) {
      log.warn({ requestId: caller.requestId, error }, 'the stream of an agent was interrupted');
    } finally {
      stream.end();
      if (this.#open.get(digest) === stop) this.#open.delete(digest);
      ended.resolve();
    }
  }

  async #deliver(
    digest: string,
    caller: Caller,
    stream: NotificationStream,
    { signal, lost }: Pick<Following, 'signal' | 'lost'>,
  ): Promise<void> {
    const { engine, store, messageBus } = this.#options;
    const followed = new Map<string, AbortController>();
    try {
      while (!signal.aborted) {
        const wanted = new Set(await store.of(digest));
        for (const uri of [...followed.keys()].filter((uri) => !wanted.has(uri))) {
          followed.get(uri)?.abort();
          followed.delete(uri);
        }
        for (const uri of [...wanted].filter((uri) => !followed.has(uri))) {
          const following = new AbortController();
          followed.set(uri, following);
          const changed = () => stream.updated(uri);
          const options = { engine, caller, signal: following.signal, changed, lost };
          await followResource(uri, options).catch((error: unknown) => {
            if (!isRefusal(error)) throw error; // ends the stream: the client opens another one
            changed(); // reading it says why
          });
        }
        await messageBus.receive([digest], { limitMs: RECHECK_MS, signal });
      }
    } finally {
      for (const following of followed.values()) following.abort();
    }
  }

  /** Wakes the stream of the session, wherever it is. */
  async #announce(digest: string): Promise<void> {
    await this.#options.messageBus.post(digest, '');
  }
}

/** What is stored of a session's id, and the address of its stream. */
function digestOf({ id }: AgentSession): string {
  return createHash('sha256').update(`subscriptions ${id}`).digest('base64url');
}

/** Server-sent events with JSON-RPC notifications. */
class NotificationStream {
  readonly #response: ServerResponse;
  readonly #heartbeat: NodeJS.Timeout;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      // Buffering proxies would delay the messages.
      'x-accel-buffering': 'no',
    });
    response.write(':\n\n');
    this.#heartbeat = setInterval(() => this.#write(':\n\n'), HEARTBEAT_MS);
  }

  updated(uri: string): void {
    const message = { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } };
    this.#write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }

  end(): void {
    clearInterval(this.#heartbeat);
    this.#response.end();
  }

  #write(text: string): void {
    if (this.#response.writableLength > MAX_UNREAD_BYTES) this.#response.destroy();
    else this.#response.write(text);
  }
}
