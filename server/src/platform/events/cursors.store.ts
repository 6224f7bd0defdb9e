import type { Executor, Transaction } from '../db/database.ts';
import { sql } from '../db/statement.ts';
import type { LoggedEvent } from './event.ts';

/** A position in the log. Events are ordered by the transaction that wrote them, then by id. */
export interface Position {
  /** xid8 as text. */
  readonly xact: string;
  readonly eventId: number;
}

export interface Cursor extends Position {
  readonly failures: number;
}

export interface PositionedEvent extends LoggedEvent {
  readonly xact: string;
  /** Whether an earlier event may still be committed. */
  readonly held: boolean;
}

const REGISTER = sql('register_consumer', 'insert into event_cursors (consumer) values ($1) on conflict do nothing');

/** Creates the cursor of a consumer if it is new; a new consumer starts at the beginning of the log. */
export async function registerConsumer(db: Executor, consumer: string): Promise<void> {
  await db.run(REGISTER, [consumer]);
}

const LOCK = sql(
  'lock_cursor',
  `select xact, event_id as "eventId", failures from event_cursors
   where consumer = $1 and retry_at <= clock_timestamp() for update skip locked`,
);

/** The cursor, locked until the transaction ends; null when another worker has it or the consumer is pausing. */
export async function lockCursor(tx: Transaction, consumer: string): Promise<Cursor | null> {
  return tx.first<Cursor>(LOCK, [consumer]);
}

const READ = sql(
  'read_events',
  `select id, xact, type, channel_id as "channelId", subject_id as "subjectId", payload, created_at as "createdAt",
     xact >= pg_snapshot_xmin(pg_current_snapshot()) as held
   from events where (xact, id) > ($1::xid8, $2::bigint) order by xact, id limit 50`,
);

/**
 * The next events after `position`, at most 50. Those of transactions younger than the oldest running one are held and
 * come last, so that an event that commits late is never skipped.
 */
export async function readEvents(tx: Executor, position: Position): Promise<PositionedEvent[]> {
  return tx.run<PositionedEvent>(READ, [position.xact, position.eventId]);
}

const ADVANCE = sql(
  'advance_cursor',
  `update event_cursors set xact = $2::xid8, event_id = $3, failures = $4, updated_at = clock_timestamp(),
     retry_at = case when $5 = 0 then '-infinity' else clock_timestamp() + $5 * interval '1 second' end
   where consumer = $1`,
);

/** Writes the consumer's position and, after a failure, its pause in seconds. */
export async function advanceCursor(
  tx: Executor,
  consumer: string,
  cursor: Cursor,
  pauseSeconds: number,
): Promise<void> {
  await tx.run(ADVANCE, [consumer, cursor.xact, cursor.eventId, cursor.failures, pauseSeconds]);
}

const SET_ASIDE = sql(
  'set_event_aside',
  'insert into event_failures (consumer, event_id, error) values ($1, $2, $3) on conflict do nothing',
);

/** Stores an event that a consumer could not handle. */
export async function setAside(tx: Executor, consumer: string, eventId: number, error: string): Promise<void> {
  await tx.run(SET_ASIDE, [consumer, eventId, error.slice(0, 2_000)]);
}
