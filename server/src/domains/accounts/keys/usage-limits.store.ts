import {
  assignments,
  insertion,
  NumberedPlaceholders,
  type PresentValues,
  presentValues,
  readChanges,
  readNew,
} from '../../../gql/index.ts';
import type { UsageCharge } from '../../../kernel/key-budgets.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { firstLocked } from '../../../platform/db/first-locked.ts';
import { sql } from '../../../platform/db/statement.ts';
import { USAGE_LIMIT_FIELDS, type UsageLimitsInput } from './usage-limit-fields.ts';

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

const limits = new NumberedPlaceholders<UsageLimitsInput>(3);
const inserted = insertion(limits, USAGE_LIMIT_FIELDS, (input) => readNew(USAGE_LIMIT_FIELDS, input));
const updated = assignments(limits, USAGE_LIMIT_FIELDS, 'l', (input) => readChanges(USAGE_LIMIT_FIELDS, input));
const LOCK = sql(
  'lock_api_key_usage_limits',
  `select coalesce((select ${presentValues('l', USAGE_LIMIT_FIELDS)} from api_key_usage_limits l
     where l.account_id = s.account_id), '{"revision": 0}') as present
   from subscriptions s where s.account_id = $1 for no key update of s`,
);

/** The present limits and their revision, 0 without any. Until the transaction ends, nobody else changes them. */
export async function lockUsageLimits(tx: Executor, accountId: string): Promise<PresentValues> {
  return (await firstLocked<{ present: PresentValues }>(tx, LOCK, [accountId]))?.present ?? { revision: 0 };
}

const SET = sql(
  'set_api_key_usage_limits',
  `with limits as (
     insert into api_key_usage_limits as l (account_id, updated_at, ${inserted.columns})
     values ($1, $2, ${inserted.values})
     on conflict (account_id) do update set ${updated}, updated_at = excluded.updated_at
     returning account_id, num_nonnulls(${inserted.columns}) > 0 as is_limited
   )
   update subscriptions s set key_limited = l.is_limited from limits l where s.account_id = l.account_id`,
);

/** Writes usage limits, and whether the account has any; what is absent stays. Throws INVALID_INPUT with the field. */
export async function setUsageLimits(
  db: Executor,
  accountId: string,
  input: UsageLimitsInput,
  now: string,
): Promise<void> {
  await db.run(SET, [accountId, now, ...limits.values(input)]);
}
