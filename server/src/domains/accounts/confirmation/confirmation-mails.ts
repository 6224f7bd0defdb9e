import { t } from '../../../kernel/languages/message.ts';
import type { Mail } from '../../../platform/mail/compose-mail.ts';

/** The link that completes a sign-up. */
export function signUpMail({ email, username }: { email: string; username: string }, url: string): Mail {
  return {
    to: email,
    subject: t`Confirm your email address`,
    paragraphs: [
      t`Someone signed up as ${username} with this address. If it was you, confirm it within a day.`,
      t`If it was not you, ignore this message: no account is created without the link.`,
    ],
    action: { label: t`Create the account`, url },
  };
}

/** To an address that someone signed up with although it has an account. */
export function knownAddressMail({ email, username }: { email: string; username: string }, url: string): Mail {
  return {
    to: email,
    subject: t`You already have an account`,
    paragraphs: [
      t`Someone tried to sign up with this address, which belongs to the account ${username}.`,
      t`If it was you, sign in, or reset your password. If it was not you, ignore this message.`,
    ],
    action: { label: t`Sign in`, url },
  };
}

/** The link that confirms an address of an account that exists. */
export function confirmAddressMail(email: string, username: string, url: string): Mail {
  return {
    to: email,
    subject: t`Confirm your email address`,
    paragraphs: [
      t`Confirm within a day that this is the address of the account ${username}.`,
      t`If you do not know this account, ignore this message: nothing changes without the link.`,
    ],
    action: { label: t`Confirm the address`, url },
  };
}

/** To an address that cannot be taken, because another account has it. */
export function takenAddressMail(email: string, username: string): Mail {
  return {
    to: email,
    subject: t`This address has an account`,
    paragraphs: [
      t`Someone asked to use this address for the account ${username}, but another account has it already.`,
      t`If it was you, use another address, or change the one of the other account first. Nothing was changed.`,
    ],
  };
}

/** To the address before, in case its owner did not change it. */
export function addressChangedMail(email: string, username: string, newEmail: string): Mail {
  return {
    to: email,
    subject: t`Your email address was changed`,
    paragraphs: [
      t`The account ${username} now signs in with ${newEmail}, and messages go there.`,
      t`If it was not you, ask the operator of this server for help at once.`,
    ],
  };
}
