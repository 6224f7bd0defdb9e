import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import type { LogPosition } from '../events/event-cursor.ts';
import { contentKindOfEvent } from '../events/event-subject.ts';
import type { WantedEvent } from './deliveries.store.ts';
import { subscribesTo } from './webhooks.sql.ts';

/** An event of the past that a webhook subscribes to. `id` is its number in the log. */
export type PastEvent = Omit<WantedEvent, 'webhookIds'> & LogPosition;

const PAST = sql(
  'past_events_of_webhook',
  `select e.xact::text as xact, e.id::text as id, e.created_at::text as "createdAt", e.uid,
     e.channel_id as "channelId", e.type, e.subject_id as "subjectId", e.payload,
     ${contentKindOfEvent('e')} as "contentKind"
   from webhooks w join events e on e.channel_id = w.channel_id
   where w.id = $1 and (e.xact, e.id) > ($2::xid8, $3::bigint) and ${subscribesTo('w', 'e')}
     and e.xact < pg_snapshot_xmin(pg_current_snapshot())
   order by e.xact, e.id limit $4`,
);

/** The first `limit` events after a position that the webhook subscribes to, in the order of the log. */
export function pastEvents(
  tx: Executor,
  webhookId: string,
  { xact, id }: Pick<LogPosition, 'xact' | 'id'>,
  limit: number,
): Promise<PastEvent[]> {
  return tx.run<PastEvent>(PAST, [webhookId, xact, id, limit]);
}

const LOCK = sql(
  'lock_webhook_for_replay',
  'select is_enabled as "isEnabled" from webhooks where id = $1 for no key update',
);

/** Whether the webhook is enabled, locked until the transaction ends; null when it was deleted. */
export async function lockEnabled(tx: Executor, webhookId: string): Promise<boolean | null> {
  return (await tx.first<{ isEnabled: boolean }>(LOCK, [webhookId]))?.isEnabled ?? null;
}

/** A message to send again, or for the first time. */
export interface ReplayedEvent {
  /** Id of the delivery if the event has none yet. */
  readonly deliveryId: string;
  readonly eventId: string;
  readonly type: string;
  readonly aboutId: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly occurredAt: string;
}

const REPLAY = sql(
  'replay_events',
  `insert into webhook_deliveries as d (id, webhook_id, event_id, event_type, data, occurred_at, expires_at,
     next_attempt_at, created_at, about_id)
   select e.id, $1, e.event_id, e.type, e.data, e.occurred_at, $8, $7, $7, e.about_id
   from unnest($2::uuid[], $3::bigint[], $4::text[], $5::jsonb[], $6::timestamptz[], $9::uuid[])
     as e(id, event_id, type, data, occurred_at, about_id)
   on conflict (webhook_id, event_id) do update set status = 'PENDING', attempts = 0,
     next_attempt_at = excluded.next_attempt_at, expires_at = excluded.expires_at, finished_at = null, error = null
     where d.status <> 'PENDING'
   returning d.id`,
);

/**
 * Schedules one delivery for each event: an earlier one keeps its id, a waiting one its schedule. Returns how many were
 * scheduled.
 */
export async function replayEvents(
  tx: Executor,
  webhookId: string,
  events: readonly ReplayedEvent[],
  nowIso: string,
  expiresIso: string,
): Promise<number> {
  const scheduled = await tx.run(REPLAY, [
    webhookId,
    events.map(({ deliveryId }) => deliveryId),
    events.map(({ eventId }) => eventId),
    events.map(({ type }) => type),
    events.map(({ data }) => JSON.stringify(data)),
    events.map(({ occurredAt }) => occurredAt),
    nowIso,
    expiresIso,
    events.map(({ aboutId }) => aboutId),
  ]);
  return scheduled.length;
}
