import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Database } from '../../../platform/db/database.ts';
import { utcDay } from '../viewers/viewer-identity.ts';
import type { Viewing } from '../viewing.ts';
import { appendWatchEvents, copyWatchEvents, prepareWatchDays } from './watch-events.store.ts';

/** How long events wait for a batch. */
const GATHER_MS = 25;
/** Maximum number of rows in one statement. */
const MAX_ROWS = 2_000;
/** Maximum number of pending rows; more are refused, because the database is too slow. */
const MAX_PENDING = 200_000;

interface Waiting {
  readonly viewings: readonly Viewing[];
  readonly rows: number;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Batches the events of concurrent requests and appends them with one statement. A response is sent when its rows are
 * committed, so no acknowledged event is lost in a crash.
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

  /**
   * Resolves when the events are committed. Throws SERVICE_UNAVAILABLE when too many are waiting or the database is
   * unavailable.
   */
  append(viewings: readonly Viewing[]): Promise<void> {
    const rows = viewings.reduce((count, { events }) => count + events.length, 0);
    if (rows === 0) return Promise.resolve();
    if (this.#pending + rows > MAX_PENDING) {
      return Promise.reject(
        new AppError('SERVICE_UNAVAILABLE', t`More events arrive than can be written.`, { retryAfterSeconds: 10 }),
      );
    }
    this.#pending += rows;
    return new Promise((done, failed) => {
      this.#waiting.push({ viewings, rows, done, failed });
      this.#rows += rows;
      if (this.#rows >= MAX_ROWS) this.#flush();
      else this.#timer ??= setTimeout(() => this.#flush(), GATHER_MS);
    });
  }

  /** Flushes pending events. */
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
    const viewings = batch.flatMap((waiting) => waiting.viewings);
    try {
      await this.#prepare(viewings);
      // Duplicate events are rare; their batch is written again by the statement that skips them.
      if (!(await copyWatchEvents(this.#db, viewings))) await appendWatchEvents(this.#db, viewings);
      for (const { done } of batch) done();
    } catch (error) {
      for (const { failed } of batch) failed(error);
    } finally {
      for (const { rows } of batch) this.#pending -= rows;
    }
  }

  /** Workers create partitions ahead; when none ran for days, they are created here. */
  async #prepare(viewings: readonly Viewing[]): Promise<void> {
    let lastDay = Number.NaN;
    for (const { events } of viewings) {
      for (const { occurredAtMs } of events) {
        const dayNumber = Math.floor(occurredAtMs / 86_400_000);
        if (dayNumber === lastDay) continue;
        lastDay = dayNumber;
        await this.#prepareDay(utcDay(occurredAtMs));
      }
    }
  }

  async #prepareDay(day: string): Promise<void> {
    if (this.#prepared.has(day)) return;
    await prepareWatchDays(this.#db, day, day);
    this.#prepared.add(day);
  }
}
