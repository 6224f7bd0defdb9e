import { AppError } from '../../../kernel/errors.ts';
import type { AccountId } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Platform } from '../../../platform/platform.ts';
import { findPasswordHash } from '../accounts.store.ts';
import type { Attempts } from '../attempts/attempts.ts';
import { isPassword } from './hash-password.ts';

/**
 * Checks the password of a signed-in account before a step that cannot be taken by a session alone.
 * @throws AppError FIELD_REQUIRED or INVALID_INPUT (field `password`), RATE_LIMIT_EXCEEDED after too many attempts.
 */
export async function provePassword(
  { db }: Pick<Platform, 'db'>,
  attempts: Attempts,
  accountId: AccountId,
  password: unknown,
): Promise<void> {
  if (typeof password !== 'string' || password === '')
    throw new AppError('FIELD_REQUIRED', t`password is missing.`, { field: 'password' });
  const attempt = await attempts.passwordChange(accountId);
  if (!(await isPasswordOf({ db }, accountId, password)))
    throw new AppError('INVALID_INPUT', t`The password is wrong.`, {
      field: 'password',
      suggestedFix: t`Type the password you signed in with.`,
    });
  await attempt.succeeded();
}

/** Whether this is the password of the account; not counted as an attempt. */
export async function isPasswordOf(
  { db }: Pick<Platform, 'db'>,
  accountId: AccountId,
  password: string,
): Promise<boolean> {
  const hash = await findPasswordHash(db, accountId);
  return hash !== null && (await isPassword(hash, password));
}
