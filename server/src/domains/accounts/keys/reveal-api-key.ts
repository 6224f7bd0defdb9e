import { AppError } from '../../../kernel/errors.ts';
import type { AccountId } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Platform } from '../../../platform/platform.ts';
import { readSealedKey } from './api-keys.store.ts';

/**
 * The account's current API key, at any time (spec: "It can be revealed and copied again"), also while the
 * subscription has lapsed. Throws RESOURCE_NOT_FOUND when there is none or SECRET_KEY has changed since it was created.
 */
export async function revealApiKey(platform: Pick<Platform, 'db' | 'secrets'>, accountId: AccountId): Promise<string> {
  const sealed = await readSealedKey(platform.db, accountId);
  if (!sealed)
    throw new AppError('RESOURCE_NOT_FOUND', t`This account has no API key.`, {
      suggestedFix: t`Generate one in Developer Settings.`,
    });
  try {
    return platform.secrets.open('api-key-seal', sealed);
  } catch (cause) {
    throw new AppError(
      'RESOURCE_NOT_FOUND',
      t`This API key was created under another SECRET_KEY and can no longer be decrypted.`,
      {
        cause,
        suggestedFix: t`Regenerate the key in Developer Settings, or run the server with the SECRET_KEY it had.`,
      },
    );
  }
}
