import type { KeyUse } from '../../../gql/index.ts';
import type { UsageCharge } from '../../../kernel/key-budgets.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

/** Result of charging a usage limit. `spent` is the previous usage. */
export interface UsageDecision {
  readonly allowed: boolean;
  readonly per: number;
  readonly spent: number;
  /** When to retry; null when waiting does not help. */
  readonly retryAt: string | null;
}

const CHARGE_USAGE = sql(
  'consume_api_key_usage',
  'select allowed, per, spent, retry_at as "retryAt" from consume_api_key_usage($1, $2, $3::int, $4::timestamptz, $5)',
);

/** Charges a usage limit; null when the account has no such limit. `id` identifies the charge. */
export function chargeUsage(
  db: Executor,
  accountId: string,
  { budget, amount }: UsageCharge,
  now: string,
  id: string,
): Promise<UsageDecision | null> {
  return db.first<UsageDecision>(CHARGE_USAGE, [accountId, budget, amount, now, id]);
}

const GIVE_BACK = sql('refund_api_key_usage', 'delete from api_key_usage where id = any($1::uuid[])');

export async function refundUsage(db: Executor, ids: readonly string[]): Promise<void> {
  await db.run(GIVE_BACK, [ids]);
}

const NOTE_MINUTES = sql(
  'record_processing_minutes',
  `insert into api_key_usage (id, account_id, limit_name, amount, at)
   select $2, account_id, 'PROCESSING_MINUTES', $3::float8, $4 from api_key_usage_limits
   where account_id = $1 and processing_minutes_per_day is not null and $3::float8 > 0`,
);

/** Counts minutes that were processed for the account's channels, where it has a limit for them. */
export async function noteProcessingMinutes(
  db: Executor,
  accountId: string,
  id: string,
  minutes: number,
  now: string,
): Promise<void> {
  await db.run(NOTE_MINUTES, [accountId, id, minutes, now]);
}

export interface StoredBudgets {
  readonly deletesPerDay: number | null;
  readonly publishesPerHour: number | null;
  readonly processingMinutesPerDay: number | null;
}

const SET = sql(
  'set_api_key_usage_limits',
  `with marked as (update subscriptions set key_limited = num_nonnulls($2::int, $3::int, $4::int) > 0
    where account_id = $1)
   insert into api_key_usage_limits (account_id, deletes_per_day, publishes_per_hour, processing_minutes_per_day,
     updated_at) values ($1, $2, $3, $4, $5)
   on conflict (account_id) do update set deletes_per_day = excluded.deletes_per_day,
     publishes_per_hour = excluded.publishes_per_hour,
     processing_minutes_per_day = excluded.processing_minutes_per_day, updated_at = excluded.updated_at`,
);

export async function setKeyBudgets(
  db: Executor,
  accountId: string,
  budgets: StoredBudgets,
  now: string,
): Promise<void> {
  await db.run(SET, [accountId, budgets.deletesPerDay, budgets.publishesPerHour, budgets.processingMinutesPerDay, now]);
}

const RECORD = sql(
  'record_key_uses',
  `insert into api_key_audit_log (account_id, id, at, via, agent, operation, subject, outcome)
   select "accountId", id, to_timestamp("atMs" / 1000.0), via, agent, operation, subject, outcome
   from json_to_recordset($1::json) as use("accountId" uuid, id uuid, "atMs" float8, via text, agent text,
     operation text, subject text, outcome text)
   on conflict do nothing`,
);

/** An entry of the audit log. */
export interface KeyAction extends KeyUse {
  readonly id: string;
}

/** Writes entries, all or none; safe to retry. */
export async function recordKeyUses(db: Executor, uses: readonly KeyAction[]): Promise<void> {
  await db.run(RECORD, [JSON.stringify(uses)]);
}

const FORGET = sql(
  'delete_old_audit_log_entries',
  `with old as (select account_id, id from api_key_audit_log where at < $1 limit 5000)
   delete from api_key_audit_log k using old where (k.account_id, k.id) = (old.account_id, old.id) returning 1`,
);

/** Deletes some of the entries from before `before`; returns how many. */
export async function forgetKeyActions(db: Executor, before: string): Promise<number> {
  return (await db.run(FORGET, [before])).length;
}
