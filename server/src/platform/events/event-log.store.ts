import type { Executor } from '../db/database.ts';
import { sql } from '../db/statement.ts';
import type { NewEvent } from './event.ts';

/** The PostgreSQL channel that wakes consumers. */
export const EVENTS_CHANNEL = 'reelgraph_events';

const APPEND = sql(
  'append_event',
  `with appended as (insert into events (type, channel_id, subject_id, payload) values ($1, $2, $3, $4) returning id)
   select id, pg_notify('${EVENTS_CHANNEL}', '') from appended`,
);

/**
 * Adds an event to the log in the caller's transaction and wakes the consumers when it commits. Events inserted by
 * other statements are noticed within a second.
 */
export async function appendEvent(tx: Executor, event: NewEvent): Promise<void> {
  await tx.run(APPEND, [event.type, event.channelId, event.subjectId, JSON.stringify(event.payload ?? {})]);
}
