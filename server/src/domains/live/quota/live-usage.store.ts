import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import type { BroadcastUsage } from './live-quota.policy.ts';
import { broadcastMsOf, openBroadcastsOf } from './live-quota.sql.ts';

const USAGE = sql(
  'broadcast_usage',
  `select ${openBroadcastsOf('$1')} as open, ${broadcastMsOf('$1', '$2::timestamptz')} as "usedMs"`,
);

/** What the channels of an account receive, and have received in the month of `nowIso`. */
export async function broadcastUsage(tx: Executor, accountId: string, nowIso: string): Promise<BroadcastUsage> {
  return (await tx.first<BroadcastUsage>(USAGE, [accountId, nowIso])) ?? { open: 0, usedMs: 0 };
}

const CHARGE = sql(
  'charge_broadcast',
  `insert into broadcast_charges (broadcast_id, account_id, month, duration_ms) values ($1, $2, $3, $4)
   on conflict (broadcast_id, account_id, month)
     do update set duration_ms = broadcast_charges.duration_ms + excluded.duration_ms`,
);

/** What of a broadcast counts for an account. `month` is its first day. */
export interface BroadcastCharge {
  readonly broadcastId: string;
  readonly accountId: string;
  readonly month: string;
  readonly durationMs: number;
}

/** Adds to what a broadcast has taken of the minutes of its channel's owner. */
export async function addBroadcastCharge(tx: Executor, charge: BroadcastCharge): Promise<void> {
  await tx.run(CHARGE, [charge.broadcastId, charge.accountId, charge.month, charge.durationMs]);
}
