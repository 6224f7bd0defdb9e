import { AppError } from '../../../kernel/errors.ts';
import type { AccountId } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { lockSubscription } from '../accounts.store.ts';
import { developerAccess } from './developer-access.policy.ts';
import { accessUntilMs, isTrialAvailable } from './subscription.policy.ts';

/**
 * Throws UNAUTHORIZED with a reason and a suggested fix unless the account has developer access now. The subscription
 * stays locked.
 */
export async function requireDeveloperAccess(tx: Transaction, accountId: AccountId, nowMs: number): Promise<void> {
  const facts = await lockSubscription(tx, accountId);
  if (!facts) throw new AppError('UNAUTHENTICATED', t`This account does not exist any more.`);
  const access = developerAccess(
    { ...facts, accessUntilMs: accessUntilMs(facts) },
    nowMs,
    isTrialAvailable(facts, nowMs),
  );
  if (!access.eligible) throw new AppError('UNAUTHORIZED', access.reason, { suggestedFix: access.howToBecomeEligible });
}
