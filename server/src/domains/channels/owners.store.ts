import type { ChangedQuotas, PlanCode, PlanLimits, SubscriptionState } from '../../kernel/plans.ts';
import type { Executor } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/statement.ts';
import { instantMs } from '../../platform/db/types.ts';
import { CHANGED_QUOTAS } from '../../platform/instance/instance-settings.ts';
import { effectiveLimits } from '../accounts/index.ts';

/** The account whose plan limits its channels. */
export interface OwnerAccount {
  readonly accountId: string;
  /** The quotas that apply at present. */
  readonly limits: PlanLimits;
  /** Channels it owns. */
  readonly channels: number;
  /** Bytes that all of them store together, open uploads included. */
  readonly storedBytes: number;
}

interface LockedRow {
  accountId: string;
  plan: PlanCode;
  state: SubscriptionState;
  accessUntil: string;
  quotas: ChangedQuotas | null;
}

// Every transaction locks channels before subscriptions, so that they cannot deadlock.
const LOCK_OWNER = sql(
  'lock_owner_of_channel',
  `select s.account_id as "accountId", s.plan, s.state, s.access_until as "accessUntil", ${CHANGED_QUOTAS} as quotas
   from channels c join subscriptions s on s.account_id = c.account_id
     where c.id = $1 for share of c for no key update of s`,
);
const LOCK_ACCOUNT = sql(
  'lock_owner_account',
  `select s.account_id as "accountId", s.plan, s.state, s.access_until as "accessUntil", ${CHANGED_QUOTAS} as quotas
   from subscriptions s where s.account_id = $1 for no key update`,
);

/** SQL: bytes that the channels owned by the account given as SQL store together. */
export function storedBytesOf(accountId: string): string {
  return (
    `(select coalesce(sum(counter_value('channel:storage', o.id)), ` +
    `0)::bigint from channels o where o.account_id = ${accountId})`
  );
}

/** SQL: bytes of files derived from the videos of the channels owned by the account given as SQL. */
export function derivedBytesOf(accountId: string): string {
  return (
    `(select coalesce(sum(counter_value('channel:derived-bytes', o.id)), ` +
    `0)::bigint from channels o where o.account_id = ${accountId})`
  );
}

/** SQL: the files these bytes are in. */
export function derivedFilesOf(accountId: string): string {
  return (
    `(select coalesce(sum(counter_value('channel:derived-files', o.id)), ` +
    `0)::bigint from channels o where o.account_id = ${accountId})`
  );
}

/** SQL: how many channels the account given as SQL owns; its test channel does not count. */
export function ownedChannelsOf(accountId: string): string {
  return `(select count(*) from channels o where o.account_id = ${accountId} and not o.is_test)`;
}

// A separate statement: it must see what previous holders of the lock have written.
const USAGE = sql(
  'owner_usage',
  `select ${ownedChannelsOf('$1')} as channels, ${storedBytesOf('$1')} as "storedBytes"`,
);

/**
 * The account that owns a channel, locked until the transaction ends, so that changes of its usage are serialized. Null
 * when there is no such channel.
 */
export async function lockOwnerOf(tx: Executor, channelId: string, nowMs: number): Promise<OwnerAccount | null> {
  return withUsage(tx, await tx.first<LockedRow>(LOCK_OWNER, [channelId]), nowMs);
}

/** As {@link lockOwnerOf}, for an account. */
export async function lockOwnerAccount(tx: Executor, accountId: string, nowMs: number): Promise<OwnerAccount | null> {
  return withUsage(tx, await tx.first<LockedRow>(LOCK_ACCOUNT, [accountId]), nowMs);
}

async function withUsage(tx: Executor, row: LockedRow | null, nowMs: number): Promise<OwnerAccount | null> {
  if (!row) return null;
  const usage = await tx.first<{ channels: number; storedBytes: number }>(USAGE, [row.accountId]);
  const limits = effectiveLimits({ ...row, accessUntilMs: instantMs(row.accessUntil) }, row.quotas, nowMs);
  return { accountId: row.accountId, limits, channels: usage?.channels ?? 0, storedBytes: usage?.storedBytes ?? 0 };
}
