import type { Clock } from '../clock.ts';
import type { Database } from '../db/database.ts';
import { NotificationListener } from '../db/notification-listener.ts';
import type { Logger } from '../log.ts';
import { type Letter, MAILBOX_CHANNEL, postLetter, takeLetters } from './mailbox.store.ts';

export type { Letter } from './mailbox.store.ts';

/** Without being woken, while anybody waits. */
const POLL_MS = 1_000;
/** A message that nobody came for is forgotten after so long. */
const KEPT_MS = 600_000;

export interface MailboxOptions {
  readonly url: string;
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly pollMs?: number;
}

export interface Waiting {
  /** How long to wait. */
  readonly limitMs: number;
  /** Ends the wait before. */
  readonly signal: AbortSignal;
}

/**
 * Short messages between the processes around one database: one waits at an address that only the two know, the other leaves a message
 * there. It makes no difference which of the two comes first.
 */
export class Mailbox {
  readonly #options: MailboxOptions;
  /** By address. */
  readonly #waiting = new Map<string, (letter: Letter) => void>();
  #listener: NotificationListener | null = null;
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> | null = null;
  #again = false;

  constructor(options: MailboxOptions) {
    this.#options = options;
  }

  /** Leaves a message (at most 4,000 bytes) at an address (at most 200 characters). Only the first one at an address counts. */
  async post(address: string, message: string): Promise<void> {
    const nowMs = this.#options.clock.now();
    await postLetter(this.#options.db, { address, message }, { now: iso(nowMs), forgottenBefore: iso(nowMs - KEPT_MS) });
  }

  /** The first message at one of the addresses, which is gone from there then; null when there was none in time. */
  async receive(addresses: readonly string[], { limitMs, signal }: Waiting): Promise<Letter | null> {
    const arrived = Promise.withResolvers<Letter | null>();
    const giveUp = () => arrived.resolve(null);
    const timer = setTimeout(giveUp, limitMs);
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) giveUp();
    for (const address of addresses) this.#waiting.set(address, arrived.resolve);
    this.#listen();
    this.#look();
    try {
      return await arrived.promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      for (const address of addresses) this.#waiting.delete(address);
    }
  }

  /** Looks no more; those who still wait hear nothing. */
  async close(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.#again = false;
    await this.#looking;
    await this.#listener?.stop();
  }

  /** From the first wait on: a process that never waits has no connection for it. */
  #listen(): void {
    if (this.#listener) return;
    const { url, log, pollMs = POLL_MS } = this.#options;
    this.#listener = new NotificationListener({ url, channel: MAILBOX_CHANNEL, log, wake: () => this.#look() });
    this.#timer = setInterval(() => this.#look(), pollMs).unref();
    void this.#listener.start();
  }

  #look(): void {
    this.#again = true;
    this.#looking ??= this.#deliver()
      .catch((error: unknown) => this.#options.log.warn({ error }, 'messages could not be fetched, will be tried again'))
      .finally(() => {
        this.#looking = null;
        // Asked for in the very moment in which the last look ended.
        if (this.#again && this.#waiting.size > 0) this.#look();
      });
  }

  async #deliver(): Promise<void> {
    while (this.#again && this.#waiting.size > 0) {
      this.#again = false;
      for (const letter of await takeLetters(this.#options.db, [...this.#waiting.keys()])) this.#waiting.get(letter.address)?.(letter);
    }
  }
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
