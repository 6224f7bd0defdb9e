import { hashPassword } from 'better-auth/crypto';
import { type AccountId, type ChannelId, newId } from '../../kernel/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { type AccountInput, checkAccountInput } from './account-input.policy.ts';
import { insertAccount } from './accounts.store.ts';
import { insertKey } from './api-keys.store.ts';
import { setSubscription } from './change-subscription.ts';
import { assertNamesFree } from './names-free.ts';
import { newKeyFor } from './new-key.ts';
import { requireDeveloperAccess } from './require-developer-access.ts';
import type { OperatorSetting } from './subscription.policy.ts';

export interface CreatedAccount {
  readonly accountId: AccountId;
  readonly channelId: ChannelId;
  readonly email: string;
  readonly username: string;
  /** The API key, when one was asked for. */
  readonly apiKey: string | null;
}

/**
 * Makes an account for an operator, in one transaction with its channel, plan and API key; the person signs in with
 * the password as after a sign-up. Throws RESOURCE_ALREADY_EXISTS with the field that is taken, INVALID_INPUT for a
 * value that is not accepted, UNAUTHORIZED for a key on a plan without developer access. Nothing is left after a failure.
 */
export async function createAccount(
  platform: Pick<Platform, 'db' | 'clock' | 'secrets'>,
  input: AccountInput & { readonly subscription?: OperatorSetting | undefined; readonly apiKey?: boolean | undefined },
): Promise<CreatedAccount> {
  const { email, username, password, name } = checkAccountInput({ ...input, name: input.name });
  const passwordHash = await hashPassword(password);
  const nowMs = platform.clock.now();
  const accountId = newId<'account'>(nowMs);
  const channelId = newId<'channel'>(nowMs);
  try {
    return await platform.db.transaction(async (tx) => {
      await assertNamesFree(tx, email, username);
      await insertAccount(tx, { id: accountId, channelId, email, username, name, nowMs, credentialId: newId(nowMs), passwordHash });
      if (input.subscription) await setSubscription(tx, accountId, input.subscription, nowMs);
      if (!input.apiKey) return { accountId, channelId, email, username, apiKey: null };
      await requireDeveloperAccess(tx, accountId, nowMs);
      const { key, stored } = newKeyFor(accountId, platform.secrets, nowMs);
      await insertKey(tx, stored);
      return { accountId, channelId, email, username, apiKey: key };
    });
  } catch (error) {
    // Two accounts made at the same time may both find the name free; the unique index decides.
    if (isUniqueViolation(error)) await assertNamesFree(platform.db, email, username);
    throw error;
  }
}

function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505';
}
