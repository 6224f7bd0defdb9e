import { newId } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { queueMail } from '../../../platform/mail/mail.ts';
import type { Platform } from '../../../platform/platform.ts';
import { checkPassword } from '../account-input.policy.ts';
import { type AccountRecord, findAccount, replacePassword } from '../accounts.store.ts';
import type { Attempts } from '../attempts/attempts.ts';
import { linkEnded, mailTokenHash, newMailToken } from '../mail-token.ts';
import { hashPassword } from '../passwords/hash-password.ts';
import { assertPasswordStrong } from '../passwords/password-strength.ts';
import { findReset, insertReset, useReset } from './password-resets.store.ts';
import { passwordChangedMail, resetMail } from './recovery-mails.ts';

export type RecoveryNeeds = Pick<Platform, 'config' | 'db' | 'clock' | 'secrets' | 'jobs'>;

/** How long a link works. */
const LINK_MS = 3_600_000;
const ANOTHER = t`Request another link; it works for an hour.`;

/**
 * Sends a link that resets the password to the address, if an account has it; callers do not learn whether one does.
 * The link and the message are stored together, so that an accepted request is not lost.
 */
export async function requestPasswordReset(platform: RecoveryNeeds, email: string): Promise<void> {
  const account = await findAccount(platform.db, { email });
  if (account) await platform.db.transaction((tx) => sendPasswordReset(platform, tx, account));
}

/** Sends a link that resets the password of the account, in the caller's transaction. Earlier ones end. */
export async function sendPasswordReset(
  platform: RecoveryNeeds,
  tx: Transaction,
  account: Pick<AccountRecord, 'id' | 'email' | 'username'>,
): Promise<void> {
  const nowMs = platform.clock.now();
  const { token, tokenHash } = newMailToken(platform, 'password-reset');
  const expiresAtMs = nowMs + LINK_MS;
  await insertReset(tx, { tokenHash, accountId: account.id, createdAtMs: nowMs, expiresAtMs });
  // After #, the token reaches neither logs of servers nor the Referer header.
  const url = `${platform.config.BASE_URL}/reset-password#token=${token}`;
  await queueMail(platform, tx, resetMail(account, url), expiresAtMs);
}

/**
 * Replaces the password of the account that the link is for, ends its sessions and tells it by mail.
 * @throws AppError INVALID_INPUT (field `token`) when the link was used, has expired or never existed, and (field
 *   `newPassword`) for a password that is too short or too easy to guess; the link then still works.
 */
export async function resetPasswordByMail(
  platform: RecoveryNeeds,
  attempts: Pick<Attempts, 'forgive'>,
  { token, password }: { readonly token: string; readonly password: unknown },
): Promise<void> {
  const newPassword = checkPassword(password, 'newPassword');
  const tokenHash = await mailTokenHash(platform, 'password-reset', token);
  const account = await findReset(platform.db, tokenHash, platform.clock.now());
  if (!account) throw linkEnded(ANOTHER);
  await assertPasswordStrong(newPassword, account, 'newPassword');
  const hash = await hashPassword(newPassword);
  await platform.db.transaction(async (tx) => {
    if (!(await useReset(tx, tokenHash, platform.clock.now()))) throw linkEnded(ANOTHER);
    await replacePassword(tx, account.id, newId(), hash);
    await queueMail(platform, tx, changedMail(platform, account));
  });
  await attempts.forgive(account);
}

/** Tells an account that its password was changed. */
export async function tellPasswordChanged(
  platform: RecoveryNeeds,
  account: Pick<AccountRecord, 'email' | 'username'>,
): Promise<void> {
  await platform.db.transaction((tx) => queueMail(platform, tx, changedMail(platform, account)));
}

function changedMail({ config }: Pick<Platform, 'config'>, account: Pick<AccountRecord, 'email' | 'username'>) {
  return passwordChangedMail(account, `${config.BASE_URL}/forgot-password`);
}
