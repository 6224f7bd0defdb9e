import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import { NotifiedPoller } from '../../../platform/db/notified-poller.ts';
import type { Logger } from '../../../platform/log.ts';
import type { Patience } from '../packaging/waiting-requests.ts';
import { chatStates } from './chat-feed.store.ts';
import { ChatRoom, type ChatUpdate } from './chat-room.ts';

/** Notified by the trigger of migrations/repeatable/live.sql. */
const CHATS_CHANNEL = 'reelgraph_chats';
/** Without a notification, while there are readers. */
const POLL_MS = 500;
/** Messages of so much time reach readers at once. */
const GATHERED_MS = 250;
/** A chat is followed for so long after it was last read. */
const FOLLOWED_MS = 30_000;

interface Tools {
  readonly db: Database;
  readonly databaseUrl: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * The chats that are read at this process. All readers of a chat share one look at the database and one text, so a
 * message costs as much for five hundred of them as for one.
 */
export class ChatFeeds {
  readonly #tools: Tools;
  readonly #rooms = new Map<string, Promise<ChatRoom | null>>();
  #poller: NotifiedPoller | null = null;
  #closed = false;

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  /**
   * What is new in the chat of a stream for a reader who has a version, once there is something, or after a while;
   * null: who has nothing. Null where there is no chat.
   */
  async read(contentId: string, after: number | null, patience: Patience): Promise<ChatUpdate | null> {
    const room = await this.#open(contentId);
    if (!room) return null;
    room.readAtMs = this.#tools.clock.now();
    await room.untilChangedAfter(after, patience);
    return room.updateAfter(this.#tools.db, after);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#rooms.clear();
    await this.#poller?.stop();
  }

  #open(contentId: string): Promise<ChatRoom | null> {
    const known = this.#rooms.get(contentId);
    if (known) return known;
    this.#startPolling();
    const opening = chatStates(this.#tools.db, [contentId]).then(([state]) => (state ? new ChatRoom(state) : null));
    this.#rooms.set(contentId, opening);
    const forget = () => this.#rooms.delete(contentId);
    opening.then((room) => room ?? forget(), forget);
    return opening;
  }

  #startPolling(): void {
    if (this.#poller || this.#closed) return;
    const { databaseUrl: url, log } = this.#tools;
    this.#poller = new NotifiedPoller({ url, channel: CHATS_CHANNEL, log, pollMs: POLL_MS, look: () => this.#look() });
    void this.#poller.start();
  }

  async #look(): Promise<boolean> {
    const { db, clock } = this.#tools;
    const rooms = new Map<string, ChatRoom>();
    for (const [contentId, opening] of this.#rooms) {
      const room = await opening.catch(() => null);
      if (room && room.readAtMs >= clock.now() - FOLLOWED_MS) rooms.set(contentId, room);
      else this.#rooms.delete(contentId);
    }
    if (rooms.size === 0) {
      this.#rest();
      return false;
    }
    for (const state of await chatStates(db, [...rooms.keys()])) await rooms.get(state.contentId)?.follow(db, state);
    await sleep(GATHERED_MS);
    return false;
  }

  /** Nobody reads: the next reader starts it again. */
  #rest(): void {
    const poller = this.#poller;
    this.#poller = null;
    void poller?.stop();
  }
}
