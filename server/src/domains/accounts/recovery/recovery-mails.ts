import { composeMail } from '../../../platform/mail/compose-mail.ts';
import type { MailMessage } from '../../../platform/mail/mail-transport.ts';

interface Recipient {
  readonly email: string;
  readonly username: string;
}

/** The link by which a forgotten password is replaced. */
export function resetMail({ email, username }: Recipient, url: string): MailMessage {
  return composeMail({
    to: email,
    subject: 'Reset your password',
    paragraphs: [
      `Someone asked to reset the password of the account ${username}. If it was you, choose a new one within an hour.`,
      'The link works once. If it was not you, ignore this message: your password stays as it is.',
    ],
    action: { label: 'Choose a new password', url },
  });
}

/** Tells that a password was replaced, in case its owner did not do it. */
export function passwordChangedMail({ email, username }: Recipient, resetUrl: string): MailMessage {
  return composeMail({
    to: email,
    subject: 'Your password was changed',
    paragraphs: [
      `The password of the account ${username} was changed, and all other sessions were signed out.`,
      'API keys, tokens and connected applications still work; replace them in Developer Settings if you did not ' +
        'expect this, and reset your password.',
    ],
    action: { label: 'Reset the password', url: resetUrl },
  });
}
