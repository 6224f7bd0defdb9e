import { AppError } from '../../../kernel/errors.ts';
import type { AccountId } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { Attempts } from '../attempts/attempts.ts';
import { provePassword } from '../passwords/prove-password.ts';
import { applyGroups } from './apply-groups.ts';
import { NOTHING_GIVEN } from './group.policy.ts';
import { unlinkIdentity } from './oidc-identities.store.ts';
import { endSessionsOf } from './oidc-sessions.store.ts';

/**
 * Unlinks an identity from its account, which loses what its groups gave, and ends the sessions that began with it.
 * @throws AppError FIELD_REQUIRED or INVALID_INPUT (field `password`) without the right password, by which the account
 *   can sign in afterwards; RESOURCE_NOT_FOUND when the account has no such identity.
 */
export async function unlinkProvider(
  platform: Pick<Platform, 'db' | 'clock' | 'log'>,
  attempts: Attempts,
  accountId: AccountId,
  { id, password }: { readonly id: string; readonly password: unknown },
): Promise<void> {
  await provePassword(platform, attempts, accountId, password);
  const identity = await platform.db.transaction(async (tx) => {
    const unlinked = UUID.test(id) ? await unlinkIdentity(tx, accountId, id) : null;
    if (unlinked) await endSessionsOf(tx, unlinked.issuer, { subject: unlinked.subject, providerSession: null });
    return unlinked;
  });
  if (!identity) throw new AppError('RESOURCE_NOT_FOUND', t`This account has no such identity.`, { field: 'id' });
  await applyGroups(platform, accountId, identity.issuer, NOTHING_GIVEN);
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
