import { t } from '../../../kernel/languages/message.ts';
import type { Mail } from '../../../platform/mail/compose-mail.ts';

interface Recipient {
  readonly email: string;
  readonly username: string;
}

/** The link by which a forgotten password is replaced. */
export function resetMail({ email, username }: Recipient, url: string): Mail {
  return {
    to: email,
    subject: t`Reset your password`,
    paragraphs: [
      t`Someone asked to reset the password of the account ${username}. If it was you, choose a new one within an
        hour.`,
      t`The link works once. If it was not you, ignore this message: your password stays as it is.`,
    ],
    action: { label: t`Choose a new password`, url },
  };
}

/** Tells that a password was replaced, in case its owner did not do it. */
export function passwordChangedMail({ email, username }: Recipient, resetUrl: string): Mail {
  return {
    to: email,
    subject: t`Your password was changed`,
    paragraphs: [
      t`The password of the account ${username} was changed, and all other sessions were signed out.`,
      t`API keys, tokens and connected applications still work; replace them in Developer Settings if you did not
        expect this, and reset your password.`,
    ],
    action: { label: t`Reset the password`, url: resetUrl },
  };
}
