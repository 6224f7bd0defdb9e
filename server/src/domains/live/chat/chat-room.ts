import type { Executor } from '../../../platform/db/database.ts';
import {
  type ChatState,
  chatChanges,
  type FeedMessage,
  type MessageChange,
  RECENT_MESSAGES,
  recentMessages,
} from './chat-feed.store.ts';

/** Changes that are kept for readers who are behind; others begin with the recent messages again. */
const MOST_CHANGES = 300;

/** What a reader of a chat gets. */
export interface ChatNews {
  readonly version: number;
  readonly state: ChatState;
  /** Whether the messages are all that a reader shows, in place of those that it has. */
  readonly isComplete: boolean;
  /** New and changed ones, oldest first. */
  readonly messages: readonly FeedMessage[];
  /** Ids of those that are not shown any more. */
  readonly removed: readonly string[];
}

/** A chat with readers: its newest changes, in memory. */
export class ChatRoom {
  /** When somebody last read it. */
  readAtMs = 0;
  #state: ChatState;
  /** In their order, all after `#since`. */
  #changes: MessageChange[] = [];
  #since: number;
  readonly #news = new Map<number | null, Promise<ChatNews>>();
  #changed = Promise.withResolvers<void>();

  constructor(state: ChatState) {
    this.#state = state;
    this.#since = state.version;
  }

  /** Whether there is something for a reader who has this version; null: who has nothing. */
  hasNewsAfter(version: number | null): boolean {
    return version === null || version < this.#state.version || !this.#state.isOpen;
  }

  /** Fulfilled with the next change. */
  get changed(): Promise<void> {
    return this.#changed.promise;
  }

  /** Takes over a newer state, with what has changed until then. */
  async follow(db: Executor, state: ChatState): Promise<void> {
    if (state.version === this.#state.version) return;
    const changes = await chatChanges(db, state.contentId, this.#state.version, state.version);
    if (changes.length > RECENT_MESSAGES) {
      this.#changes = [];
      this.#since = state.version;
    } else this.#changes.push(...changes);
    const dropped = this.#changes.splice(0, Math.max(0, this.#changes.length - MOST_CHANGES));
    this.#since = dropped.at(-1)?.version ?? this.#since;
    // Of the changes with one version, all are kept, or none.
    while (this.#changes[0]?.version === this.#since) this.#changes.shift();
    this.#state = state;
    this.#news.clear();
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }

  /** For a reader who has a version; the same for all of them. */
  newsAfter(db: Executor, version: number | null): Promise<ChatNews> {
    const known = version !== null && version >= this.#since ? version : null;
    const news = this.#news.get(known) ?? this.#read(db, known);
    this.#news.set(known, news);
    news.catch(() => this.#news.delete(known));
    return news;
  }

  async #read(db: Executor, known: number | null): Promise<ChatNews> {
    const state = this.#state;
    const { version } = state;
    if (known === null) {
      const messages = await recentMessages(db, state.contentId, version);
      return { version, state, isComplete: true, messages, removed: [] };
    }
    const last = new Map<string, FeedMessage | null>();
    for (const { id, message, version: changedAt } of this.#changes) if (changedAt > known) last.set(id, message);
    const messages = [...last.values()].filter((message) => message !== null);
    const removed = [...last].flatMap(([id, message]) => (message === null ? [id] : []));
    return { version, state, isComplete: false, messages, removed };
  }
}
