import type { ChannelRole } from '../../../kernel/permissions.ts';

/** What each role may do; each includes the ones before it. */
export const ROLE_MEANINGS: Readonly<Record<ChannelRole, string>> = {
  VIEWER: 'Can view everything in the channel, including analytics.',
  EDITOR: 'Can also create, edit and publish contents, upload files and moderate comments.',
  MANAGER: 'Can also edit the channel and its members, and delete contents.',
  OWNER:
    "Can also delete and transfer the channel. There is exactly one owner, whose plan limits the channel's storage.",
};
