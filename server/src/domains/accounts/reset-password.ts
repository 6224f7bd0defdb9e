import { type AccountId, newId } from '../../kernel/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { checkPassword } from './account-input.policy.ts';
import { replacePassword } from './accounts.store.ts';
import { hashPassword } from './hash-password.ts';

/** Replaces the account's password and ends its sessions, in one transaction. Throws INVALID_INPUT for an unfit password. */
export async function resetPassword(platform: Pick<Platform, 'db'>, accountId: AccountId, password: string): Promise<void> {
  const hash = await hashPassword(checkPassword(password));
  await platform.db.transaction((tx) => replacePassword(tx, accountId, newId(), hash));
}
