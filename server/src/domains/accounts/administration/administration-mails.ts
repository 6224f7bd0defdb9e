import { type Text, t } from '../../../kernel/languages/message.ts';
import type { Mail } from '../../../platform/mail/compose-mail.ts';

interface Recipient {
  readonly email: string;
  readonly username: string;
}

/** Notifies an account of its suspension, with the reason and how to object. */
export function suspendedMail({ email, username }: Recipient, reason: string, appeal: Text): Mail {
  return {
    to: email,
    subject: t`Your account was suspended`,
    paragraphs: [
      t`An operator of this server suspended the account ${username}: you cannot sign in, and its API key, tokens and
        connected applications do not work.`,
      t`Reason: ${reason}`,
      appeal,
    ],
  };
}

/** Notifies an account that its suspension has ended. */
export function reinstatedMail({ email, username }: Recipient, signInUrl: string): Mail {
  return {
    to: email,
    subject: t`Your account works again`,
    paragraphs: [t`The suspension of the account ${username} has ended. You can sign in, and its API key works again.`],
    action: { label: t`Sign in`, url: signInUrl },
  };
}
