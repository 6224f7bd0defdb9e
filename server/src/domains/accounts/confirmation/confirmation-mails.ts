import { composeMail } from '../../../platform/mail/compose-mail.ts';
import type { MailMessage } from '../../../platform/mail/mail-transport.ts';

/** The link that completes a sign-up. */
export function signUpMail({ email, username }: { email: string; username: string }, url: string): MailMessage {
  return composeMail({
    to: email,
    subject: 'Confirm your email address',
    paragraphs: [
      `Someone signed up as ${username} with this address. If it was you, confirm it within a day.`,
      'If it was not you, ignore this message: no account is created without the link.',
    ],
    action: { label: 'Create the account', url },
  });
}

/** To an address that someone signed up with although it has an account. */
export function knownAddressMail({ email, username }: { email: string; username: string }, url: string): MailMessage {
  return composeMail({
    to: email,
    subject: 'You already have an account',
    paragraphs: [
      `Someone tried to sign up with this address, which belongs to the account ${username}.`,
      'If it was you, sign in, or reset your password. If it was not you, ignore this message.',
    ],
    action: { label: 'Sign in', url },
  });
}

/** The link that confirms an address of an account that exists. */
export function confirmAddressMail(email: string, username: string, url: string): MailMessage {
  return composeMail({
    to: email,
    subject: 'Confirm your email address',
    paragraphs: [
      `Confirm within a day that this is the address of the account ${username}.`,
      'If you do not know this account, ignore this message: nothing changes without the link.',
    ],
    action: { label: 'Confirm the address', url },
  });
}

/** To an address that cannot be taken, because another account has it. */
export function takenAddressMail(email: string, username: string): MailMessage {
  return composeMail({
    to: email,
    subject: 'This address has an account',
    paragraphs: [
      `Someone asked to use this address for the account ${username}, but another account has it already.`,
      'If it was you, use another address, or change the one of the other account first. Nothing was changed.',
    ],
  });
}

/** To the address before, in case its owner did not change it. */
export function addressChangedMail(email: string, username: string, newEmail: string): MailMessage {
  return composeMail({
    to: email,
    subject: 'Your email address was changed',
    paragraphs: [
      `The account ${username} now signs in with ${newEmail}, and messages go there.`,
      'If it was not you, ask the operator of this server for help at once.',
    ],
  });
}
