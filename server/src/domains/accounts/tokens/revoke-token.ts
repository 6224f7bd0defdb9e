import { AppError } from '../../../kernel/errors.ts';
import type { AccountId } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Platform } from '../../../platform/platform.ts';
import { deleteToken } from './tokens.store.ts';

/**
 * Removes a token of the account; it is refused on every instance from now on. Throws RESOURCE_NOT_FOUND for any other.
 */
export async function revokeToken(
  { db }: Pick<Platform, 'db'>,
  accountId: AccountId,
  id: string,
  field = 'id',
): Promise<void> {
  if (await deleteToken(db, accountId, id)) return;
  throw new AppError('RESOURCE_NOT_FOUND', t`The account has no such token; it may have been revoked already.`, {
    field,
    suggestedFix: t`Use an identifier from tokens.`,
  });
}
