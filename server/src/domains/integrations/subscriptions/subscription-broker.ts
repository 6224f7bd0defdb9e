import type { Database } from '../../../platform/db/database.ts';
import { NotifiedPoller } from '../../../platform/db/notified-poller.ts';
import { EVENTS_CHANNEL } from '../../../platform/events/event-log.store.ts';
import type { Logger } from '../../../platform/log.ts';
import type { LogPosition } from '../events/event-cursor.ts';
import { type News, PAGE, readHead, readMemberships, readTail } from './follow.store.ts';

/** Without being woken, while anybody listens. */
const POLL_MS = 500;
/** News kept for one listener; one that is further behind reads the log itself. */
const MAX_WAITING = 500;
const START: LogPosition = { xact: '0', id: '0', createdAt: '1970-01-01 00:00:00+00' };

export interface HubOptions {
  readonly url: string;
  readonly db: Database;
  readonly log: Logger;
  readonly pollMs?: number;
}

/** Whose channels a listener hears of. */
export interface Audience {
  /** Kept up to date with the account's memberships; null for the channels as they are. */
  readonly accountId: string | null;
  channelIds: ReadonlySet<string>;
}

/**
 * One reader of the log for everybody who follows it on this instance: it runs while anybody listens, and hands each event to
 * those whose channel it happened in.
 */
export class EventHub {
  readonly #options: HubOptions;
  readonly #listeners = new Set<Listening>();
  /** Up to where the log was read; null while nobody listens. */
  #at: LogPosition | null = null;
  #ready: Promise<void> | null = null;
  #poller: NotifiedPoller | null = null;
  #closed = false;
  /** Counts the beginnings and ends, so that a beginning or a look that was overtaken by the end does nothing. */
  #turn = 0;

  constructor(options: HubOptions) {
    this.#options = options;
  }

  /** Number of listeners, for tests and metrics. */
  get size(): number {
    return this.#listeners.size;
  }

  /** Hears of everything after the position it answers. */
  async listen(audience: Audience, wants: (news: News) => boolean): Promise<Listening> {
    const listening = new Listening(audience, wants, () => this.#leave(listening));
    this.#listeners.add(listening);
    try {
      this.#ready ??= this.#begin();
      await this.#ready;
      // At this very moment: what is read from now on is heard.
      listening.position = this.#at;
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
    // The last listener left meanwhile: nobody would ever stop what is started now.
    if (turn !== this.#turn) return;
    this.#at = head;
    this.#poller = new NotifiedPoller({ url, channel: EVENTS_CHANNEL, log, pollMs, look: () => this.#look(turn) });
    void this.#poller.start();
  }

  #leave(listening: Listening): void {
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
    const news = await readTail(this.#options.db, this.#at);
    const last = news.at(-1);
    if (!last) return false;
    if (news.some(({ type }) => CHANGES_MEMBERS.has(type))) await this.#refresh();
    if (turn !== this.#turn) return false;
    // From here on nothing waits: a listener joins before this batch or after it.
    this.#at = last;
    for (const listening of this.#listeners) listening.hear(news, last);
    return news.length === PAGE;
  }

  /** The channels of all accounts that listen, in one statement. */
  async #refresh(): Promise<void> {
    const accounts = new Set([...this.#listeners].flatMap(({ audience }) => audience.accountId ?? []));
    const channels = await readMemberships(this.#options.db, [...accounts]);
    for (const { audience } of this.#listeners) {
      const own = audience.accountId === null ? undefined : channels.get(audience.accountId);
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

/** What one listener has not taken yet. */
export class Listening {
  readonly audience: Audience;
  /** Up to where the hub has read for it. */
  position: LogPosition | null = null;
  readonly #wants: (news: News) => boolean;
  readonly #leave: () => void;
  #waiting: News[] = [];
  #overflowed = false;
  #ended = false;
  #arrived = Promise.withResolvers<void>();

  constructor(audience: Audience, wants: (news: News) => boolean, leave: () => void) {
    this.audience = audience;
    this.#wants = wants;
    this.#leave = leave;
  }

  hear(batch: readonly News[], position: LogPosition): void {
    if (this.position === null) return;
    this.position = position;
    for (const news of batch) {
      if (news.channelId === null || !this.audience.channelIds.has(news.channelId) || !this.#wants(news)) continue;
      if (this.#waiting.length >= MAX_WAITING) this.#overflowed = true;
      else this.#waiting.push(news);
    }
    if (this.#overflowed) this.#waiting = [];
    this.#arrived.resolve();
  }

  /** What has arrived, perhaps nothing; 'behind' when it was too much to keep, null after the end. */
  async take(): Promise<News[] | 'behind' | null> {
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
