import type { ChannelRole } from '../../../kernel/permissions.ts';
import { composeMail } from '../../../platform/mail/compose-mail.ts';
import type { MailMessage } from '../../../platform/mail/mail-transport.ts';

interface Invited {
  readonly email: string;
  readonly channel: string;
  readonly handle: string;
  readonly invitedBy: string;
  readonly role: ChannelRole;
  readonly url: string;
}

const ALLOWED: Readonly<Record<ChannelRole, string>> = {
  VIEWER: 'see everything in it, including private videos and analytics',
  EDITOR: 'see everything in it, upload, edit and publish videos, and moderate comments',
  MANAGER: 'do all that editors do, delete videos, and change the channel and its members',
  OWNER: 'do everything',
};

/** The message with the link, the same for an address with and without an account. */
export function invitationMail({ email, channel, handle, invitedBy, role, url }: Invited): MailMessage {
  const name = role.charAt(0) + role.slice(1).toLowerCase();
  return composeMail({
    to: email,
    subject: oneLine(`You are invited to the channel ${channel}`),
    paragraphs: [
      `${invitedBy} invites you to the channel ${channel} (@${handle}) as ${name}: you may ${ALLOWED[role]}.`,
      'The link works once, within 7 days, and only for the account with this address. You become a member only if ' +
        'you accept.',
      'If you do not know who invites you, ignore this message: nothing changes.',
    ],
    action: { label: 'See the invitation', url },
  });
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 150);
