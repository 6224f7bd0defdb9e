import type { ChannelRole } from '../../../gql/generated/operations.gen.ts';
import { t, tc } from '../../../lib/i18n.ts';

/** Roles that a member can be given. */
export const ASSIGNABLE_ROLES = ['VIEWER', 'EDITOR', 'MANAGER'] as const satisfies readonly ChannelRole[];

/** What each role may do. */
export const ROLE_MEANINGS: Readonly<Record<ChannelRole, string>> = {
  VIEWER: t`Sees everything in the channel, including private videos and analytics. Changes nothing.`,
  EDITOR: t`Sees everything, uploads, edits and publishes videos and playlists, and moderates comments.`,
  MANAGER: t`Does all that editors do, deletes videos, changes the channel and manages its members.`,
  OWNER: t`Does all that managers do, and transfers or deletes the channel.`,
};

const ROLE_NAMES: Readonly<Record<ChannelRole, string>> = {
  VIEWER: tc('role', 'Viewer'),
  EDITOR: tc('role', 'Editor'),
  MANAGER: tc('role', 'Manager'),
  OWNER: tc('role', 'Owner'),
};

/** `Editor`. */
export const roleName = (role: ChannelRole): string => ROLE_NAMES[role];
