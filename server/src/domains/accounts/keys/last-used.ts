import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { NoteUses } from './credential-uses.store.ts';

const WRITE_DELAY_MS = 1_000;
/** A key's last use is written at most once in this time. */
const INTERVAL_MS = 60_000;

export interface KeyUsesOptions {
  readonly db: Database;
  readonly note: NoteUses;
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
 * Records when keys or tokens were used and writes it in batches: a first use within a second, later ones at most
 * once a minute each, the rest on stop. The database decides what is due, since a key may have been replaced or used on
 * another instance. Requests never wait for it, and a failed write is retried with the next.
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

  /** Records a use now: of the token with this id, or the key of the account with it. */
  touch(id: string): void {
    this.#pending.set(id, { atMs: this.#options.clock.now(), dueAtMs: 0 });
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
    const { clock, db, note, onError } = this.#options;
    const nowMs = clock.now();
    const due = [...this.#pending].filter(([, { dueAtMs }]) => all || dueAtMs <= nowMs);
    if (due.length === 0) return;
    for (const [id] of due) this.#pending.delete(id);
    const keep = (id: string, use: Use) => {
      if (!this.#pending.has(id)) this.#pending.set(id, use);
    };
    try {
      const uses = due.map(([id, { atMs }]) => ({ id, atMs }));
      const early = await note(db, uses, all ? nowMs : nowMs - INTERVAL_MS);
      for (const { id, atMs } of uses) {
        const lastMs = early.get(id);
        if (lastMs !== undefined) keep(id, { atMs, dueAtMs: lastMs + INTERVAL_MS });
      }
    } catch (error) {
      for (const [id, use] of due) keep(id, use);
      onError(error);
    }
  }
}
