import type { AccountId } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

/** Days for which an action of an operator is kept. */
const KEPT_DAYS = 730;

/** An account that an operator is about to change, locked. */
export interface AdministeredAccount {
  readonly id: AccountId;
  readonly username: string;
  readonly email: string;
  readonly isOperator: boolean;
  readonly isSuspended: boolean;
}

export type OperatorActionKind = 'ACCOUNT_SUSPENDED' | 'ACCOUNT_REINSTATED' | 'PLAN_SET' | 'PASSWORD_RESET_SENT';

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
const NOTE = sql(
  'insert_operator_action',
  `insert into operator_actions (id, at, operator_id, operator_name, action, account_id, account_name, details)
   select $1, $2, o.id, o.username, $4, a.id, a.username, $6 from accounts o, accounts a where o.id = $3 and a.id = $5`,
);
const FORGET = sql(
  'delete_old_operator_actions',
  `delete from operator_actions where at < $1::timestamptz - make_interval(days => ${KEPT_DAYS})`,
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

export async function insertAction(
  tx: Executor,
  action: {
    readonly id: string;
    readonly nowIso: string;
    readonly operatorId: string;
    readonly kind: OperatorActionKind;
    readonly accountId: AccountId;
    readonly details: string;
  },
): Promise<void> {
  const { id, nowIso, operatorId, kind, accountId, details } = action;
  await tx.run(NOTE, [id, nowIso, operatorId, kind, accountId, details]);
}

export async function forgetActions(db: Executor, nowIso: string): Promise<void> {
  await db.run(FORGET, [nowIso]);
}
