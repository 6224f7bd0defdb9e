import type { AppError } from '../../../kernel/errors.ts';
import type { Language } from '../../../kernel/languages/languages.ts';
import { t } from '../../../kernel/languages/message.ts';
import { queueMail } from '../../../platform/mail/mail.ts';
import type { Platform } from '../../../platform/platform.ts';
import { checkUsername } from '../account-input.policy.ts';
import { findAccount } from '../accounts.store.ts';
import { linkEnded, mailTokenHash, newMailToken } from '../mail-token.ts';
import { assertInvitationUsable } from '../operators/invitation.policy.ts';
import { findInvitation } from '../operators/invitations.store.ts';
import { hashPassword } from '../passwords/hash-password.ts';
import { type CreatedAccount, storeAccount } from '../sessions/create-account.ts';
import type { SignUpRequest } from '../sessions/sign-up.ts';
import { knownAddressMail, signUpMail } from './confirmation-mails.ts';
import { findPendingSignUp, insertPendingSignUp, usePendingSignUp } from './pending-sign-ups.store.ts';

type Needs = Pick<Platform, 'config' | 'db' | 'clock' | 'secrets' | 'jobs'>;

/** How long a link works. */
const LINK_MS = 24 * 3_600_000;

/**
 * Sends a link to the address that completes the sign-up, or the message that there is an account: only the owner of
 * the address learns which. No account exists until the link is opened.
 */
export async function requestSignUp(
  platform: Needs,
  { password, invitationId, ...names }: SignUpRequest,
  language: Language,
): Promise<void> {
  const { db, clock, config } = platform;
  const passwordHash = await hashPassword(password);
  const known = await findAccount(db, { email: names.email });
  const nowMs = clock.now();
  const expiresAtMs = nowMs + LINK_MS;
  await db.transaction(async (tx) => {
    if (known) return queueMail(platform, tx, knownAddressMail(known, `${config.BASE_URL}/sign-in`));
    const { token, tokenHash } = newMailToken(platform, 'sign-up');
    await insertPendingSignUp(tx, {
      ...names,
      ...{ tokenHash, passwordHash, invitationId: invitationId ?? null, createdAtMs: nowMs, expiresAtMs },
    });
    const mail = signUpMail(names, `${config.BASE_URL}/confirm-sign-up#token=${token}`);
    await queueMail(platform, tx, { ...mail, language }, expiresAtMs);
  });
}

interface SignUpConfirmation {
  readonly token: string;
  /** Another username, where the one of the sign-up was taken meanwhile. */
  readonly username: unknown;
  /** Of the account. */
  readonly language?: Language;
}

/**
 * Creates the account that a link is for, with a confirmed address.
 * @throws AppError INVALID_INPUT (field `token`) when the link was used, has expired or never existed, or when its
 *   invitation cannot be used any more; RESOURCE_ALREADY_EXISTS (field `username`): the link then still works.
 */
export async function confirmSignUp(
  platform: Needs,
  { token, username, language }: SignUpConfirmation,
): Promise<CreatedAccount> {
  const { db, clock } = platform;
  const tokenHash = await mailTokenHash(platform, 'sign-up', token);
  const signUp = await findPendingSignUp(db, tokenHash, clock.now());
  if (!signUp) throw linkEnded(t`Sign up again, or sign in if you opened the link before.`);
  const { invitationId, ...account } = signUp;
  if (invitationId !== null)
    assertInvitationUsable(await findInvitation(db, { id: invitationId }), signUp.email, clock.now());
  const chosen = username === undefined ? account : { ...account, username: checkUsername(username) };
  return storeAccount(
    platform,
    { ...chosen, emailVerified: true, invitationId, language },
    {
      before: async (tx) => {
        if (!(await usePendingSignUp(tx, tokenHash))) throw usedMeanwhile();
      },
    },
  );
}

function usedMeanwhile(): AppError {
  return linkEnded(t`Sign in: the link was opened a moment ago.`);
}
