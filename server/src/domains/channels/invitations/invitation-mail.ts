import { type Message, t } from '../../../kernel/languages/message.ts';
import type { ChannelRole } from '../../../kernel/permissions.ts';
import type { Mail } from '../../../platform/mail/compose-mail.ts';

interface Invited {
  readonly email: string;
  readonly channel: string;
  readonly handle: string;
  readonly invitedBy: string;
  readonly role: ChannelRole;
  readonly url: string;
}

/** The invitation, and what a member with the role may do. */
const INVITED: Readonly<Record<ChannelRole, (to: Invited) => Message>> = {
  VIEWER: ({ channel, handle, invitedBy }) =>
    t`${invitedBy} invites you to the channel ${channel} (@${handle}) as Viewer: you may see everything in it, including
      private videos and analytics.`,
  EDITOR: ({ channel, handle, invitedBy }) =>
    t`${invitedBy} invites you to the channel ${channel} (@${handle}) as Editor: you may see everything in it, upload,
      edit and publish videos, and moderate comments.`,
  MANAGER: ({ channel, handle, invitedBy }) =>
    t`${invitedBy} invites you to the channel ${channel} (@${handle}) as Manager: you may do all that editors do, delete
      videos, and change the channel and its members.`,
  OWNER: ({ channel, handle, invitedBy }) =>
    t`${invitedBy} invites you to the channel ${channel} (@${handle}) as Owner: you may do everything.`,
};

/** The message with the link, the same for an address with and without an account. */
export function invitationMail(invited: Invited): Mail {
  return {
    to: invited.email,
    subject: t`You are invited to the channel ${invited.channel}`,
    paragraphs: [
      INVITED[invited.role](invited),
      t`The link works once, within 7 days, and only for the account with this address. You become a member only if you
        accept.`,
      t`If you do not know who invites you, ignore this message: nothing changes.`,
    ],
    action: { label: t`See the invitation`, url: invited.url },
  };
}
