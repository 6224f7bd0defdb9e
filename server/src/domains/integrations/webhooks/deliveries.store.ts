import type { ContentKind } from '../../../kernel/content-kinds.ts';
import type { EventType } from '../../../kernel/event-types.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { contentKindOfEvent } from '../events/event-subject.ts';
import { hasToWait, isOutOfOrder } from './webhook-order.sql.ts';
import type { DeliveryDecision } from './webhook-retries.ts';
import { subscribesTo } from './webhooks.sql.ts';

/** An event with its subscribed webhooks. */
export interface WantedEvent {
  readonly uid: string;
  readonly channelId: string;
  readonly type: EventType;
  readonly subjectId: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly contentKind: ContentKind | null;
  readonly createdAt: string;
  readonly webhookIds: readonly string[];
}

const WANTED = sql(
  'webhooks_for_event',
  `select e.uid, e.channel_id as "channelId", e.type, e.subject_id as "subjectId", e.payload,
    e.created_at as "createdAt",
     ${contentKindOfEvent('e')} as "contentKind", w.ids as "webhookIds"
   from events e
   join lateral (select array_agg(w.id order by w.id) as ids from webhooks w where w.channel_id = e.channel_id
     and w.is_enabled and ${subscribesTo('w', 'e')}) w
     on w.ids is not null
   where e.id = $1`,
);

/** The event when any webhook is subscribed to it, otherwise null. */
export async function findWantedEvent(tx: Executor, eventId: number): Promise<WantedEvent | null> {
  return tx.first<WantedEvent>(WANTED, [eventId]);
}

/** A message to webhooks without a delivery yet. */
export interface NewDelivery {
  readonly eventId: number | null;
  readonly eventType: string;
  /** What the event is about; null for tests. */
  readonly aboutId: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly occurredAt: string;
  readonly nowIso: string;
  readonly expiresIso: string;
}

const INSERT = sql(
  'insert_deliveries',
  `insert into webhook_deliveries (id, webhook_id, event_id, event_type, data, occurred_at, expires_at, next_attempt_at,
    created_at, about_id)
   select d.id, d.webhook_id, $3, $4, $5, $6, $7, $8, $8, $9 from unnest($1::uuid[], $2::uuid[]) as d(id, webhook_id)
   on conflict (webhook_id, event_id) do nothing`,
);

/** One delivery for each webhook, `ids[n]` for `webhookIds[n]`; an existing one for the event is kept. */
export async function insertDeliveries(
  db: Executor,
  ids: readonly string[],
  webhookIds: readonly string[],
  d: NewDelivery,
): Promise<void> {
  await db.run(INSERT, [
    ids,
    webhookIds,
    d.eventId,
    d.eventType,
    JSON.stringify(d.data),
    d.occurredAt,
    d.expiresIso,
    d.nowIso,
    d.aboutId,
  ]);
}

/** A due attempt. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly url: string;
  readonly secret: Buffer;
  readonly previousSecret: Buffer | null;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly occurredAt: string;
  readonly attempts: number;
  readonly expiresAt: string;
  readonly failures: number;
  readonly failingSince: string | null;
  /** Whether an earlier one about the same content waits, or a later one has arrived, although it keeps the order. */
  readonly isOutOfOrder: boolean;
  /** Whether it is a test, which says nothing about the webhook's other messages. */
  readonly isTest: boolean;
}

/** Concurrent attempts to one webhook, across all workers; a failing one gets only one at a time. */
const PER_WEBHOOK = 4;

const CLAIMED = `d.id, d.webhook_id as "webhookId", w.url, w.secret,
  case when w.previous_secret_until > $2::timestamptz then w.previous_secret end as "previousSecret",
  d.event_type as type, d.data, d.occurred_at as "occurredAt", d.attempts, d.expires_at as "expiresAt",
  w.failures, w.failing_since as "failingSince", d.event_id is null as "isTest",
  ${isOutOfOrder('w', 'd')} as "isOutOfOrder"`;
const CLAIM = sql(
  'claim_deliveries',
  `with due as (
     select d.id from webhooks w
     cross join lateral (
       select case when w.failures > 0 then 1 else ${PER_WEBHOOK} end - count(*) as room from webhook_deliveries busy
       where busy.webhook_id = w.id and busy.status = 'PENDING' and busy.leased_until > $2::timestamptz
         and busy.event_id is not null
     ) free
     cross join lateral (
       select d.id, d.next_attempt_at from webhook_deliveries d
       where d.webhook_id = w.id and d.status = 'PENDING' and d.next_attempt_at <= $2::timestamptz
         and (d.leased_until is null or d.leased_until <= $2::timestamptz) and (w.is_enabled or d.event_id is null)
         and not ${hasToWait('w', 'd', '$2::timestamptz')}
       order by d.next_attempt_at, d.id limit greatest(free.room, 0) for update skip locked
     ) d
     where w.resume_at <= $2::timestamptz
       and exists (select 1 from webhook_deliveries p where p.webhook_id = w.id and p.status = 'PENDING'
         and p.next_attempt_at <= $2::timestamptz)
     order by d.next_attempt_at limit $4
   )
   update webhook_deliveries d set lease = $1, leased_until = $3, attempts = d.attempts + 1
   from due, webhooks w where d.id = due.id and w.id = d.webhook_id
   returning ${CLAIMED}`,
);

