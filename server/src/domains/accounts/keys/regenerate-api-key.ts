import { AppError } from '../../../kernel/errors.ts';
import type { AccountId } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Platform } from '../../../platform/platform.ts';
import { requireDeveloperAccess } from '../subscriptions/require-developer-access.ts';
import { replaceKey } from './api-keys.store.ts';
import { newKeyFor } from './new-key.ts';

/**
 * Replaces the account's API key and returns the new one. Every request looks the key up, so the old one is refused on
 * every instance once this resolves. Throws UNAUTHORIZED without developer access and RESOURCE_NOT_FOUND when there is
 * no key to replace.
 */
export async function regenerateApiKey(
  platform: Pick<Platform, 'db' | 'clock' | 'secrets'>,
  accountId: AccountId,
): Promise<string> {
  const nowMs = platform.clock.now();
  return platform.db.transaction(async (tx) => {
    await requireDeveloperAccess(tx, accountId, nowMs);
    const { key, stored } = newKeyFor(accountId, platform.secrets, nowMs);
    if (await replaceKey(tx, stored)) return key;
    throw new AppError('RESOURCE_NOT_FOUND', t`This account has no API key to replace.`, {
      suggestedFix: t`Generate one in Developer Settings.`,
    });
  });
}
