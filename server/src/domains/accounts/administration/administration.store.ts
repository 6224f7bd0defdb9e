import type { AccountId } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

/** An account that an operator is about to change, locked. */
export interface AdministeredAccount {
  readonly id: AccountId;
  readonly username: string;
  readonly email: string;
  readonly isOperator: boolean;
  readonly isSuspended: boolean;
}

const LOCK = sql(
  'lock_account_for_operator',
  `select id, username, email, is_operator as "isOperator", suspended_at is not null as "isSuspended"
   from accounts where id = $1 for update`,
);
const SUSPEND = sql(
  'suspend_account',
  'update accounts set suspended_at = $2, suspension_reason = $3, updated_at = $2 where id = $1',
);
const REINSTATE = sql(
  'reinstate_account',
  'update accounts set suspended_at = null, suspension_reason = null, updated_at = $2 where id = $1',
);
export function lockAccount(tx: Executor, id: string): Promise<AdministeredAccount | null> {
  return tx.first<AdministeredAccount>(LOCK, [id]);
}

export async function markSuspended(tx: Executor, id: AccountId, reason: string, nowIso: string): Promise<void> {
  await tx.run(SUSPEND, [id, nowIso, reason]);
}

export async function markReinstated(tx: Executor, id: AccountId, nowIso: string): Promise<void> {
  await tx.run(REINSTATE, [id, nowIso]);
}
