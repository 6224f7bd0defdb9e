import { t } from '../../../kernel/languages/message.ts';
import type { Mail } from '../../../platform/mail/compose-mail.ts';

interface TakenDown {
  readonly kind: 'CONTENT' | 'COMMENT';
  readonly to: string;
  /** Of the content. */
  readonly title: string;
}

/** Notifies an account that something of it was taken down, with the reason. */
export function takenDownMail(what: TakenDown, reason: string): Mail {
  const isContent = what.kind === 'CONTENT';
  return {
    to: what.to,
    subject: isContent ? t`A video of yours was taken down` : t`A comment of yours was taken down`,
    paragraphs: [
      isContent
        ? t`An operator of this server took down “${what.title}”. Only members of your channel can see it.`
        : t`An operator of this server took down your comment on “${what.title}”. Others cannot see it.`,
      t`Reason: ${reason}`,
      t`Contact the operator of this server if you think that this is a mistake.`,
    ],
  };
}

/** Notifies an account that it is back. */
export function putBackMail(what: TakenDown): Mail {
  const isContent = what.kind === 'CONTENT';
  return {
    to: what.to,
    subject: isContent ? t`A video of yours is back` : t`A comment of yours is back`,
    paragraphs: [
      isContent
        ? t`An operator of this server ended the takedown of “${what.title}”. It is as visible as you set it.`
        : t`An operator of this server ended the takedown of your comment on “${what.title}”. Others can see it again.`,
    ],
  };
}
