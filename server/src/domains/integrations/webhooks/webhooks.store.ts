import {
  assignments,
  insertion,
  NumberedPlaceholders,
  type PresentValues,
  presentValues,
  type ViewerScope,
  viewerRow,
} from '../../../gql/index.ts';
import type { Executor, Transaction } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { isMember, roleMay, SCOPED } from '../../channels/index.ts';
import { NEW_WEBHOOK_FIELDS, type NewWebhookValues, WEBHOOK_FIELDS, type WebhookChanges } from './webhook-fields.ts';
import { MAX_WEBHOOKS } from './webhook-limits.ts';

export interface NewWebhook {
  readonly id: string;
  readonly channelId: string;
  readonly values: NewWebhookValues;
  readonly secret: Buffer;
  readonly nowIso: string;
}

const LOCK_CHANNEL = sql(
  'lock_channel_webhooks',
  `select pg_advisory_xact_lock(hashtextextended('webhooks ' || $1::text, 0))`,
);
const placeholders = new NumberedPlaceholders<NewWebhookValues>(5);
const inserted = insertion(placeholders, NEW_WEBHOOK_FIELDS, (values) => values);
const INSERT = sql(
  'insert_webhook',
  `insert into webhooks (id, channel_id, secret, created_at, updated_at, ${inserted.columns})
   select $1, $2, $3, $4, $4, ${inserted.values} where (select count(*) from webhooks
     where channel_id = $2) < ${MAX_WEBHOOKS} returning id`,
);

/** Adds a webhook; false when the channel has reached the limit. */
export async function insertWebhook(
  tx: Transaction,
  { id, channelId, values, secret, nowIso }: NewWebhook,
): Promise<boolean> {
  await tx.run(LOCK_CHANNEL, [channelId]);
  return (await tx.run(INSERT, [id, channelId, secret, nowIso, ...placeholders.values(values)])).length > 0;
}

/** A webhook as the commands see it, with the account's permissions. */
export interface WebhookFacts {
  readonly id: string;
  readonly channelId: string;
  readonly member: boolean;
  readonly may: boolean;
}

const FIND = sql(
  'find_webhook',
  `select w.id, w.channel_id as "channelId", ${isMember(SCOPED, 'w.channel_id', null)} as member,
     ${roleMay(SCOPED, 'w.channel_id', 'webhook:manage')} as may
   from webhooks w, ${viewerRow('$2')} where w.id = $1`,
);

/** The webhook with this id, and whether the viewer may change it; null when there is none. */
export async function findWebhook(db: Executor, id: string, viewer: ViewerScope): Promise<WebhookFacts | null> {
  return db.first<WebhookFacts>(FIND, [id, viewer]);
}

const LOCK = sql(
  'lock_webhook',
  `select ${presentValues('w', WEBHOOK_FIELDS)} as present from webhooks w where w.id = $1 for update`,
);

/** The present values of a webhook and their revision, locked until the transaction ends; null when there is none. */
export async function lockWebhook(tx: Transaction, id: string): Promise<PresentValues | null> {
  return (await tx.first<{ present: PresentValues }>(LOCK, [id]))?.present ?? null;
}

const changed = new NumberedPlaceholders<WebhookChanges>(3);
const enabled = changed.value(({ isEnabled }) => isEnabled, 'boolean');
const isReset = `(${enabled} or ${changed.value(({ url }) => url !== undefined, 'boolean')})`;
const UPDATE = sql(
  'update_webhook',
  `update webhooks w set ${assignments(changed, WEBHOOK_FIELDS, 'w', (changes) => changes)},
     disabled_reason = case when ${enabled} is null then w.disabled_reason when ${enabled} then null
       else coalesce(w.disabled_reason, 'OWNER') end,
     failing_since = case when ${isReset} then null else w.failing_since end,
     failures = case when ${isReset} then 0 else w.failures end,
     resume_at = case when ${isReset} then '-infinity' else w.resume_at end,
     updated_at = $2
   where id = $1`,
);

/** Updates a webhook; enabling it, or another address, resets its failures. */
export async function updateWebhookRow(
  db: Executor,
  id: string,
  changes: WebhookChanges,
  nowIso: string,
): Promise<void> {
  await db.run(UPDATE, [id, nowIso, ...changed.values(changes)]);
}

const DELETE = sql('delete_webhook', 'delete from webhooks where id = $1');

/** Removes a webhook with its deliveries. */
export async function deleteWebhookRow(db: Executor, id: string): Promise<void> {
  await db.run(DELETE, [id]);
}

const ROTATE = sql(
  'rotate_webhook_secret',
  'update webhooks set previous_secret = secret, previous_secret_until = $3, secret = $2, updated_at = $4 ' +
    'where id = $1',
);

/** Sets a new secret; the previous one also signs until `untilIso`. */
export async function rotateSecret(
  db: Executor,
  id: string,
  secret: Buffer,
  untilIso: string,
  nowIso: string,
): Promise<void> {
  await db.run(ROTATE, [id, secret, untilIso, nowIso]);
}

const DISABLE = sql(
  'disable_webhook',
  `with changed as (
     update webhooks set is_enabled = false, disabled_reason = $2, updated_at = $3 where id = $1 and is_enabled
       returning id, channel_id, url
   ), dropped as (
     update webhook_deliveries d set status = 'FAILED', next_attempt_at = null, finished_at = $3,
       error = coalesce(d.error, 'The webhook was switched off.')
     from changed c where d.webhook_id = c.id and d.status = 'PENDING' and d.lease is null
   )
   insert into events (type, channel_id, subject_id, payload)
   select 'webhook.disabled', channel_id, id, jsonb_build_object('reason', $2::text) from changed`,
);

/** Disables a webhook because its endpoint fails, fails its pending deliveries and writes an event. */
export async function disableWebhook(
  db: Executor,
  id: string,
  reason: 'FAILURES' | 'GONE',
  nowIso: string,
): Promise<void> {
  await db.run(DISABLE, [id, reason, nowIso]);
}
