import type { AccountId } from '../../../kernel/ids.ts';
import type { PlanCode } from '../../../kernel/plans.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import type { Given } from './group.policy.ts';

const LOCK = sql(
  'lock_account_of_grants',
  'select is_operator as "isOperator", email from accounts where id = $1 for update',
);
const LIST = sql(
  'oidc_grants_of_account',
  'select issuer, is_operator and not paused as "isOperator", plan from oidc_grants where account_id = $1',
);
const SAVE = sql(
  'save_oidc_grant',
  `insert into oidc_grants (account_id, issuer, is_operator, plan, paused, confirmed_at)
     values ($1, $2, $3, $4, $5, $6)
   on conflict (account_id, issuer) do update set is_operator = excluded.is_operator, plan = excluded.plan,
     paused = excluded.paused,
     confirmed_at = case when excluded.paused then oidc_grants.confirmed_at else excluded.confirmed_at end`,
);
const DELETE = sql('delete_oidc_grant', 'delete from oidc_grants where account_id = $1 and issuer = $2');
const UNCONFIRMED = sql(
  'unconfirmed_oidc_operators',
  `select account_id as "accountId", issuer, plan from oidc_grants
   where is_operator and not paused and confirmed_at <= $1 order by confirmed_at limit 100`,
);

export interface Grant extends Given {
  readonly issuer: string;
}

/** The account, locked until the transaction ends; null when it was deleted. */
export function lockAccountOfGrants(
  tx: Executor,
  accountId: AccountId,
): Promise<{ readonly isOperator: boolean; readonly email: string } | null> {
  return tx.first(LOCK, [accountId]);
}

/** What groups give the account now, by issuer. */
export function listGrants(tx: Executor, accountId: AccountId): Promise<Grant[]> {
  return tx.run<Grant>(LIST, [accountId]);
}

/** Stores what the groups at an issuer give; nothing is no row. */
export async function saveGrant(
  tx: Executor,
  accountId: AccountId,
  { issuer, isOperator, plan, paused }: Grant & { readonly paused: boolean },
  nowIso: string,
): Promise<void> {
  if (isOperator || plan !== null) await tx.run(SAVE, [accountId, issuer, isOperator, plan, paused, nowIso]);
  else await tx.run(DELETE, [accountId, issuer]);
}

export interface UnconfirmedOperator {
  readonly accountId: AccountId;
  readonly issuer: string;
  readonly plan: PlanCode | null;
}

/** Operators by their groups whom no provider has confirmed since. */
export function listUnconfirmedOperators(db: Executor, confirmedBeforeIso: string): Promise<UnconfirmedOperator[]> {
  return db.run<UnconfirmedOperator>(UNCONFIRMED, [confirmedBeforeIso]);
}
