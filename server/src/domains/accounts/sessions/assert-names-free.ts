import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { namesTaken } from '../accounts.store.ts';

/**
 * Throws RESOURCE_ALREADY_EXISTS, naming the field, when the email address or the username (also as a channel's
 * handle) is in use.
 */
export async function assertNamesFree(db: Executor, email: string, username: string): Promise<void> {
  const taken = await namesTaken(db, email, username);
  if (taken.email) {
    throw new AppError('RESOURCE_ALREADY_EXISTS', t`There is an account with this email address.`, {
      field: 'email',
      suggestedFix: t`Sign in with it, or use another address.`,
    });
  }
  if (taken.username) {
    throw new AppError('RESOURCE_ALREADY_EXISTS', t`This username is taken.`, {
      field: 'username',
      suggestedFix: t`Choose another username.`,
    });
  }
}
