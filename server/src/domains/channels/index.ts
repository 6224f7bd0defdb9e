/** What other domains and the composition root may import from channels. */

export { authorizeChannel } from './authorize-channel.ts';
export { type ChannelTypes, declareChannels } from './channel.graphql.ts';
export { CHANNEL_CHANGE, type ChannelAuthority, channelNotFound, roleTooLow } from './channel.policy.ts';
export { isTestChannel, isVisibleChannel } from './channel-visibility.sql.ts';
export { channelTarget, clearDeletedChannel, givenChannelTarget } from './channels.store.ts';
export { isInvited, isOpenInvitation } from './invitations/invitations.sql.ts';
export { forgetChannelInvitations } from './invitations/invitations.store.ts';
export { lockChannel } from './members/members.store.ts';
export {
  type Caller,
  type ChannelPermission,
  channelFacts,
  isMember,
  mayInChannel,
  roleMay,
  rolesFor,
  SCOPED,
  tokenAllows,
  tokenAllowsOwn,
} from './members/membership.sql.ts';
export { requireTokenChannels } from './members/token-channels.ts';
export { MAX_KEYWORD_LENGTH, MAX_KEYWORDS, MAX_SUMMARY, MAX_TITLE, METADATA_FIELDS } from './metadata-fields.ts';
export {
  derivedBytesOf,
  derivedFilesOf,
  lockOwnerOf,
  type OwnerAccount,
  ownedChannelsOf,
  storedBytesOf,
} from './owners.store.ts';
export { requireAccount } from './require-account.ts';
export type { ChannelsServices } from './services.ts';
export { isSharedContent, isSharedOnly, isStillShared, SHARED_CONTENTS } from './sharing/shared-contents.sql.ts';
