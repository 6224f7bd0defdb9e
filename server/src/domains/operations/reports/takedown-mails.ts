import { composeMail } from '../../../platform/mail/compose-mail.ts';
import type { MailMessage } from '../../../platform/mail/mail-transport.ts';

interface TakenDown {
  readonly kind: 'CONTENT' | 'COMMENT';
  readonly to: string;
  /** Of the content. */
  readonly title: string;
}

const nameOf = ({ kind, title }: TakenDown): string =>
  kind === 'CONTENT' ? `“${title}”` : `your comment on “${title}”`;

/** Notifies an account that something of it was taken down, with the reason. */
export function takenDownMail(what: TakenDown, reason: string): MailMessage {
  const isContent = what.kind === 'CONTENT';
  return composeMail({
    to: what.to,
    subject: isContent ? 'A video of yours was taken down' : 'A comment of yours was taken down',
    paragraphs: [
      `An operator of this server took down ${nameOf(what)}. ` +
        (isContent ? 'Only members of your channel can see it.' : 'Others cannot see it.'),
      `Reason: ${reason}`,
      'Contact the operator of this server if you think that this is a mistake.',
    ],
  });
}

/** Notifies an account that it is back. */
export function putBackMail(what: TakenDown): MailMessage {
  const isContent = what.kind === 'CONTENT';
  return composeMail({
    to: what.to,
    subject: isContent ? 'A video of yours is back' : 'A comment of yours is back',
    paragraphs: [
      `An operator of this server ended the takedown of ${nameOf(what)}. ` +
        (isContent ? 'It is as visible as you set it.' : 'Others can see it again.'),
    ],
  });
}
