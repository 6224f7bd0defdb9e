import type { Executor } from '../../../platform/db/database.ts';
import { type Patience, WaitingRequests } from '../packaging/waiting-requests.ts';
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
export interface ChatUpdate {
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
  readonly #updates = new Map<number | null, Promise<ChatUpdate>>();
  readonly #waiting = new WaitingRequests();

  constructor(state: ChatState) {
    this.#state = state;
    this.#since = state.version;
  }

  /** Waits until there is something for a reader who has this version; null: who has nothing. */
  untilChangedAfter(version: number | null, patience: Patience): Promise<void> {
    return this.#waiting.wait(() => version === null || version < this.#state.version || !this.#state.isOpen, patience);
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
    this.#updates.clear();
    this.#waiting.wake();
  }

  /** For a reader who has a version; the same for all of them. */
  updateAfter(db: Executor, version: number | null): Promise<ChatUpdate> {
    const known = version !== null && version >= this.#since ? version : null;
    const update = this.#updates.get(known) ?? this.#read(db, known);
    this.#updates.set(known, update);
    update.catch(() => this.#updates.delete(known));
    return update;
  }

  async #read(db: Executor, known: number | null): Promise<ChatUpdate> {
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
