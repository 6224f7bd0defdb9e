import type { Clock } from '../clock.ts';
import type { Database } from '../db/database.ts';
import { NotifiedPoller } from '../db/notified-poller.ts';
import type { Logger } from '../log.ts';
import { type Letter, MESSAGE_BUS_CHANNEL, postLetter, takeLetters } from './message-bus.store.ts';

export type { Letter } from './message-bus.store.ts';

/** Poll interval without a notification, while there are receivers. */
const POLL_MS = 1_000;
/** An unreceived message is deleted after this time. */
const KEPT_MS = 600_000;

export interface MessageBusOptions {
  readonly url: string;
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly pollMs?: number;
}

export interface Waiting {
  /** How long to wait. */
  readonly limitMs: number;
  /** Ends the wait early. */
  readonly signal: AbortSignal;
}

/**
 * A message bus between the processes around one database: one receives at an address that only the two know, and the
 * other sends a message there, in either order.
 */
export class MessageBus {
  readonly #options: MessageBusOptions;
  /** By address. */
  readonly #waiting = new Map<string, (letter: Letter) => void>();
  #poller: NotifiedPoller | null = null;

  constructor(options: MessageBusOptions) {
    this.#options = options;
  }

  /**
   * Sends a message (at most 4,000 bytes) to an address (at most 200 characters). Only the first one at an address
   * counts.
   */
  async post(address: string, message: string): Promise<void> {
    const nowMs = this.#options.clock.now();
    await postLetter(
      this.#options.db,
      { address, message },
      { now: iso(nowMs), forgottenBefore: iso(nowMs - KEPT_MS) },
    );
  }

  /** Receives and removes the first message at one of the addresses; null when none arrived in time. */
  async receive(addresses: readonly string[], { limitMs, signal }: Waiting): Promise<Letter | null> {
    const arrived = Promise.withResolvers<Letter | null>();
    const giveUp = () => arrived.resolve(null);
    const timer = setTimeout(giveUp, limitMs);
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) giveUp();
    for (const address of addresses) this.#waiting.set(address, arrived.resolve);
    this.#polling().wake();
    try {
      return await arrived.promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      for (const address of addresses) this.#waiting.delete(address);
    }
  }

  /** Stops polling; pending receivers get nothing. */
  async close(): Promise<void> {
    await this.#poller?.stop();
  }

  /** Opened by the first receiver: a process that never receives needs no connection. */
  #polling(): NotifiedPoller {
    if (this.#poller) return this.#poller;
    const { url, log, pollMs = POLL_MS } = this.#options;
    const poller = new NotifiedPoller({ url, channel: MESSAGE_BUS_CHANNEL, log, pollMs, look: () => this.#deliver() });
    this.#poller = poller;
    void poller.start();
    return poller;
  }

  async #deliver(): Promise<boolean> {
    if (this.#waiting.size === 0) return false;
    for (const letter of await takeLetters(this.#options.db, [...this.#waiting.keys()]))
      this.#waiting.get(letter.address)?.(letter);
    return false;
  }
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
