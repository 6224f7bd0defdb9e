import { composeMail } from '../../../platform/mail/compose-mail.ts';
import type { MailMessage } from '../../../platform/mail/mail-transport.ts';

interface Recipient {
  readonly email: string;
  readonly username: string;
}

/** Notifies an account of its suspension, with the reason. */
export function suspendedMail({ email, username }: Recipient, reason: string): MailMessage {
  return composeMail({
    to: email,
    subject: 'Your account was suspended',
    paragraphs: [
      `An operator of this server suspended the account ${username}: you cannot sign in, and its API key, tokens and ` +
        'connected applications do not work.',
      `Reason: ${reason}`,
      'Contact the operator of this server if you think that this is a mistake.',
    ],
  });
}

/** Notifies an account that its suspension has ended. */
export function reinstatedMail({ email, username }: Recipient, signInUrl: string): MailMessage {
  return composeMail({
    to: email,
    subject: 'Your account works again',
    paragraphs: [`The suspension of the account ${username} has ended. You can sign in, and its API key works again.`],
    action: { label: 'Sign in', url: signInUrl },
  });
}
