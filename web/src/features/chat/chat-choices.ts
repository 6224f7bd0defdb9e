import type { ChatMode } from '../../gql/generated/types.gen.ts';
import { t } from '../../lib/i18n.ts';

/** Who can write in a chat. */
export const CHAT_MODES: Readonly<Record<ChatMode, string>> = {
  EVERYONE: t`Everyone`,
  FOLLOWERS: t`Followers`,
  MEMBERS: t`Members`,
  NOBODY: t`No one`,
};
