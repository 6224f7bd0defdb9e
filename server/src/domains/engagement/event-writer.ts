import { AppError } from '../../kernel/errors.ts';
import type { Database } from '../../platform/db/database.ts';
import { utcDay } from './viewer-identity.ts';
import { appendWatchEvents, copyWatchEvents, prepareWatchDays } from './watch-events.store.ts';
import type { WatchRow } from './watch-row.ts';

/** How long events wait for those of other requests. */
const GATHER_MS = 25;
/** Rows of one statement. */
const MAX_ROWS = 2_000;
/** Rows waiting or being written beyond which new ones are refused: the database is slower than the players. */
const MAX_PENDING = 200_000;

interface Waiting {
  readonly rows: readonly WatchRow[];
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Gathers the events of requests that arrive together and appends them with one statement. A request is answered when its
 * rows are committed: nothing that was acknowledged is lost, whatever happens to this process.
 */
export class EventWriter {
  readonly #db: Database;
  /** UTC days known to have a partition. */
  readonly #prepared = new Set<string>();
  #waiting: Waiting[] = [];
  #rows = 0;
  #pending = 0;
  #timer: NodeJS.Timeout | null = null;
  readonly #flushing = new Set<Promise<void>>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** Resolves when the rows are committed. Throws SERVICE_UNAVAILABLE when too many are waiting or the database is away. */
  append(rows: readonly WatchRow[]): Promise<void> {
    if (rows.length === 0) return Promise.resolve();
    if (this.#pending + rows.length > MAX_PENDING) {
      return Promise.reject(new AppError('SERVICE_UNAVAILABLE', 'More events arrive than can be written.', { retryAfterSeconds: 10 }));
    }
    this.#pending += rows.length;
    return new Promise((done, failed) => {
      this.#waiting.push({ rows, done, failed });
      this.#rows += rows.length;
      if (this.#rows >= MAX_ROWS) this.#flush();
      else this.#timer ??= setTimeout(() => this.#flush(), GATHER_MS);
    });
  }

  /** Writes what is waiting. */
  async close(): Promise<void> {
    this.#flush();
    await Promise.all(this.#flushing);
  }

  #flush(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const batch = this.#waiting;
    if (batch.length === 0) return;
    this.#waiting = [];
    this.#rows = 0;
    const writing = this.#write(batch).finally(() => this.#flushing.delete(writing));
    this.#flushing.add(writing);
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    const rows = batch.flatMap((waiting) => waiting.rows);
    try {
      await this.#prepare(rows);
      // Events that are sent again are rare; their batch is written once more, in the way that passes over them.
      if (!(await copyWatchEvents(this.#db, rows))) await appendWatchEvents(this.#db, rows);
      for (const { done } of batch) done();
    } catch (error) {
      for (const { failed } of batch) failed(error);
    } finally {
      this.#pending -= rows.length;
    }
  }

  /** Workers make partitions ahead; where none ran for days, they are made here. */
  async #prepare(rows: readonly WatchRow[]): Promise<void> {
    let lastDay = Number.NaN;
    for (const { occurredAtMs } of rows) {
      const dayNumber = Math.floor(occurredAtMs / 86_400_000);
      if (dayNumber === lastDay) continue;
      lastDay = dayNumber;
      const day = utcDay(occurredAtMs);
      if (this.#prepared.has(day)) continue;
      await prepareWatchDays(this.#db, day, day);
      this.#prepared.add(day);
    }
  }
}
