import { AppError } from '../../../kernel/errors.ts';
import type { AccountId } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Platform } from '../../../platform/platform.ts';
import { requireDeveloperAccess } from '../subscriptions/require-developer-access.ts';
import { insertKey } from './api-keys.store.ts';
import { newKeyFor } from './new-key.ts';

/**
 * Generates the account's API key and returns it. Throws UNAUTHORIZED when the account has no developer access and
 * RESOURCE_ALREADY_EXISTS when it has a key. Spec: "API key lifecycle", no key -> key active.
 */
export async function generateApiKey(
  platform: Pick<Platform, 'db' | 'clock' | 'secrets'>,
  accountId: AccountId,
): Promise<string> {
  const nowMs = platform.clock.now();
  return platform.db.transaction(async (tx) => {
    await requireDeveloperAccess(tx, accountId, nowMs);
    const { key, stored } = newKeyFor(accountId, platform.secrets, nowMs);
    if (await insertKey(tx, stored)) return key;
    throw new AppError('RESOURCE_ALREADY_EXISTS', t`This account has an API key already.`, {
      suggestedFix: t`Reveal and copy the key in Developer Settings; regenerate it if it may be known to others.`,
    });
  });
}
