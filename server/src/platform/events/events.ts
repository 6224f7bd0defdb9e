import type { EventType } from '../../kernel/event-types.ts';
import type { Database, Transaction } from '../db/database.ts';
import { NotifiedPoller } from '../db/notified-poller.ts';
import { withReconnect } from '../db/with-reconnect.ts';
import type { Logger } from '../log.ts';
import { type Repeated, repeat } from '../repeat.ts';
import {
  advanceCursor,
  type Cursor,
  lockCursor,
  type PositionedEvent,
  readEvents,
  registerConsumer,
  setAside,
} from './cursors.store.ts';
import type { LoggedEvent } from './event.ts';
import { EVENTS_CHANNEL } from './event-log.store.ts';
import { pruneEvents } from './prune-log.store.ts';

/** One internal reader of the log. */
export interface Consumer {
  /** Name of its cursor; never changed once released. */
  readonly name: string;
  readonly types: readonly EventType[];
  /**
   * Handles one event. Its effects must go through `tx`: they are committed together with the cursor, so they happen
   * exactly once and in log order. An error is retried after a pause; after ten failures the event is set aside.
   */
  readonly handle: (tx: Transaction, event: LoggedEvent) => Promise<void>;
}

export interface Events {
  /** Before `start`. */
  subscribe(consumer: Consumer): void;
  /** Starts reading; on workers only. Several workers share the consumers: each event is handled by one of them. */
  start(): Promise<void>;
  /** Waits for the handlers in progress. */
  stop(): Promise<void>;
}

export interface EventsOptions {
  readonly url: string;
  readonly db: Database;
  readonly log: Logger;
  /** How often the log is polled without a notification; default 1000. */
  readonly pollMs?: number;
  /** How many days events are kept at least; default 30. */
  readonly keepDays?: number;
}

/** Opens the internal consumers of the event log; nothing happens before `start`. */
export function openEvents(options: EventsOptions): Events {
  return new LogReader(options);
}

const MAX_FAILURES = 10;
const LONGEST_PAUSE_SECONDS = 60;
/**
 * Delay before events held back by an older transaction are read again: that transaction sends no notification unless
 * it wrote an event itself.
 */
const HELD_MS = 100;
const PRUNE_EVERY_MS = 600_000;
const PRUNE_AT_ONCE = 5_000;

class LogReader implements Events {
  readonly #options: EventsOptions;
  readonly #consumers: Consumer[] = [];
  readonly #poller: NotifiedPoller;
  readonly #pruning: Repeated;
  #held: NodeJS.Timeout | null = null;
  #stopped = false;

  constructor(options: EventsOptions) {
    this.#options = options;
    const { url, db, log, pollMs = 1_000, keepDays = 30 } = options;
    this.#poller = new NotifiedPoller({ url, channel: EVENTS_CHANNEL, log, pollMs, look: () => this.#look() });
    this.#pruning = repeat(log, 'the event log could not be pruned, will be retried', PRUNE_EVERY_MS, async () => {
      return (await pruneEvents(db, keepDays, PRUNE_AT_ONCE)) === PRUNE_AT_ONCE;
    });
  }

  subscribe(consumer: Consumer): void {
    if (this.#consumers.some(({ name }) => name === consumer.name))
      throw new Error(`Two consumers are called ${consumer.name}.`);
    this.#consumers.push(consumer);
  }

  async start(): Promise<void> {
    const { db, log } = this.#options;
    for (const { name } of this.#consumers)
      await withReconnect(() => registerConsumer(db, name), { log, step: `event consumer ${name}` });
    await this.#poller.start();
    this.#pruning.start();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#poller.stop();
    if (this.#held) clearTimeout(this.#held);
    await this.#pruning.stop();
  }

  async #look(): Promise<boolean> {
    await Promise.all(this.#consumers.map((consumer) => this.#catchUp(consumer)));
    return false;
  }

  #lookAgain(): void {
    this.#held ??= setTimeout(() => {
      this.#held = null;
      this.#poller.wake();
    }, HELD_MS);
  }

  async #catchUp(consumer: Consumer): Promise<void> {
    try {
      while (!this.#stopped && (await this.#step(consumer)));
    } catch (error) {
      this.#options.log.error({ error, consumer: consumer.name }, 'event log not readable, will be retried');
    }
  }

  /** One batch in one transaction; true when there may be more. */
  #step(consumer: Consumer): Promise<boolean> {
    return this.#options.db.transaction(async (tx) => {
      const start = await lockCursor(tx, consumer.name);
      if (!start) return false;
      const found = await readEvents(tx, start);
      const events = found.filter(({ held }) => !held);
      if (events.length < found.length) this.#lookAgain();
      let cursor: Cursor = start;
      for (const event of events) {
        const failure = consumer.types.includes(event.type) ? await this.#attempt(tx, consumer, event) : null;
        if (failure && cursor.failures + 1 < MAX_FAILURES) {
          const failures = cursor.failures + 1;
          await advanceCursor(
            tx,
            consumer.name,
            { ...cursor, failures },
            Math.min(LONGEST_PAUSE_SECONDS, 2 ** (failures - 1)),
          );
          return false;
        }
        if (failure) {
          this.#options.log.error(
            { error: failure, consumer: consumer.name, event: event.id },
            'event set aside after too many failures',
          );
          await setAside(tx, consumer.name, event.id, String(failure));
        }
        cursor = { xact: event.xact, eventId: event.id, failures: 0 };
      }
      if (cursor !== start) await advanceCursor(tx, consumer.name, cursor, 0);
      return events.length > 0;
    });
  }

  /** Runs the handler behind a savepoint; returns the failure, with its effects undone, or null. */
  async #attempt(tx: Transaction, consumer: Consumer, event: PositionedEvent): Promise<Error | null> {
    const { xact: _, held: __, ...logged } = event;
    await tx.executeSql('savepoint event');
    try {
      await consumer.handle(tx, logged);
      await tx.executeSql('release savepoint event');
      return null;
    } catch (error) {
      await tx.executeSql('rollback to savepoint event');
      this.#options.log.warn({ error, consumer: consumer.name, event: event.id }, 'event handler failed');
      return error instanceof Error ? error : new Error(String(error));
    }
  }
}