/**
 * Claims at most `limit` due attempts with a lease until `leasedUntilIso`; attempts of a killed worker become due again
 * then.
 */
export async function claimDeliveries(
  db: Executor,
  lease: string,
  nowIso: string,
  leasedUntilIso: string,
  limit: number,
): Promise<ClaimedDelivery[]> {
  return db.run<ClaimedDelivery>(CLAIM, [lease, nowIso, leasedUntilIso, limit]);
}

const CLAIM_ONE = sql(
  'claim_delivery',
  `update webhook_deliveries d set lease = $1, leased_until = $3, attempts = d.attempts + 1
   from webhooks w where d.id = $4 and w.id = d.webhook_id and d.status = 'PENDING' and d.lease is null
   returning ${CLAIMED}`,
);

/** Claims the next attempt of one delivery, due or not; null if somebody has it or it has ended. */
export async function claimDelivery(
  tx: Executor,
  lease: string,
  nowIso: string,
  leasedUntilIso: string,
  id: string,
): Promise<ClaimedDelivery | null> {
  return tx.first<ClaimedDelivery>(CLAIM_ONE, [lease, nowIso, leasedUntilIso, id]);
}

const SETTLE = sql(
  'settle_delivery',
  `with settled as (
     update webhook_deliveries set status = $3, next_attempt_at = $4, lease = null, leased_until = null,
       response_status = $5,
       duration_ms = $6, error = $7, finished_at = case when $3 <> 'PENDING' then $8::timestamptz end
     where id = $1 and lease = $2 returning webhook_id, event_id is null as is_test
   )
   update webhooks w set
     failures = case when $7 is null then 0 else w.failures + 1 end,
     failing_since = case when $7 is null then null else coalesce(w.failing_since, $8::timestamptz) end,
     resume_at = coalesce($9::timestamptz, '-infinity')
   from settled where w.id = settled.webhook_id and ($7 is null or not settled.is_test)`,
);

/** Records the result of an attempt, unless its lease was lost. A test that fails changes nothing for the webhook. */
export async function settleDelivery(
  db: Executor,
  { id, lease }: { id: string; lease: string },
  decision: DeliveryDecision,
  result: { status: number | null; durationMs: number; error: string | null },
  nowIso: string,
): Promise<void> {
  const status = decision.kind === 'delivered' ? 'DELIVERED' : decision.kind === 'failed' ? 'FAILED' : 'PENDING';
  const next = decision.kind === 'again' ? new Date(decision.atMs).toISOString() : null;
  const resume = decision.kind === 'delivered' ? null : new Date(decision.resumeAtMs).toISOString();
  await db.run(SETTLE, [id, lease, status, next, result.status, result.durationMs, result.error, nowIso, resume]);
}

const FIND = sql('find_delivery', 'select webhook_id as "webhookId" from webhook_deliveries where id = $1');

/** The webhook of a delivery; null when there is no such delivery. */
export async function findDelivery(db: Executor, id: string): Promise<{ webhookId: string } | null> {
  return db.first<{ webhookId: string }>(FIND, [id]);
}

const REDELIVER = sql(
  'redeliver',
  `update webhook_deliveries set status = 'PENDING', attempts = 0, next_attempt_at = $2, expires_at = $3,
    finished_at = null, error = null
   where id = $1 and status <> 'PENDING'`,
);

/** Redelivers a message with the same identifier; a waiting one keeps its schedule. */
export async function redeliver(db: Executor, id: string, nowIso: string, expiresIso: string): Promise<void> {
  await db.run(REDELIVER, [id, nowIso, expiresIso]);
}

const FORGET = sql(
  'delete_old_deliveries',
  `delete from webhook_deliveries where id = any(array(
     select id from webhook_deliveries where created_at < $1 and (status <> 'PENDING' or expires_at < $1)
       order by created_at limit 5000)) returning id`,
);

/**
 * Removes deliveries that have ended, or wait for a disabled webhook, and were created before `beforeIso`; returns how
 * many, at most 5,000.
 */
export async function forgetDeliveries(db: Executor, beforeIso: string): Promise<number> {
  return (await db.run(FORGET, [beforeIso])).length;
}
