/** What other domains and the composition root may see of channels. */

export { type ChannelTypes, declareChannels } from './channel.graphql.ts';
export { type ChannelAuthority, judgeChannelChange, judgeSurrender, readChannelAuthority, roleTooLow } from './channel.policy.ts';
export { clearDeletedChannel, findChannelAuthority } from './channels.store.ts';
export { lockChannel } from './members.store.ts';
export { accountMay, type ChannelPermission, isMember, mayInChannel, rolesFor } from './membership.ts';
export { derivedBytesOf, derivedFilesOf, lockOwnerOf, type OwnerAccount, ownedChannelsOf, storedBytesOf } from './owners.store.ts';
export { requireAccount } from './require-account.ts';
export type { ChannelsServices } from './services.ts';
