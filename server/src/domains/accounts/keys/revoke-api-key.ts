import type { AccountId } from '../../../kernel/ids.ts';
import type { Platform } from '../../../platform/platform.ts';
import { deleteKey } from './api-keys.store.ts';

/**
 * Removes the account's API key; it is refused on every instance from now on. Resolves to false when there was none.
 */
export async function revokeApiKey(platform: Pick<Platform, 'db'>, accountId: AccountId): Promise<boolean> {
  return deleteKey(platform.db, accountId);
}
