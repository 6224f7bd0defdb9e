import type { ViewerScope } from '../../../gql/index.ts';
import type { Database } from '../../../platform/db/database.ts';
import { NotifiedPoller } from '../../../platform/db/notified-poller.ts';
import { EVENTS_CHANNEL } from '../../../platform/events/event-log.store.ts';
import type { Logger } from '../../../platform/log.ts';
import type { LogPosition } from '../events/event-cursor.ts';
import { type EventMessage, PAGE, readHead, readMemberships, readTail } from './follow.store.ts';

/** Poll interval without a notification, while there are listeners. */
const POLL_MS = 500;
/** Maximum number of buffered messages per listener; slower ones read the log themselves. */
const MAX_WAITING = 500;
const START: LogPosition = { xact: '0', id: '0', createdAt: '1970-01-01 00:00:00+00' };

export interface BrokerOptions {
  readonly url: string;
  readonly db: Database;
  readonly log: Logger;
  readonly pollMs?: number;
}

/** The channels whose events a listener receives. */
export interface Audience {
  /** Kept up to date with what it may read; null for fixed channels. */
  readonly viewer: ViewerScope | null;
  channelIds: ReadonlySet<string>;
}

/**
 * One reader of the log for all subscriptions of this instance: it runs while there are listeners, and passes each
 * event to those of its channel.
 */
export class SubscriptionBroker {
  readonly #options: BrokerOptions;
  readonly #listeners = new Set<Listener>();
  /** Position up to which the log was read; null without listeners. */
  #at: LogPosition | null = null;
  #ready: Promise<void> | null = null;
  #poller: NotifiedPoller | null = null;
  #closed = false;
  /** Counts starts and stops, so that a start or poll after a stop does nothing. */
  #turn = 0;

  constructor(options: BrokerOptions) {
    this.#options = options;
  }

  /** Number of listeners that receive what is written from now on, for tests and metrics. */
  get size(): number {
    return [...this.#listeners].filter(({ start }) => start !== null).length;
  }

  /** Receives everything after the returned position. */
  async listen(audience: Audience, wants: (message: EventMessage) => boolean): Promise<Listener> {
    const listening = new Listener(audience, wants, () => this.#leave(listening));
    this.#listeners.add(listening);
    try {
      this.#ready ??= this.#begin();
      await this.#ready;
      // Set here: everything read from now on is received.
      listening.begin(this.#at);
    } catch (error) {
      listening.close();
      throw error;
    }
    if (this.#closed) listening.close();
    return listening;
  }

  /** Ends every listener. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const listening of this.#listeners) listening.close();
    await this.#rest();
  }

  async #begin(): Promise<void> {
    const { db, url, log, pollMs = POLL_MS } = this.#options;
    this.#turn += 1;
    const turn = this.#turn;
    let head: LogPosition;
    try {
      head = (await readHead(db)) ?? START;
    } catch (error) {
      if (turn === this.#turn) this.#ready = null;
      throw error;
    }
    // The last listener has left: a poller started now would never be stopped.
    if (turn !== this.#turn) return;
    this.#at = head;
    this.#poller = new NotifiedPoller({ url, channel: EVENTS_CHANNEL, log, pollMs, look: () => this.#look(turn) });
    void this.#poller.start();
  }

  #leave(listening: Listener): void {
    this.#listeners.delete(listening);
    if (this.#listeners.size === 0) void this.#rest();
  }

  async #rest(): Promise<void> {
    const poller = this.#poller;
    this.#turn += 1;
    [this.#poller, this.#at, this.#ready] = [null, null, null];
    await poller?.stop();
  }

  async #look(turn: number): Promise<boolean> {
    if (turn !== this.#turn || !this.#at) return false;
    const messages = await readTail(this.#options.db, this.#at);
    const last = messages.at(-1);
    if (!last) return false;
    if (messages.some(({ type }) => CHANGES_MEMBERS.has(type))) await this.#refresh();
    if (turn !== this.#turn) return false;
    // No await from here on: a listener joins before this batch or after it.
    this.#at = last;
    for (const listening of this.#listeners) listening.push(messages, last);
    return messages.length === PAGE;
  }

  /** The channels of all listening viewers, in one statement. */
  async #refresh(): Promise<void> {
    const viewers = new Set([...this.#listeners].flatMap(({ audience }) => audience.viewer ?? []));
    const channels = await readMemberships(this.#options.db, [...viewers]);
    for (const { audience } of this.#listeners) {
      const own = audience.viewer === null ? undefined : channels.get(audience.viewer);
      if (own) audience.channelIds = own;
    }
  }
}

const CHANGES_MEMBERS = new Set([
  'member.added',
  'member.updated',
  'member.removed',
  'channel.created',
  'channel.transferred',
  'channel.deleted',
]);

/** The buffer of one listener. */
export class Listener {
  readonly audience: Audience;
  /** Position up to which the broker had read when it joined; null before that, or if the broker was closed. */
  start: LogPosition | null = null;
  /** Position up to which the broker has read for it. */
  position: LogPosition | null = null;
  readonly #wants: (message: EventMessage) => boolean;
  readonly #leave: () => void;
  #waiting: EventMessage[] = [];
  #overflowed = false;
  #ended = false;
  #arrived = Promise.withResolvers<void>();

  constructor(audience: Audience, wants: (message: EventMessage) => boolean, leave: () => void) {
    this.audience = audience;
    this.#wants = wants;
    this.#leave = leave;
  }

  begin(position: LogPosition | null): void {
    [this.start, this.position] = [position, position];
  }

  push(batch: readonly EventMessage[], position: LogPosition): void {
    if (this.position === null) return;
    this.position = position;
    for (const message of batch) {
      if (message.channelId === null || !this.audience.channelIds.has(message.channelId) || !this.#wants(message))
        continue;
      if (this.#waiting.length >= MAX_WAITING) this.#overflowed = true;
      else this.#waiting.push(message);
    }
    if (this.#overflowed) this.#waiting = [];
    this.#arrived.resolve();
  }

  /** Messages that have arrived, possibly none; 'behind' when the buffer overflowed, null after the end. */
  async take(): Promise<EventMessage[] | 'behind' | null> {
    if (this.#ended) return null;
    if (this.#waiting.length === 0 && !this.#overflowed) await this.#arrived.promise;
    if (this.#ended) return null;
    this.#arrived = Promise.withResolvers<void>();
    if (this.#overflowed) {
      this.#overflowed = false;
      return 'behind';
    }
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }

  close(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#waiting = [];
    this.#leave();
    this.#arrived.resolve();
  }
}
