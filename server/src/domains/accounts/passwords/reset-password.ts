import { newId } from '../../../kernel/ids.ts';
import type { Platform } from '../../../platform/platform.ts';
import { checkPassword } from '../account-input.policy.ts';
import { type AccountRecord, replacePassword } from '../accounts.store.ts';
import { hashPassword } from './hash-password.ts';
import { assertPasswordStrong } from './password-strength.ts';

/**
 * Replaces the account's password and ends its sessions, in one transaction. Throws INVALID_INPUT for a password that
 * is too short or too easy to guess.
 */
export async function resetPassword(
  platform: Pick<Platform, 'db'>,
  account: Pick<AccountRecord, 'id' | 'email' | 'username'>,
  password: string,
): Promise<void> {
  await assertPasswordStrong(checkPassword(password), account);
  const hash = await hashPassword(password);
  await platform.db.transaction((tx) => replacePassword(tx, account.id, newId(), hash));
}
