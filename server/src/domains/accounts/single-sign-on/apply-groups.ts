import type { AccountId } from '../../../kernel/ids.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import { lockSubscription } from '../accounts.store.ts';
import { DEMO_EMAIL } from '../operators/operator.policy.ts';
import { setOperator } from '../operators/operators.store.ts';
import { isCharged } from '../payments/payments.store.ts';
import { setSubscription } from '../subscriptions/change-subscription.ts';
import { listGrants, lockAccountOfGrants, saveGrant } from './grants.store.ts';
import { type Given, plansByGroup, together } from './group.policy.ts';

type Needs = Pick<Platform, 'db' | 'clock' | 'log'>;

/**
 * Gives an account what its groups at an issuer give, and takes what they gave before and do not give any more. What
 * the account has for another reason stays: the role from an operator code or a command, a plan that was set or is paid
 * for. `paused`: the provider has not confirmed this for a while, so the role is taken until it does.
 */
export async function applyGroups(
  { db, clock, log }: Needs,
  accountId: AccountId,
  issuer: string,
  given: Given,
  { paused = false }: { readonly paused?: boolean } = {},
): Promise<void> {
  const nowMs = clock.now();
  const nowIso = new Date(nowMs).toISOString();
  await db.transaction(async (tx) => {
    const account = await lockAccountOfGrants(tx, accountId);
    if (!account) return;
    const grants = await listGrants(tx, accountId);
    const before = together(grants);
    const hasRoleAnyway = account.isOperator && !before.isOperator;
    const isOperator = given.isOperator && !hasRoleAnyway && account.email.toLowerCase() !== DEMO_EMAIL;
    const others = grants.filter((grant) => grant.issuer !== issuer);
    const after = together([...others, { isOperator: isOperator && !paused, plan: given.plan }]);
    const followsPlan = await applyPlan(tx, accountId, before.plan, after.plan, nowMs);
    const plan = followsPlan ? given.plan : null;
    await saveGrant(tx, accountId, { issuer, isOperator, plan, paused: isOperator && paused }, nowIso);
    const hasRole = hasRoleAnyway || after.isOperator;
    if (hasRole === account.isOperator) return;
    await setOperator(tx, accountId, hasRole, nowIso);
    log.info({ accountId, issuer, isOperator: hasRole }, 'The operator role follows the groups of a provider.');
  });
}

/** Whether the plan follows groups; sets it where it does. */
async function applyPlan(
  tx: Transaction,
  accountId: AccountId,
  before: Given['plan'],
  after: Given['plan'],
  nowMs: number,
): Promise<boolean> {
  if (before === null && after === null) return false;
  const facts = await lockSubscription(tx, accountId);
  if (!facts || !plansByGroup(facts, before, nowMs) || (await isCharged(tx, accountId))) return false;
  if (after !== before) await setSubscription(tx, accountId, { plan: after ?? 'FREE', state: 'ACTIVE' }, nowMs);
  return true;
}
