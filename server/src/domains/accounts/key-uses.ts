import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { noteKeyUses } from './api-keys.store.ts';

const WRITE_DELAY_MS = 1_000;
/** A key's last use is written at most once in this time. */
const INTERVAL_MS = 60_000;

export interface KeyUsesOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  readonly writeDelayMs?: number;
}

/**
 * Remembers when keys were used and writes it in batches: a first use within a second, later ones at most once a
 * minute per key, the rest on stop. Requests never wait for it, and a failed write is tried again with the next.
 */
export class KeyUses {
  readonly #options: KeyUsesOptions;
  readonly #pending = new Map<string, number>();
  readonly #writtenAt = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: KeyUsesOptions) {
    this.#options = options;
  }

  /** Notes a use of the account's key now. */
  touch(accountId: string): void {
    this.#pending.set(accountId, this.#options.clock.now());
    this.#schedule();
  }

  /** Writes what is due; with `all`, everything. */
  flush(all = true): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write(all));
    return this.#writing;
  }

  /** Writes the rest and ends the timer. */
  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    await this.flush();
  }

  #schedule(): void {
    if (this.#timer || this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.flush(false).then(() => {
        if (this.#pending.size > 0) this.#schedule();
      });
    }, this.#options.writeDelayMs ?? WRITE_DELAY_MS);
    this.#timer.unref();
  }

  async #write(all: boolean): Promise<void> {
    const nowMs = this.#options.clock.now();
    for (const [accountId, atMs] of this.#writtenAt) if (nowMs - atMs >= INTERVAL_MS) this.#writtenAt.delete(accountId);
    const due = [...this.#pending].filter(([accountId]) => all || !this.#writtenAt.has(accountId));
    if (due.length === 0) return;
    for (const [accountId] of due) this.#pending.delete(accountId);
    try {
      await noteKeyUses(
        this.#options.db,
        due.map(([accountId, atMs]) => ({ accountId, atMs })),
      );
      for (const [accountId] of due) this.#writtenAt.set(accountId, nowMs);
    } catch (error) {
      for (const [accountId, atMs] of due) if (!this.#pending.has(accountId)) this.#pending.set(accountId, atMs);
      this.#options.onError(error);
    }
  }
}
