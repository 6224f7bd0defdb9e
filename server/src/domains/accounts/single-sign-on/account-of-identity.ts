import { AppError } from '../../../kernel/errors.ts';
import { type AccountId, newId } from '../../../kernel/ids.ts';
import type { Language } from '../../../kernel/languages/languages.ts';
import { t } from '../../../kernel/languages/message.ts';
import { isUniqueViolation } from '../../../platform/db/database.ts';
import { readInstance } from '../../../platform/instance/instance-settings.ts';
import type { Platform } from '../../../platform/platform.ts';
import { checkEmail, displayNameFrom } from '../account-input.policy.ts';
import { findSignInRefusal } from '../accounts.store.ts';
import type { Attempts } from '../attempts/attempts.ts';
import { assertMaySignUp } from '../operators/invitation.policy.ts';
import { requireInvitation } from '../operators/invitations.ts';
import { storeAccount } from '../sessions/create-account.ts';
import { suspensionOf } from '../suspension/suspension.store.ts';
import { suspended } from '../suspension/suspension.ts';
import type { Identity } from './identity.ts';
import { findByEmail, findByIdentity, type KnownAccount, linkIdentity } from './oidc-identities.store.ts';
import { freeUsername } from './username.ts';

type Needs = Pick<Platform, 'config' | 'db' | 'clock' | 'secrets' | 'log'>;

export interface SignInContext {
  /** Name of the provider for people. */
  readonly label: string;
  readonly invitation: string | null;
  readonly clientAddress: string;
  /** Of a new account. */
  readonly language: Language;
}

/**
 * The account that signs in with an identity: the one it is linked to, else the one with its address, to which it is
 * linked then, else a new one. Nothing changes when it throws.
 * @throws AppError UNAUTHORIZED when the provider has not verified the address, or sign-up is closed or needs an
 *   invitation; RESOURCE_ALREADY_EXISTS when the account with the address must link the identity itself;
 *   ACCOUNT_SUSPENDED, or INVALID_INPUT for an account that is going to be deleted.
 */
export async function accountOfIdentity(
  platform: Needs,
  attempts: Attempts,
  identity: Identity,
  context: SignInContext,
): Promise<AccountId> {
  const { db } = platform;
  const linked = await findByIdentity(db, identity);
  if (linked) {
    await assertMaySignIn(platform, linked.id);
    return linked.id;
  }
  const email = verifiedEmail(identity, context.label);
  const owner = await findByEmail(db, email);
  if (!owner) return signUpWith(platform, attempts, { ...identity, email }, context);
  await assertMaySignIn(platform, owner.id);
  assertLinkable(owner, context.label);
  await storeLink(platform, owner.id, identity, context.label);
  return owner.id;
}

/** Links an identity to the signed-in account. Throws RESOURCE_ALREADY_EXISTS when another account has it. */
export async function storeLink(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  accountId: AccountId,
  identity: Identity,
  label: string,
): Promise<void> {
  const nowMs = clock.now();
  try {
    await linkIdentity(db, newId(nowMs), accountId, identity, new Date(nowMs).toISOString());
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const linked = await findByIdentity(db, identity);
    if (linked?.id === accountId) return;
    throw new AppError('RESOURCE_ALREADY_EXISTS', t`This account at ${label} signs in to another account here.`, {
      suggestedFix: t`Unlink it there first, or use another account at ${label}.`,
      cause: error,
    });
  }
}

async function assertMaySignIn({ db, config }: Needs, accountId: AccountId): Promise<void> {
  const refusal = await findSignInRefusal(db, accountId);
  if (refusal === 'SUSPENDED') throw suspended(await suspensionOf(db, accountId), config.CONTACT);
  if (refusal === 'CLOSED')
    throw new AppError('INVALID_INPUT', t`This account is going to be deleted.`, {
      suggestedFix: t`To keep it, sign in with its email address and its password; without one, reset the password
        first.`,
    });
}

function verifiedEmail({ email, isEmailVerified }: Identity, label: string): string {
  if (email !== null && isEmailVerified) return checkEmail(email);
  throw new AppError('UNAUTHORIZED', t`${label} does not confirm your email address.`, {
    suggestedFix: t`Verify your address at ${label}, or sign in in another way and link ${label} in the security
      settings.`,
  });
}

/** An address that nobody has confirmed may be that of someone else; a second factor asks for more than an address. */
function assertLinkable({ isEmailConfirmed, hasSecondFactor }: KnownAccount, label: string): void {
  if (isEmailConfirmed && !hasSecondFactor) return;
  throw new AppError('RESOURCE_ALREADY_EXISTS', t`There is an account with your email address.`, {
    field: 'email',
    suggestedFix: t`Sign in to it as before, then link ${label} in the security settings.`,
  });
}

async function signUpWith(
  platform: Needs,
  attempts: Attempts,
  identity: Identity & { readonly email: string },
  { invitation, clientAddress, language }: Omit<SignInContext, 'label'>,
): Promise<AccountId> {
  assertMaySignUp((await readInstance(platform)).signUp, invitation);
  await attempts.signUp(clientAddress);
  const { email } = identity;
  const invitationId = invitation === null ? null : await requireInvitation(platform, invitation, email);
  const username = await freeUsername(platform.db, identity.nicknames);
  const name = displayNameFrom(identity.name, username);
  const nowMs = platform.clock.now();
  try {
    const { accountId } = await storeAccount(
      platform,
      { email, username, name, passwordHash: null, emailVerified: true, invitationId, language },
      { after: (tx, id) => linkIdentity(tx, newId(nowMs), id, identity, new Date(nowMs).toISOString()) },
    );
    return accountId;
  } catch (error) {
    // The same person may sign up in two tabs at the same time.
    const other = await findByIdentity(platform.db, identity);
    if (!other) throw error;
    return other.id;
  }
}
