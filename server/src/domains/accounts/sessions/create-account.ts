import { type AccountId, type ChannelId, newId } from '../../../kernel/ids.ts';
import type { Language } from '../../../kernel/languages/languages.ts';
import { isUniqueViolation, type Transaction } from '../../../platform/db/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import { type AccountInput, checkAccountInput } from '../account-input.policy.ts';
import { insertAccount } from '../accounts.store.ts';
import { insertKey } from '../keys/api-keys.store.ts';
import { newKeyFor } from '../keys/new-key.ts';
import { grantOperator } from '../operators/operator-code.ts';
import { hashPassword } from '../passwords/hash-password.ts';
import { assertPasswordStrong } from '../passwords/password-strength.ts';
import { saveSettings } from '../settings/profile.store.ts';
import { setSubscription } from '../subscriptions/change-subscription.ts';
import { requireDeveloperAccess } from '../subscriptions/require-developer-access.ts';
import type { OperatorSetting } from '../subscriptions/subscription.policy.ts';
import { assertNamesFree } from './assert-names-free.ts';

export interface CreatedAccount {
  readonly accountId: AccountId;
  readonly channelId: ChannelId;
  readonly email: string;
  readonly username: string;
  /** The API key, when one was requested. */
  readonly apiKey: string | null;
}

type Needs = Pick<Platform, 'db' | 'clock' | 'secrets'>;

interface Choices {
  /** What the same transaction does first; the account is not created when it fails. */
  readonly before?: (tx: Transaction) => Promise<void>;
  /** What it does once the account is there. */
  readonly after?: (tx: Transaction, accountId: AccountId) => Promise<void>;
  readonly subscription?: OperatorSetting | undefined;
  readonly apiKey?: boolean | undefined;
  readonly isOperator?: boolean | undefined;
}

interface CheckedAccount {
  readonly email: string;
  readonly username: string;
  readonly name: string;
  /** Null for an account that signs in without one. */
  readonly passwordHash: string | null;
  readonly emailVerified?: boolean;
  readonly invitationId?: string | null;
  /** Default: English. */
  readonly language?: Language | undefined;
}

/**
 * Makes an account for an operator, in one transaction with its channel, plan and API key; the person signs in with the
 * password as after a sign-up. Throws RESOURCE_ALREADY_EXISTS with the field that is taken, INVALID_INPUT for a value
 * that is not accepted, UNAUTHORIZED for a key on a plan without developer access. Nothing is left after a failure.
 */
export async function createAccount(platform: Needs, input: AccountInput & Choices): Promise<CreatedAccount> {
  const { password, ...names } = checkAccountInput({ ...input, name: input.name });
  await assertPasswordStrong(password, names);
  return storeAccount(platform, { ...names, passwordHash: await hashPassword(password) }, input);
}

/** The same with validated names and a hashed password, or none. */
export async function storeAccount(
  platform: Needs,
  account: CheckedAccount,
  choices: Choices,
): Promise<CreatedAccount> {
  const { email, username } = account;
  const nowMs = platform.clock.now();
  const accountId = newId<'account'>(nowMs);
  const channelId = newId<'channel'>(nowMs);
  try {
    return await platform.db.transaction(async (tx) => {
      await choices.before?.(tx);
      await assertNamesFree(tx, email, username);
      await insertAccount(tx, { ...account, id: accountId, channelId, nowMs, credentialId: newId(nowMs) });
      await choices.after?.(tx, accountId);
      if (account.language)
        await saveSettings(tx, accountId, { language: account.language }, new Date(nowMs).toISOString());
      if (choices.isOperator) await grantOperator(tx, account, accountId, nowMs);
      if (choices.subscription) await setSubscription(tx, accountId, choices.subscription, nowMs);
      if (!choices.apiKey) return { accountId, channelId, email, username, apiKey: null };
      await requireDeveloperAccess(tx, accountId, nowMs);
      const { key, stored } = newKeyFor(accountId, platform.secrets, nowMs);
      await insertKey(tx, stored);
      return { accountId, channelId, email, username, apiKey: key };
    });
  } catch (error) {
    // Two concurrent sign-ups may both find the name free; the unique index decides.
    if (isUniqueViolation(error)) await assertNamesFree(platform.db, email, username);
    throw error;
  }
}
