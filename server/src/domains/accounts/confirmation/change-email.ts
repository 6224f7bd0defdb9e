import { AppError } from '../../../kernel/errors.ts';
import type { Language } from '../../../kernel/languages/languages.ts';
import { t } from '../../../kernel/languages/message.ts';
import { isUniqueViolation, type Transaction } from '../../../platform/db/database.ts';
import { queueMail } from '../../../platform/mail/mail.ts';
import type { Platform } from '../../../platform/platform.ts';
import { type AccountRecord, namesTaken } from '../accounts.store.ts';
import type { Attempts } from '../attempts/attempts.ts';
import { linkEnded, mailTokenHash, newMailToken } from '../mail-token.ts';
import { provePassword } from '../passwords/prove-password.ts';
import { endResets } from '../recovery/password-resets.store.ts';
import { addressChangedMail, confirmAddressMail, takenAddressMail } from './confirmation-mails.ts';
import { insertConfirmation, setEmail, useConfirmation } from './email-confirmations.store.ts';

type Needs = Pick<Platform, 'config' | 'db' | 'clock' | 'secrets' | 'jobs'>;

/** How long a link works. */
const LINK_MS = 24 * 3_600_000;

interface AddressChange {
  readonly email: string;
  readonly password: unknown;
  /** Of messages to addresses without an account. */
  readonly language: Language;
}

/**
 * Changes the address of an account. Where mail reaches people, the new address gets a link and the change happens
 * when it is opened; elsewhere it happens now. The message to the address before is queued with the change.
 * @returns Whether a link was sent.
 * @throws AppError INVALID_INPUT (field `password`) for a wrong password, RATE_LIMIT_EXCEEDED after too many,
 *   RESOURCE_ALREADY_EXISTS (field `email`) for an address with an account, only where no link is sent.
 */
export async function changeEmail(
  platform: Needs,
  attempts: Attempts,
  account: AccountRecord,
  { email, password, language }: AddressChange,
): Promise<{ readonly sent: boolean }> {
  await provePassword(platform, attempts, account.id, password);
  if (email === account.email.toLowerCase())
    throw new AppError('INVALID_INPUT', t`This is the address of the account already.`, {
      field: 'email',
      suggestedFix: t`Enter another address.`,
    });
  if (platform.config.MAIL !== 'smtp') {
    await takeAddress(platform, email, (tx) =>
      replaceEmail(platform, tx, account, { email, language, isVerified: false }),
    );
    return { sent: false };
  }
  await attempts.confirmation(email);
  const { email: isTaken } = await namesTaken(platform.db, email, '');
  if (isTaken)
    await platform.db.transaction((tx) => queueMail(platform, tx, takenAddressMail(email, account.username)));
  else await sendLink(platform, account, { email, language });
  return { sent: true };
}

/** Sends a link that confirms the address the account has. */
export async function requestConfirmation(
  platform: Needs,
  attempts: Attempts,
  account: AccountRecord,
  language: Language,
): Promise<void> {
  await attempts.confirmation(account.email);
  await sendLink(platform, account, { email: account.email, language });
}

/**
 * Confirms the address that a link is for, and makes it the one of its account.
 * @throws AppError INVALID_INPUT (field `token`) when the link was used, has expired or never existed,
 *   RESOURCE_ALREADY_EXISTS (field `email`) when another account took the address meanwhile.
 */
export async function confirmEmail(platform: Needs, token: string, language: Language): Promise<void> {
  const tokenHash = await mailTokenHash(platform, 'email-confirmation', token);
  await takeAddress(platform, null, async (tx) => {
    const found = await useConfirmation(tx, tokenHash, platform.clock.now());
    if (!found) throw linkEnded(t`Request another link in the settings of your account; it works for a day.`);
    const account = { id: found.id, username: found.username, email: found.oldEmail };
    await replaceEmail(platform, tx, account, { email: found.newEmail, language, isVerified: true });
  });
}

async function sendLink(
  platform: Needs,
  account: AccountRecord,
  { email, language }: Pick<AddressChange, 'email' | 'language'>,
): Promise<void> {
  const nowMs = platform.clock.now();
  const expiresAtMs = nowMs + LINK_MS;
  const { token, tokenHash } = newMailToken(platform, 'email-confirmation');
  await platform.db.transaction(async (tx) => {
    await insertConfirmation(tx, { tokenHash, accountId: account.id, email, createdAtMs: nowMs, expiresAtMs });
    const url = `${platform.config.BASE_URL}/confirm-email#token=${token}`;
    await queueMail(platform, tx, { ...confirmAddressMail(email, account.username, url), language }, expiresAtMs);
  });
}

async function replaceEmail(
  platform: Needs,
  tx: Transaction,
  account: Pick<AccountRecord, 'id' | 'username' | 'email'>,
  { email, language, isVerified }: Pick<AddressChange, 'email' | 'language'> & { readonly isVerified: boolean },
): Promise<void> {
  await setEmail(tx, account.id, { email, isVerified, nowMs: platform.clock.now() });
  await endResets(tx, account.id);
  if (email.toLowerCase() === account.email.toLowerCase()) return;
  await queueMail(platform, tx, { ...addressChangedMail(account.email, account.username, email), language });
}

/** Runs the change in a transaction; an address that another account has is an error of the field. */
async function takeAddress(
  { db }: Needs,
  email: string | null,
  change: (tx: Transaction) => Promise<void>,
): Promise<void> {
  try {
    await db.transaction(change);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError('RESOURCE_ALREADY_EXISTS', t`There is an account with this email address.`, {
      field: 'email',
      suggestedFix: email === null ? t`Change to another address in the settings.` : t`Use another address.`,
    });
  }
}
