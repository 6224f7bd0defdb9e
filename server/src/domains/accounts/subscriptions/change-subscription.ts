import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../../kernel/errors.ts';
import type { AccountId } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import { lockSubscription, saveSubscription } from '../accounts.store.ts';
import {
  applyToSubscription,
  type OperatorSetting,
  type SubscriptionAction,
  type SubscriptionFacts,
  type SubscriptionOutcome,
  setByOperator,
} from './subscription.policy.ts';

type Needs = Pick<Platform, 'db' | 'clock'>;

/**
 * Applies one action of the lifecycle: actions of the account (start the trial, cancel, resume) and reports of a
 * payment provider. Throws INVALID_INPUT when the current state does not allow it.
 */
export async function changeSubscription(
  platform: Needs,
  accountId: AccountId,
  action: SubscriptionAction,
): Promise<SubscriptionFacts> {
  const nowMs = platform.clock.now();
  return platform.db.transaction((tx) =>
    store(tx, accountId, nowMs, (facts) => applyToSubscription(facts, action, nowMs)),
  );
}

/** Starts the 14-day trial, once per account. Throws INVALID_INPUT when it was used before or a paid plan is active. */
export async function startTrial(platform: Needs, accountId: AccountId): Promise<SubscriptionFacts> {
  return changeSubscription(platform, accountId, { name: 'startTrial' });
}

/** Sets plan and state for an operator, in the caller's transaction. Throws INVALID_INPUT for a contradiction. */
export async function setSubscription(
  tx: Transaction,
  accountId: AccountId,
  setting: OperatorSetting,
  nowMs: number,
): Promise<SubscriptionFacts> {
  return store(tx, accountId, nowMs, (facts) => setByOperator(facts, setting, nowMs));
}

async function store(
  tx: Transaction,
  accountId: AccountId,
  nowMs: number,
  decide: (facts: SubscriptionFacts) => SubscriptionOutcome,
): Promise<SubscriptionFacts> {
  const facts = await lockSubscription(tx, accountId);
  if (!facts) throw new AppError('RESOURCE_NOT_FOUND', t`There is no such account.`);
  const outcome = decide(facts);
  if (outcome.kind === 'refused')
    throw new AppError('INVALID_INPUT', outcome.reason, { suggestedFix: outcome.suggestedFix });
  if (!isDeepStrictEqual(facts, outcome.subscription))
    await saveSubscription(tx, accountId, outcome.subscription, nowMs);
  return outcome.subscription;
}
