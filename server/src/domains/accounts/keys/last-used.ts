import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
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

/** A use that has not been written yet. */
interface Use {
  readonly atMs: number;
  /** When it may be written: a minute after the last recorded use, if known. */
  readonly dueAtMs: number;
}

/**
 * Records when keys were used and writes it in batches: a first use within a second, later ones at most once a minute
 * per key, the rest on stop. The database decides what is due, since a key may have been replaced or used on another
 * instance. Requests never wait for it, and a failed write is retried with the next.
 */
export class KeyUses {
  readonly #options: KeyUsesOptions;
  readonly #pending = new Map<string, Use>();
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: KeyUsesOptions) {
    this.#options = options;
  }

  /** Records a use of the account's key now. */
  touch(accountId: string): void {
    this.#pending.set(accountId, { atMs: this.#options.clock.now(), dueAtMs: 0 });
    this.#schedule();
  }

  /** Writes what is due, or everything with `all`. */
  flush(all = true): Promise<void> {
    if (all && this.#timer) clearTimeout(this.#timer);
    if (all) this.#timer = null;
    this.#writing = this.#writing.then(() => this.#write(all));
    return this.#writing;
  }

  /** Writes the rest and stops the timer. */
  async stop(): Promise<void> {
    this.#stopped = true;
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
    const { clock, db, onError } = this.#options;
    const nowMs = clock.now();
    const due = [...this.#pending].filter(([, { dueAtMs }]) => all || dueAtMs <= nowMs);
    if (due.length === 0) return;
    for (const [accountId] of due) this.#pending.delete(accountId);
    const keep = (accountId: string, use: Use) => {
      if (!this.#pending.has(accountId)) this.#pending.set(accountId, use);
    };
    try {
      const uses = due.map(([accountId, { atMs }]) => ({ accountId, atMs }));
      const early = await noteKeyUses(db, uses, all ? nowMs : nowMs - INTERVAL_MS);
      for (const { accountId, atMs } of uses) {
        const lastMs = early.get(accountId);
        if (lastMs !== undefined) keep(accountId, { atMs, dueAtMs: lastMs + INTERVAL_MS });
      }
    } catch (error) {
      for (const [accountId, use] of due) keep(accountId, use);
      onError(error);
    }
  }
}
